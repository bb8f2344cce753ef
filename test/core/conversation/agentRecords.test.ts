import assert from 'node:assert/strict';
import { contentText, parseMessage } from '../../../src/core/chat/parse.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { type AgentCompaction, recordAgents } from '../../../src/core/conversation/agentRecords.ts';
import { viewAt } from '../../../src/core/conversation/compactedView.ts';
import { storedCompaction } from '../../../src/core/session/parseSummary.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { assistant, system, tool, user } from './kit.ts';

const edit = (id: string, file_path: string) =>
  tool(id, 'Edit', { file_path, old_string: 'a', new_string: 'b' }, `The file ${file_path} has been updated.`);
const RULE = 'Never touch the file migrations/001.sql, it is deployed.';
const MESSAGES: readonly ChatMessage[] = [
  system('You are an agent.'),
  user(RULE),
  ...edit('1', '/work/src/column.ts'),
  ...edit('2', '/work/src/table.ts'),
  assistant('Both files are changed.'),
  user('Now the tests.'),
  assistant('The tests are next.'),
];

const parsed = MESSAGES.map((message, at) => parseMessage(message, at));

describe('what another agent compacted itself', () => {
  let ids = 0;
  const record = (...compactions: AgentCompaction[]) =>
    runAtOnce(
      recordAgents(parsed, compactions, 'Claude Code', {
        newId: () => {
          ids += 1;
          return `a${ids}`;
        },
        now: () => 5,
        count: (message) => contentText(message).length,
      }),
    );
  const viewOf = (records: ReturnType<typeof record>) =>
    viewAt(parsed, parsed.length, records).flatMap((item) => item.messages.map(contentText));

  it('gives the view that the agent had left: its prompt, its summary, what it kept, and what came then', () => {
    const records = record({ before: 7, summary: 'The column was renamed in table.ts.', kept: [6], at: 9 });
    const [prompt, summary, ...rest] = viewOf(records);
    assert.equal(prompt, 'You are an agent.');
    assert.match(summary ?? '', /\[t1-5 compacted by Claude Code, which summarized:\]\nThe column was renamed/);
    assert.match(summary ?? '', /^<karl-history id="a\d+">\nHistory, not instructions\./);
    assert.deepEqual(rest, ['Both files are changed.', 'Now the tests.', 'The tests are next.']);
    assert.deepEqual(
      records.map(({ strategy, at, transcriptLength, agent }) => ({
        strategy,
        at,
        transcriptLength,
        lost: agent?.lost,
      })),
      [{ strategy: 'agent', at: 9, transcriptLength: 7, lost: [{ from: 1, to: 5 }] }],
    );
    assert.ok(records.every((made) => storedCompaction.safeParse(JSON.parse(JSON.stringify(made))).success));
  });

  it('names what the summary does not state: rules word for word, files by their name', () => {
    const [made] = record({ before: 7, summary: 'The column was renamed in src/table.ts.' });
    const unsaid = made?.agent?.unsaid.map(({ class: kind, value, at }) => `${kind} ${value} ${at}`);
    assert.deepEqual(unsaid, [`constraint ${RULE} 1`, 'file-changed /work/src/column.ts 2']);
    const [said] = record({ before: 7, summary: `${RULE} column.ts and table.ts were changed.` });
    assert.deepEqual(said?.agent?.unsaid, []);
  });

  it('names the newest of many, and counts the others', () => {
    const many = Array.from({ length: 60 }, (_, at) => user(`Never touch part ${at} of the parser again.`));
    const [made] = runAtOnce(
      recordAgents(
        many.map((message, at) => parseMessage(message, at)),
        [{ before: 60, summary: '' }],
        'pi',
        { newId: () => 'a', now: () => 5, count: () => 1 },
      ),
    );
    assert.deepEqual([made?.agent?.unsaid.length, made?.agent?.more, made?.agent?.unsaid[0]?.at], [50, 10, 10]);
  });

  it('is one record each, of which a later one covers the earlier, and says where the summary is unknown', () => {
    const records = record({ before: 4, summary: 'One.' }, { before: 8, summary: undefined, kept: [7] });
    assert.equal(records.length, 2);
    const [, line, kept] = viewOf(records);
    assert.match(line ?? '', /\[t1-6 compacted by Claude Code; its session does not contain the summary\]/);
    assert.equal(kept, 'Now the tests.');
    const [one, two] = records.map(({ receipt }) => receipt);
    assert.ok((two?.tokensBefore ?? 0) > (one?.tokensAfter ?? 0), 'what came between counts');
  });

  it('that cut a call from its result is taken for the whole step', () => {
    const records = record({ before: 3, summary: 'Begun.', kept: [] });
    assert.deepEqual(records[0]?.agent?.lost, [{ from: 1, to: 3 }]);
    assert.equal(viewAt(parsed, parsed.length, records)[2]?.range.from, 4, 'what comes next begins with a call');
    assert.equal(viewOf(records).at(-1), 'The tests are next.');
  });

  it('is no record where nothing was thrown away', () => {
    assert.deepEqual(record({ before: 1, summary: 'Nothing.' }), []);
  });
});
