import assert from 'node:assert/strict';
import { startDraft } from '../../../src/core/compaction/draft.ts';
import { NotePlan } from '../../../src/core/compaction/notes/notePlan.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';
import { deriveView } from '../../../src/core/messages/view.ts';
import { runAtOnce } from '../../../src/core/steps.ts';

describe('the notes of a long conversation', () => {
  it('are written with a step before each, so that nothing waits for all of them', () => {
    const transcript = new Transcript();
    const turns = 50;
    for (let turn = 0; turn < turns; turn += 1) {
      transcript.append(parseMessage({ role: 'user', content: `Do step ${turn}.` }, transcript.nextId));
      transcript.append(parseMessage({ role: 'assistant', content: `Step ${turn} is done.` }, transcript.nextId));
    }
    const draft = runAtOnce(
      startDraft({
        items: runAtOnce(deriveView(transcript.blocks, [], (one) => one)),
        pins: new Set(),
        requests: new Set(),
        humans: new Set(),
        unread: Number.MAX_SAFE_INTEGER,
        count: ({ content }) => String(content).length,
      }),
    );
    const runs = Array.from({ length: turns }, (_, turn) => ({ start: 2 * turn + 1, count: 1 }));
    const plan = runAtOnce(NotePlan.of(draft, 'mark', runs));
    const steps = [...plan.write(1_000)].length;
    assert.ok(steps >= turns, `${steps}`);
  });
});
