import assert from 'node:assert/strict';
import type { Compaction } from '../../../src/core/compaction/compaction.ts';
import { recordAgents } from '../../../src/core/conversation/agentRecords.ts';
import { viewAt } from '../../../src/core/conversation/history.ts';
import type { MessageRange } from '../../../src/core/messages/message.ts';
import { contentText, parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { nameMoment, placeCompressions } from '../../../src/host/present/compressions.ts';
import { sentBlocks } from '../../../src/host/present/sent.ts';
import { writeRestored } from '../../../src/host/present/wholeTexts.ts';
import { converse, reads, system, user } from '../../core/conversation/kit.ts';

/** A conversation with compressions that ran at these times. */
async function compressedAt(...times: readonly Date[]) {
  const conversation = converse([system('You are an agent.'), user('Fix the import.'), ...reads(20), user('And now?')]);
  for (const index of times.keys()) {
    await conversation.compact({ trigger: 'command', targetTokens: 2000 });
    conversation.append([...reads(20, 30, 100 * (index + 1)), user('Go on.')]);
  }
  const { messages } = conversation.transcript;
  const history = conversation.history().map((entry, index) => {
    const at = times[index]?.getTime() ?? assert.fail('one time for each');
    return { ...entry, compaction: { ...entry.compaction, at } };
  });
  assert.equal(history.length, times.length);
  return { history, rows: placeCompressions(history, messages) };
}

describe('the time of a compression', () => {
  const at = (...clock: readonly [number, number, number, number?]) => {
    const now = new Date();
    return new Date(now.getFullYear(), now.getMonth(), now.getDate(), ...clock);
  };

  it('has the seconds where another of the conversation ran in the same minute, and more where it must', async () => {
    const { history, rows } = await compressedAt(at(9, 5, 1), at(9, 6, 7, 20), at(9, 6, 7, 21), at(9, 6, 40));
    const names = ['09:05', '09:06:07.020', '09:06:07.021', '09:06:40'];
    const moments = history.map(({ compaction }) => nameMoment(compaction, history));
    assert.deepEqual(moments, names);
    const runs = rows.flatMap(({ entry }) => entry.runs);
    const precisions = runs.map(({ precision }) => precision);
    assert.deepEqual(precisions, [undefined, 'millisecond', 'millisecond', 'second']);
    const [first] = runs;
    const along = first?.takesAlong.map(({ precision }) => precision);
    assert.deepEqual(along, ['millisecond', 'millisecond', 'second']);
  });

  it('has the day where that is not today', async () => {
    const { history } = await compressedAt(new Date(2024, 10, 20, 14, 32));
    const moments = history.map(({ compaction }) => nameMoment(compaction, history));
    assert.deepEqual(moments, ['Nov 20, 14:32']);
  });
});

describe('what another agent compacted itself', () => {
  const messages = [user('Never delete a.txt.'), ...reads(2), user('And now?')].map((message, at) =>
    parseMessage(message, at),
  );
  const summary = 'Two files were read.';
  let ids = 0;
  const [made] = runAtOnce(
    recordAgents(messages, [{ before: 5, summary }], 'Codex', {
      newId: () => {
        ids += 1;
        return `a${ids}`;
      },
      now: () => 5,
      count: () => 1,
    }),
  );
  assert.ok(made !== undefined);
  const restored = (...ranges: readonly MessageRange[]): Compaction => ({
    ...made,
    id: 'by-hand',
    strategy: 'manual',
    trigger: 'restored',
    transcriptLength: messages.length,
    replacements: ranges.map((range) => ({ range, by: { kind: 'whole', messages: [] } })),
  });
  const present = (...records: readonly Compaction[]) => {
    const history = records.map((compaction) => ({ compaction, undone: false }));
    const items = viewAt(messages, messages.length, records);
    return { items, run: placeCompressions(history, messages, items)[0]?.entry.runs[0] };
  };

  it('says what was thrown away, what the summary lacks, and which of that is in the window again', () => {
    const rules = (isSent: boolean) => [{ label: 'Rules', facts: [{ text: 'Never delete a.txt.', at: 0, isSent }] }];
    const { run } = present(made);
    assert.deepEqual(run?.agent, { name: 'Codex', restored: 0, more: 0, unsaid: rules(false) });
    assert.equal(
      run?.kept,
      'Codex discarded 5 messages. Its summary lacks 1 of the rules, to-dos, changed files and errors.',
    );
    const after = present(made, restored({ from: 0, to: 0 }));
    assert.deepEqual(after.run?.agent, { name: 'Codex', restored: 1, more: 0, unsaid: rules(true) });
    const fates = after.items.flatMap(sentBlocks).flatMap(({ messages: sent }) => sent.map((one) => one.sent));
    assert.deepEqual(fates, ['whole', 'summarized', 'summarized', 'summarized', 'summarized', 'whole']);
  });

  it('leaves the rest summarized when something in between is restored', () => {
    const { items } = present(made, restored({ from: 1, to: 2 }));
    const fates = items.flatMap(sentBlocks).flatMap(({ messages: sent }) => sent.map((one) => one.sent));
    assert.deepEqual(fates, ['summarized', 'whole', 'whole', 'summarized', 'summarized', 'whole']);
  });

  it('hands back what was restored word for word, each step whole, and says that it is history', () => {
    const transcript = new Transcript();
    for (const message of messages) transcript.append(message);
    const records = [made, restored({ from: 0, to: 2 })];
    const text = writeRestored(
      {
        transcript,
        history: () => records.map((compaction) => ({ compaction, undone: false })),
        items: () => viewAt(messages, messages.length, records),
      },
      made.id,
    );
    assert.match(
      text,
      /^These parts of our conversation were lost when it was compacted.*not instructions\.\n\n\[t0 user\]\nNever delete a\.txt\./,
    );
    assert.ok(text.includes(contentText(messages[2]?.wire ?? assert.fail('a result'))), text);
    assert.ok(!text.includes('And now?') && !text.includes('[t3'), 'and nothing else');
  });
});
