import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readPrinted } from '../../../src/core/ledger/outcome.ts';
import { call, factsOf, findFact } from './script.ts';

/** Lines that are errors as they are. */
const LINES: readonly string[] = [
  'make: *** [Makefile:30: release] Error 2',
  "make: *** No rule to make target 'man.1', needed by 'release'.  Stop.",
  'deploy.sh: line 27: unexpected EOF while looking for a quote',
  'ci.sh: 8: kubectl: not found',
  'x.sh: línea 9: kubectl: orden no encontrada',
  "src/a.ts(4,7): erreur TS2322: Impossible d'assigner le type.",
  'src/netz.c:88:9: Fehler: implizite Deklaration',
];

describe('errors of programs', () => {
  for (const line of LINES) {
    it(line, () => {
      const facts = factsOf(call('bash', { command: 'make all' }, `Exit code 2\nready\n${line}`));
      assert.equal(findFact(facts, 'error', line.slice(0, 12))?.value, line);
    });
  }

  it('a header is joined with the line that says what is wrong', () => {
    const output = 'CMake Error at src/CMakeLists.txt:22 (target_link_libraries):\n  Target "app" links to: fmt';
    const facts = factsOf(call('bash', { command: 'cmake -B build' }, `Exit code 1\n${output}`));
    assert.ok(findFact(facts, 'error', 'Target "app" links to: fmt')?.value.startsWith('CMake Error at src'));
  });
});

describe('results that are JSON', () => {
  const output = 'ready\nTypeError: no "rows"\n    at f (/srv/a.ts:3:4)';
  for (const [name, result] of [
    ['a list of answers', JSON.stringify([{ query: 'npm test', result: output, success: false }])],
    ['parts of content', JSON.stringify({ content: [{ type: 'text', text: output }], isError: true })],
    ['cut short', JSON.stringify([{ query: 'npm test', success: false, result: `${output}\nmore` }]).slice(0, -6)],
  ] as const) {
    it(`${name}: texts of several lines are read line by line`, () => {
      const facts = factsOf(call('run_commands', { commands: ['npm test'] }, result));
      const fact = findFact(facts, 'error', 'TypeError');
      assert.equal(fact?.value, 'TypeError: no "rows"');
    });
  }

  it('data without such a text stays as it is', () => {
    const data = '{"name": "a", "path": "b\\\\n.ts"}';
    assert.equal(readPrinted(data), data);
  });

  it('a file in a block of code is the file', () => {
    assert.equal(readPrinted('```ts\n// filepath: /srv/a.ts\nconst a = 1;\n```'), 'const a = 1;');
  });

  it('hostile text does not hang', () => {
    for (const part of ['"\\n', '\\\\', '"a', '\\"']) readPrinted(`["\\n${part.repeat(300_000)}`);
  });
});
