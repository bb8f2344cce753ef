import assert from 'node:assert/strict';
import { handleOf } from '../../../src/core/chat/handle.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { auditNote } from '../../../src/core/compaction/audit/judge.ts';
import {
  readNote,
  readStatements,
  type SortedNote,
  UNVERIFIED,
} from '../../../src/core/compaction/audit/statements.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { Looks } from '../../attack/looks.ts';
import { assistant, tool, transcriptOf, user } from '../conversation/kit.ts';

const bash = (command: string, result: string) => tool(command, 'bash', { command }, result);
const edit = (path: string, change: object, result: string) => tool(path, 'edit', { path, ...change }, result);

/** A small piece of work; the comments are the ids of the messages. */
const WORK: readonly ChatMessage[] = [
  /* 0 */ user('Please make the queue faster. Never touch deploy/prod.yaml: the night shift reads it by hand.'),
  /* 1-2 */ ...bash('npm test -- --grep queue', '41 passed, 3 failed\nexit code 1'),
  /* 3 */ assistant(
    'Jobs wait because `releaseLock` in src/queue/lock.ts runs before the batch of 1,500 rows is stored.',
  ),
  /* 4-5 */ ...edit('src/queue/lock.ts', { new_string: 'await releaseLock(batch)' }, 'Done.'),
  /* 6-7 */ ...bash('git commit -m "Release the lock last"', '[main 4f9c2d7ab] Release the lock last'),
  /* 8 */ assistant('Shall I colour the themes in themes/dark.json and themes/light.json next, or retry what failed?'),
  /* 9 */ user('The second.'),
  /* 10 */ assistant('The report of last spring counted 7300 visits of the shop and asked for a larger banner.'),
  /* 11 */ user('You may touch deploy/prod.yaml after all, the night shift is informed.'),
  /* 12-13 */ ...tool(
    'd',
    'write',
    { path: 'docs/plan.md', content: 'The batch goes to `JobStore`. Tests pass.' },
    'Done.',
  ),
  /* 14-15 */ ...bash("cat > /tmp/prompt <<'EOF'\nGive the batch to `JobQueue`.\nEOF\nsend /tmp/prompt", ''),
  /* 16 */ assistant('Is the larger banner committed by now?'),
  /* 17-18 */ ...bash('git branch -D fix/banner', 'Deleted branch fix/banner.'),
  /* 19 */ assistant('The report in re\u0301sume\u0301.md needs uuid v1.6.0 and go 1.26.0.'),
  /* 20-21 */ ...edit('src/queue/clock.ts', { old_string: 'tick', new_string: 'tock' }, 'The tool use was rejected.'),
  /* 22-23 */ ...bash('send banner figures', 'banner figures sent'),
  /* 24-25 */ ...bash('git push', 'The user rejected this tool call.'),
  /* 26-27 */ ...bash('npm run lint', 'no problems in 12 files'),
];

function audit(note: string): SortedNote {
  const transcript = transcriptOf(WORK);
  return runAtOnce(auditNote(note, transcript));
}

/** What happens to a note of one statement. */
function fate(statement: string): 'stands' | 'marked' | 'gone' {
  const { text, removed, unverified } = audit(statement);
  if (removed.length > 0) {
    assert.equal(text, '');
    return 'gone';
  }
  assert.equal(text, unverified > 0 ? `${statement} ${UNVERIFIED}` : statement);
  return unverified > 0 ? 'marked' : 'stands';
}

describe('the statements of a note', () => {
  const cited = (note: string) => readStatements(note).map(({ cites }) => cites.map(handleOf).join(' '));

  it('cite messages themselves, before or after the full stop, or else with their line', () => {
    assert.deepEqual(cited('The lock is late [t3]. The commit is 4f9c2d7 [t6-7, t9].'), ['t3', 't6-7 t9']);
    assert.deepEqual(cited('The lock is late. [t3] The commit is made. [t6-7]'), ['t3', 't6-7']);
    assert.deepEqual(cited('The lock is late. It is released in `lock.ts` [t3].\nAnother line.'), ['t3', 't3', '']);
  });

  it('can be written back unchanged, with list marks, boxes and blank lines', () => {
    const note = '## State\n\n1. [x] The lock is late [t3]. It waits [t3].\n   - Rows are stored [t3, t5].\n> Quoted.';
    const lines = readNote(note).map(
      ({ lead, statements }) => lead + statements.map(({ written }) => written).join(' '),
    );
    assert.equal(lines.join('\n'), note);
  });
});

describe('what happens to a statement', () => {
  const fates: readonly (readonly [what: string, wanted: ReturnType<typeof fate>, ...statements: string[]])[] = [
    [
      'whose name stands in a message in another form',
      'stands',
      'The lock is released too early in lock.ts [t3].',
      'The lock is released too early in queue/lock.ts [t3].',
      'Themes come next: dark.json/light.json [t8].',
      'The commit 4f9c2d7 releases the lock last [t7].',
      'Jobs wait because of `ReleaseLock` [t3].',
      'The batch has 1500 rows [t3].',
      'The report needs uuid 1.6.0 [t19].',
      'The report needs go 1.26 [t19].',
      'The report is in `re\u0301sume\u0301.md` [t19].',
    ],
    [
      'whose name no message has',
      'gone',
      'The lock is released too early in src/queue/locks.ts [t3].',
      'The lock is released too early in src/queue/lock.ts:54,219 [t3].',
      'The banner is at https://shop.test/banner [t10].',
      'Themes come next: dark.json/dusk.json [t8].',
      'The commit 4f9c2e7 releases the lock last [t7].',
      'The commit 4f9c2d7abff releases the lock last [t7].',
      'The commit 1234abc releases the lock last [t7].',
      'The commit `deadbe1` releases the lock last [t7].',
      'The tests fail with TS2345 [t2].',
      'Jobs wait because of `releaseLocks` [t3].',
      'Jobs wait because of `readAll<u8>` [t3].',
      'The batch has 1600 rows [t3].',
      'The batch has 150 rows [t3].',
      'The report needs uuid 1.6 and go 1.2 [t19].',
    ],
    ['whose name the cited messages have', 'stands', 'The banner of the shop had 1,500 visits [t3].'],
    ['whose name stands beside the cited messages', 'marked', 'The batch has 1500 rows [t4-5].'],
    ['whose name stands in one of the cited messages', 'stands', 'The batch has 1500 rows [t3-5].'],
    ['whose name stands elsewhere', 'marked', 'The shop had 7300 visits in the report of last spring [t3].'],
    [
      'without a name',
      'stands',
      'Jobs wait until all rows are stored [t3].',
      'It is either/or, e.g. for GitHub and/or Node, ~9500 of them, i.e. many.',
      'It is `const rows = a || b`; `git status` is harmless, and "nobody ran it - twice" is prose.',
      'The release of the lock comes too early.',
      'The logs are in `logs/<date>/run-<id>.log`.',
    ],
    [
      'with a command that ran',
      'stands',
      'Run `npm test -- --grep queue` [t1].',
      'Run `npm test -- --grep <name>` [t1].',
      'The message comes from `git commit -m "Release the lock last"` [t6].',
    ],
    [
      'with a command that nobody ran',
      'gone',
      'Run `npm test -- --grep themes` [t1].',
      'Run "cargo test -p core" [t1].',
      'Then `git push --force origin main` [t7].',
    ],
  ];
  for (const [what, wanted, ...statements] of fates)
    for (const statement of statements) it(`${what}: ${statement}`, () => assert.equal(fate(statement), wanted));

  it('applies to it alone: a removed one leaves its neighbours on the line, a marked one gets a line below them', () => {
    const { text, removed } = audit('- The lock is late [t3]. It is in `lostFile.ts` [t3]. Rows wait [t3].');
    assert.equal(text, '- The lock is late [t3]. Rows wait [t3].');
    assert.deepEqual(removed, ['It is in `lostFile.ts`.']);
    const marked = audit('- The lock is late [t3]. The queue lost 7300 jobs to it [t3].');
    assert.equal(marked.text, `- The lock is late [t3].\n  - The queue lost 7300 jobs to it [t3]. ${UNVERIFIED}`);
    assert.deepEqual([marked.kept, marked.unverified], [2, 1]);
  });

  it('does not apply to headings', () => {
    const note = '## Backups and other customers\n- The lock is late [t3].';
    assert.equal(audit(note).text, note);
  });
});

describe('a note after the audit', () => {
  it('has no empty sections', () => {
    const { text } = audit('## Causes\n- It is in `lostFile.ts` [t3].\n\n## State\n- The lock is late [t3].');
    assert.equal(text, '## State\n- The lock is late [t3].');
  });

  it('keeps its handles as they were written', () => {
    const note = '- The lock is late [t3]; rows wait [t3, t4-5].\n- Committed as 4f9c2d7 [t6-t7].';
    assert.equal(audit(note).text, note);
  });

  it('is counted: all statements, those that stay, those that were removed', () => {
    const note = 'The lock is late [t3]. It is in `lostFile.ts`.\nThe batch has 1500 rows [t4-5].';
    const { statements, kept, removed, unverified } = audit(note);
    assert.deepEqual([statements, kept, removed.length, unverified], [3, 2, 1, 1]);
  });
});

const MANY = 1_000;
/** Reads of parts of messages between two pauses: enough for some tens of messages. */
const MOST_LOOKS = 1_000;

function longTranscript() {
  const parts = Array.from({ length: MANY }, (_, part) => {
    const text = `Part ${part}: the batch of rows is stored before the lock of the queue is released.`;
    return part % 2 === 0 ? user(text) : assistant(text);
  });
  return transcriptOf([...parts, assistant('`bannerColour` is set from the theme.')]);
}

it('a statement that cites a large part of the conversation is judged in a step that looks at few messages', () => {
  const made = longTranscript();
  assert.equal(made.blocks.length, MANY + 1);
  const looks = new Looks();
  for (const message of made.messages) looks.watch(message);
  const steps = auditNote(`- The batch was stored and the lock fixed [t0-${MANY}].`, made);
  let most = 0;
  for (let step = steps.next(); step.done !== true; step = steps.next()) most = Math.max(most, looks.take());
  most = Math.max(most, looks.take());
  assert.ok(most > 0 && most <= MOST_LOOKS, `${most} looks in one step`);
});
