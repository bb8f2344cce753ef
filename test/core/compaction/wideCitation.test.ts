import assert from 'node:assert/strict';
import { auditNote } from '../../../src/core/compaction/audit/judge.ts';
import { PassageIndex } from '../../../src/core/compaction/recall/passageIndex.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { Looks } from '../../attack/looks.ts';
import { assistant, user } from '../conversation/kit.ts';

const MESSAGES = 1_000;
/** Reads of parts of messages between two pauses: enough for some tens of messages. */
const MOST_LOOKS = 1_000;

function transcript(): Transcript {
  const made = new Transcript();
  for (let index = 0; index < MESSAGES; index += 1) {
    const text = `Part ${index}: the batch of rows is stored before the lock of the queue is released.`;
    made.append(parseMessage(index % 2 === 0 ? user(text) : assistant(text), made.nextId));
  }
  made.append(parseMessage(assistant('`bannerColour` is set from the theme.'), made.nextId));
  return made;
}

describe('a statement that cites a large part of the conversation', () => {
  it('is judged in a step that looks at few messages', () => {
    const made = transcript();
    const index = new PassageIndex(made.messages);
    runAtOnce(index.update());
    assert.equal(made.blocks.length, MESSAGES + 1);
    const looks = new Looks();
    for (const message of made.messages) looks.watch(message);
    const steps = auditNote(`- The batch was stored and the lock fixed [t0-${MESSAGES}].`, made, index);
    let most = 0;
    for (let step = steps.next(); step.done !== true; step = steps.next()) most = Math.max(most, looks.take());
    most = Math.max(most, looks.take());
    assert.ok(most > 0 && most <= MOST_LOOKS, `${most} looks in one step`);
  });

  it('has no source: one message must have some of its words', () => {
    const words = 'harbour lantern meadow copper violin thunder basket glacier pepper marble falcon saddle'.split(' ');
    const made = transcript();
    for (const word of words) made.append(parseMessage(assistant(`Then came the ${word}.`), made.nextId));
    const mark = (cited: string) =>
      runAtOnce(auditNote(`- ${words.join(', ')} [${cited}].`, made, new PassageIndex(made.messages))).unverified;
    const last = made.nextId - 1;
    assert.equal(mark(`t0-${last}`), 1);
    assert.equal(mark(`t${MESSAGES + 1}-${last}`), 0);
  });
});
