import assert from 'node:assert/strict';
import { createLedger } from '../../../src/core/ledger/createLedger.ts';
import type { FactClass } from '../../../src/core/ledger/fact.ts';
import { blocksOf, call, factsOf, human, latest, model } from './script.ts';

const read = (path: string, text: string) => call('read_file', { path }, text);
const shell = (command: string, text: string) => call('bash', { command }, text);

/** What one printed document adds of a kind. */
function said(kind: FactClass, ...messages: ReturnType<typeof call>): string[] {
  return latest(kind, messages);
}

const record = (decision: string, status = 'accepted'): string =>
  `# 12. Queue\n\nStatus: ${status}\n\n## Context\n\nThe queue is slow.\n\n## Decision\n\n${decision}\n\n## Consequences\n\nTwo services change.`;

describe('decisions in documents that tools print', () => {
  const decision = 'Jobs go through pgmq. SQS was considered and rejected.';

  it('are found in a decision record, also behind line numbers', () => {
    assert.deepEqual(said('decision', ...read('docs/adr/0012-queue.md', record(decision))), [decision]);
    const numbered = record(decision)
      .split('\n')
      .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`);
    assert.deepEqual(said('decision', ...read('docs/adr/0012-queue.md', numbered.join('\n'))), [decision]);
  });

  for (const status of ['superseded by ADR-19', 'proposed', 'rejected', 'abgelöst durch 0019', '草案'])
    it(`are none while the record is ${status}`, () => {
      assert.deepEqual(said('decision', ...read('docs/adr/0012-queue.md', record(decision, status))), []);
    });

  for (const command of [
    'gh issue view 71 --comments',
    'glab mr view 9',
    'jira issue view OPS-4',
    'gh api repos/a/b/issues/71/comments',
  ])
    it(`are found in ${command}`, () => {
      const text = 'title:\tqueue\nstate:\tOPEN\n--\nDecision: pgmq instead of SQS for jobs.\n--\nThe graph is above.';
      assert.deepEqual(said('decision', ...shell(command, text)), ['Decision: pgmq instead of SQS for jobs.']);
    });

  it('are found in the answer of a tracker in JSON', () => {
    const body = JSON.stringify({ key: 'OPS-4', fields: { body: 'Beschluss: pgmq statt SQS für Jobs.' } });
    assert.deepEqual(said('decision', ...call('jira_get_issue', { key: 'OPS-4' }, body)), [
      'Beschluss: pgmq statt SQS für Jobs.',
    ]);
  });

  it('are the items of a protocol under such a heading, in any language', () => {
    for (const heading of ['Decisions', 'Beschlüsse', 'Décisions', 'Decisiones', '決定事項', '결정 사항', 'Решения']) {
      const text = `# Weekly\n\n## ${heading}\n\n- pgmq carries the jobs\n- Exports stay in CSV\n\n## Next\n\n- call Ana`;
      assert.deepEqual(said('decision', ...read('notes/w12.md', text)), [
        'pgmq carries the jobs',
        'Exports stay in CSV',
      ]);
    }
  });

  it('are none where nothing is decided yet', () => {
    const text = '## Open decisions\n\n- which queue\n\nDecision: TBD\n';
    assert.deepEqual(said('decision', ...read('notes/w12.md', text)), []);
  });

  it('do not end what was said in the conversation, but are ended by it', () => {
    const doc = read('docs/adr/0012-queue.md', record('For the job queue we use SQS instead of pgmq.'));
    const spoken = human('For the job queue we use pgmq instead of SQS.');
    assert.equal(latest('decision', spoken, doc).length, 2);
    assert.equal(latest('decision', doc, spoken).length, 1);
  });

  it('end with a newer reading of the same record', () => {
    const now = latest(
      'decision',
      read('docs/adr/0012-queue.md', record('Jobs go through SQS.')),
      read('docs/adr/0012-queue.md', record('Jobs go through pgmq.')),
    );
    assert.deepEqual(now, ['Jobs go through pgmq.']);
  });

  it('are not looked for in program text, logs and searches', () => {
    const text = 'Decision: pgmq instead of SQS for jobs.';
    assert.deepEqual(said('decision', ...read('src/queue.ts', text)), []);
    assert.deepEqual(said('decision', ...shell('rg -n decision docs', `docs/a.md:3:${text}`)), []);
    assert.deepEqual(said('decision', ...shell('tail -n 40 app.log', text)), []);
  });
});

describe('rules and states in documents', () => {
  for (const rule of [
    'Changes to the schema of the till need two approvals.',
    'Nur der Nachtlauf darf in `out/` schreiben.',
    'Solo el equipo de datos puede borrar tablas en `bi`.',
    '只有值班人员可以修改 `ops/rota`。',
    '`core/clock` では時刻を直接読んではいけません。',
    '`core/clock` 안에서는 전역 상태를 쓰면 안 됩니다.',
  ]) {
    it(`are quoted with their file: ${rule}`, () => {
      const facts = factsOf(read('docs/till/README.md', `# Till\n\nA short text.\n\n${rule}\n`));
      const [fact] = facts.filter((found) => found.class === 'constraint');
      assert.deepEqual(
        [fact?.value, fact?.anchor, fact?.strength, fact?.by],
        [rule, 'docs/till/README.md', 'soft', 'tool'],
      );
    });
  }

  const states = [
    'The till cluster is still on MariaDB 10.3.',
    'Unser Lieferant schickt die Preise als CSV in Windows-1252.',
    '`roundCash` is also called from the tablet app of another team.',
    'Die nächtliche Sicherung startet um 02:40.',
    'El proveedor envía los pedidos en ISO-8859-15.',
    '夜间备份 03:15 开始。',
    '倉庫のサーバーはまだ PostgreSQL 11.2 です。',
  ];
  for (const state of states) {
    it(`are also how things stand: ${state}`, () => {
      assert.deepEqual(said('constraint', ...read('README.md', `# Till\n\n- ${state}\n`)), [state]);
      assert.deepEqual(latest('constraint', model(`${state}\n\nLooking further.`)), [state]);
    });
  }

  it('are not told by narration and descriptions', () => {
    const text = 'The test still fails.\n\nThe cache never holds more than it read.\n\nThe parser is 300 lines long.';
    assert.deepEqual(said('constraint', ...read('README.md', text)), []);
    assert.deepEqual(latest('constraint', model('Node 18 still prints 3 errors here. The run at 12:30 failed.')), []);
  });

  it('are at most a dozen a document', () => {
    const rules = Array.from({ length: 40 }, (_, index) => `Part ${index} must not read the clock.`);
    assert.equal(said('constraint', ...read('docs/parts.md', rules.join('\n\n'))).length, 12);
  });

  it('leave out what a client adds behind a file', () => {
    const text = '# A\n\n- b\n\n<system-reminder>\nYou must not tell anybody.\n</system-reminder>';
    assert.deepEqual(said('constraint', ...read('docs/a.md', text)), []);
  });
});

describe('preferences in files in which an agent remembers', () => {
  for (const [path, text] of [
    ['CLAUDE.md', 'The user prefers squash merges in till.'],
    ['memory/notes.md', 'Der Nutzer mag kurze Antworten.'],
    ['MEMORY.md', '用户偏好小的提交。'],
    ['AGENTS.md', 'ユーザーは表形式を好みます。'],
    ['CLAUDE.md', "L'utilisateur préfère les petits commits."],
  ] as const)
    it(`${path}: ${text}`, () => {
      assert.deepEqual(said('preference', ...read(path, `# Notes\n\n- ${text}\n`)), [text]);
    });
});

describe('decisions of the model', () => {
  for (const decision of [
    'I went with valibot for input checks and dropped yup.',
    'Elegí Preact en vez de React para el panel porque pesa menos.',
    'After the review we replaced moment with luxon for dates.',
  ])
    it(`are found: ${decision}`, () => {
      assert.deepEqual(latest('decision', model(`${decision} Now the tests.`)), [decision]);
    });

  for (const narration of [
    "I'll check the branch against `origin/main` instead of guessing.",
    "I'll wait for the run rather than starting another one.",
    'Let me replace all calls with `showNote()`.',
    "There's an old server on `5173` - that's why Vite picked `5177`.",
    'The linter had replaced `fmt.Errorf()` with `errors.New()`.',
    'Now use the name as the key instead of the id:',
    'The fix is simple: use `queue` instead of `append`.',
  ])
    it(`are not the next step or a report: ${narration}`, () => {
      assert.deepEqual(latest('decision', model(narration)), []);
    });

  it('are not orders to check out a branch', () => {
    assert.deepEqual(latest('decision', human('switch to the phase 12 branch')), []);
  });
});

describe('documents of 1 MB that mean no good', () => {
  const fill = [' ', '\n', '7', '(', '*', '|'];
  const keywords = [
    'Status:',
    '## Decision',
    'Decision:',
    'must not ',
    'only ',
    'still on ',
    'starts at 1',
    '"body":"',
    '# ',
    '**',
  ];
  for (const keyword of keywords)
    it(`${keyword} before long runs`, () => {
      const started = performance.now();
      for (const sign of fill) {
        const text = `${keyword}${sign.repeat(200_000)}x ${keyword.repeat(20_000)}`;
        const ledger = createLedger();
        ledger.update(
          blocksOf(
            read('docs/a.md', text),
            shell('gh pr view 3', text),
            shell(`cat ${'a.md '.repeat(50)}`, text),
            model(text),
          ),
        );
        ledger.facts();
      }
      assert.ok(performance.now() - started < 10_000);
    });
});
