import assert from 'node:assert/strict';
import type { MessageRange } from '../../../src/core/chat/message.ts';
import { contentText, parseMessage } from '../../../src/core/chat/parse.ts';
import { Transcript } from '../../../src/core/chat/transcript.ts';
import type { Compaction } from '../../../src/core/compaction/compaction.ts';
import { recordAgents } from '../../../src/core/conversation/agentRecords.ts';
import { viewAt } from '../../../src/core/conversation/compactedView.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { presentCompression } from '../../../src/host/present/compressions.ts';
import { sentBlocks } from '../../../src/host/present/sent.ts';
import { writeRestored } from '../../../src/host/present/wholeTexts.ts';
import { reads, user } from '../../core/conversation/kit.ts';

describe('a compression that another agent made', () => {
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
    const [first] = history;
    return { items, run: first && presentCompression(first, { history, messages, items }).run };
  };

  it('says what was discarded, what the summary lacks, and what of that is in the window again', () => {
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

  it('writes the restored messages for the agent word for word, and says that they are history', () => {
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
