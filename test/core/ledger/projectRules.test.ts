import assert from 'node:assert/strict';
import { createLedger } from '../../../src/core/ledger/ledger.ts';
import { requiredFacts } from '../../../src/core/ledger/stated.ts';
import { blocksOf, call, factsOf, human } from './script.ts';

const RULES =
  '# Working here\n\n- Never edit files under `gen/` by hand.\n- The build takes a while.\n- Tests must not use the network.';

function rules(name: string, input: unknown, result: string): string[] {
  return factsOf(call(name, input, result))
    .filter((fact) => fact.class === 'constraint')
    .map((fact) => `${fact.anchor}: ${fact.value}`);
}

describe('rules in instruction files of the project', () => {
  const found = ['Never edit files under `gen/` by hand.', 'Tests must not use the network.'];

  for (const [what, name, input, file] of [
    ['a read of AGENTS.md', 'read_file', { path: 'AGENTS.md' }, 'AGENTS.md'],
    ['a read of a nested CLAUDE.md', 'Read', { file_path: 'packages/web/CLAUDE.md' }, 'packages/web/CLAUDE.md'],
    ['a command that prints CONTRIBUTING.md', 'bash', { command: 'cat CONTRIBUTING.md' }, 'CONTRIBUTING.md'],
    ['a rule folder', 'view', { path: '.cursor/rules/style.mdc' }, '.cursor/rules/style.mdc'],
  ] as const) {
    it(`are found in ${what}`, () => {
      assert.deepEqual(
        rules(name, input, RULES),
        found.map((rule) => `${file}: ${rule}`),
      );
    });
  }

  it('are found after the line numbers that a tool prints', () => {
    const numbered = RULES.split('\n').map((line, index) => `${String(index + 1).padStart(6)}→${line}`);
    assert.equal(rules('Read', { file_path: 'AGENTS.md' }, numbered.join('\n')).length, 2);
  });

  it('are found in the fence and after the numbers of any tool', () => {
    for (const text of [
      `\`\`\`md\n// filepath: /w/AGENTS.md\n${RULES}\n\`\`\``,
      RULES.split('\n')
        .map((line, index) => `${index + 1} | ${line}`)
        .join('\n'),
      RULES.split('\n')
        .map((line, index) => `${index + 1}. ${line}`)
        .join('\n'),
    ])
      assert.equal(rules('read_file', { path: 'AGENTS.md' }, text).length, 2);
  });

  it('end when the whole file is read again, not when a part of it is', () => {
    const live = (input: unknown): number =>
      factsOf(
        call('read_file', { path: 'AGENTS.md' }, RULES),
        call('read_file', input, '# Working here\n\n- Never edit `gen/`.'),
      ).filter((fact) => fact.class === 'constraint' && fact.supersededAt === undefined).length;
    assert.equal(live({ path: 'AGENTS.md' }), 1);
    assert.equal(live({ path: 'AGENTS.md', offset: 3, limit: 1 }), 3);
  });

  it('are not looked for in other files', () => {
    assert.deepEqual(rules('read_file', { path: 'src/app.ts' }, RULES), []);
    assert.deepEqual(rules('read_file', { path: 'notes/agents.py' }, RULES), []);
  });

  it('need not be in a view literally: what the human said must', () => {
    const ledger = createLedger();
    ledger.update(blocksOf(call('read_file', { path: 'AGENTS.md' }, RULES), human('Never push to main.')));
    assert.deepEqual(
      requiredFacts(ledger).literal.flatMap((fact) => (fact.class === 'constraint' ? [fact.value] : [])),
      ['Never push to main.'],
    );
  });
});
