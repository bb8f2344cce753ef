import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readPrinted } from '../../../src/core/ledger/outcome.ts';
import { call, factsOf, findFact } from './script.ts';

/** Output of a failed command, the error message to be found in it, and the place to be found. */
const REPORTS: readonly (readonly [string, string, string, string])[] = [
  [
    'a linter that names the file above',
    '/srv/a/Cart.tsx\n  3:1  warning  x  y\n  7:1  error  Unexpected any  no-any',
    'Unexpected any',
    '/srv/a/Cart.tsx',
  ],
  [
    'a linter with a mark for each row',
    'css/nav.css\n  14:3  ✖  Unexpected duplicate "color"  no-dup',
    'Unexpected duplicate',
    'css/nav.css',
  ],
  [
    'a table with the file in its head',
    '  Line   src/Order.php\n ------ ---------\n  44     Call to an undefined method Order::sum().',
    'Call to an undefined',
    'src/Order.php',
  ],
  [
    'a pointer below a comparison',
    'AssertionError: expected 3 to be 4\n\n- Expected\n+ Received\n\n- 4\n+ 3\n\n ❯ src/sum.spec.ts:41:17',
    'expected 3 to be 4',
    'src/sum.spec.ts:41:17',
  ],
  [
    "a frame of one's own below one of a library",
    'TypeError: rows.map is not a function\n    at f (/srv/node_modules/lib/index.js:88:12)\n    at render (/srv/src/table.ts:203:9)',
    'rows.map',
    '/srv/src/table.ts:203:9',
  ],
  [
    'a goroutine',
    'panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.Put(...)\n\t/srv/kv/store.go:57 +0x1d',
    'nil map',
    '/srv/kv/store.go:57',
  ],
  [
    'the last frame of a traceback, not a line of a log',
    'Traceback (most recent call last):\n  File "/srv/a.py", line 9, in <module>\n    run()\n  File "/srv/b.py", line 64, in run\n    return t["k"]\n           ~^^^^^\nKeyError: \'k\'\nsaved to log.txt:9',
    "KeyError: 'k'",
    '/srv/b.py:64',
  ],
  [
    "an exception of the project's own",
    'Traceback (most recent call last):\n  File "/srv/api.py", line 77, in charge\n    raise Over(u)\nbilling.Over: user is over the plan',
    'billing.Over',
    '/srv/api.py:77',
  ],
  [
    'a block below the message',
    '│ Error: Unknown variable\n│ \n│   on net/main.tf line 31, in resource "x" "a":',
    'Unknown variable',
    'net/main.tf line 31',
  ],
  [
    'a place above the message',
    'src/clock.ts:31:7 lint/x ━━━━\n\n  × Do not use any here.',
    'Do not use any',
    'src/clock.ts:31:7',
  ],
  [
    'a file without an ending',
    'ERROR: process did not complete: exit 1\n------\nDockerfile:11',
    'did not complete',
    'Dockerfile:11',
  ],
  [
    'an assembly of .NET',
    'Unhandled exception. System.InvalidOperationException: Sequence is empty\n   at System.Linq.X()\n   at P.Top() in /srv/Order.cs:line 77',
    'Sequence is empty',
    '/srv/Order.cs:line 77',
  ],
];

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

describe('the place of an error', () => {
  for (const [name, output, message, place] of REPORTS) {
    it(name, () => {
      const noise = '[10:12:01] compiling tide\ninfo  ready';
      const facts = factsOf(call('bash', { command: 'make all' }, `Exit code 1\n${noise}\n${output}\n\n${noise}`));
      const fact = findFact(facts, 'error', message);
      assert.equal(fact?.anchor ?? fact?.value, place);
    });
  }

  for (const line of LINES) {
    it(line, () => {
      const facts = factsOf(call('bash', { command: 'make all' }, `Exit code 2\nready\n${line}`));
      assert.equal(findFact(facts, 'error', line.slice(0, 12))?.value, line);
    });
  }

  it('is not taken from a frame that another error begins', () => {
    const output = 'Error: no configuration\ninfo  ready\nFAIL unit\n    at x (/srv/other.ts:9:9)';
    const fact = findFact(
      factsOf(call('bash', { command: 'make' }, `Exit code 1\n${output}`)),
      'error',
      'configuration',
    );
    assert.equal(fact?.anchor, undefined);
  });

  it('is not sought for a complaint of the system, whose file is in its words', () => {
    const output = 'src/b.json:16: found\nrg: a.json: No such file or directory (os error 2)';
    const facts = factsOf(call('bash', { command: 'rg found . && make' }, `Exit code 2\n${output}`));
    assert.equal(findFact(facts, 'error', 'rg: a.json')?.anchor, undefined);
    assert.ok(findFact(facts, 'error', 'rg: a.json'));
  });

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
      assert.equal(fact?.anchor, '/srv/a.ts:3:4');
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
