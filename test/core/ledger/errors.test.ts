import assert from 'node:assert/strict';
import { call, factsOf, findFact, human, latest, type Said } from './script.ts';

/** A command that failed with this output. */
const failed = (output: string, command = 'make all') => call('bash', { command }, `Exit code 1\n${output}`);
const errorsOf = (...messages: Said[]) => latest('error', ...messages);

/** What programs print when they fail, and the error in it; the same where only that is printed. */
const PRINTED: readonly (readonly [output: string, value?: string])[] = [
  // By a word.
  ['make: *** [Makefile:30: release] Error 2'],
  ['ci.sh: 8: kubectl: not found'],
  ['x.sh: línea 9: kubectl: orden no encontrada'],
  ['src/a.ts(12,5): error TS2345: Argument of type x'],
  ['src/netz.c:88:9: Fehler: implizite Deklaration'],
  ['error[E0308]: mismatched types\n  --> src/main.rs:7:9', 'error[E0308]: mismatched types'],
  [
    'Traceback (most recent call last):\n  File "a/run.py", line 17, in <module>\nKeyError: \'plan\'',
    "KeyError: 'plan'",
  ],
  ['TypeError: x is not a function\n    at run (/srv/lib/run.js:31:7)', 'TypeError: x is not a function'],
  ['panic: runtime error: index out of range\n\tmain.go:44 +0x1d', 'panic: runtime error: index out of range'],
  ['错误:找不到模块'],
  ["Failed asserting that 'a' matches 'b'.\n\n/app/tests/MailTest.php:31", "Failed asserting that 'a' matches 'b'."],
  // By the name of what failed.
  ['Automatic merge failed; fix conflicts and then commit the result.'],
  [
    '  Failed Shop.CartTest.Adds [12 ms]\n  Error Message:\n   Assert.Equal() Failure',
    'Failed Shop.CartTest.Adds [12 ms]',
  ],
  ['> Could not find com.acme:queue:2.1.\nRequired by:\n    project :app', '> Could not find com.acme:queue:2.1.'],
  // By a place.
  ['pkg/a.go:12:2: undefined: loadAll'],
  ['/srv/a.ts\n  14:7  error  Unexpected any  no-explicit-any', '14:7  error  Unexpected any  no-explicit-any'],
  ['--- FAIL: TestX\n    queue_test.go:12: got 3, want 4', 'queue_test.go:12: got 3, want 4'],
  ['e: file:///srv/src/A.kt:9:21 Unresolved reference: rows'],
  ['  expected: "open"\n       got: nil\n  # ./spec/a_spec.rb:18:in `x`', 'expected: "open"'],
  // A header is joined with the line that says what is wrong.
  [
    'CMake Error at src/CMakeLists.txt:22 (target_link_libraries):\n  Target "app" links to: fmt',
    'CMake Error at src/CMakeLists.txt:22 (target_link_libraries): Target "app" links to: fmt',
  ],
  [
    "thread 'x' panicked at src/w.rs:8:9:\nindex out of bounds",
    "thread 'x' panicked at src/w.rs:8:9: index out of bounds",
  ],
];

describe('errors as programs report them', () => {
  for (const [output, value = output] of PRINTED)
    it(output, () => assert.equal(findFact(factsOf(failed(`ready\n${output}`)), 'error', value)?.value, value));

  it('are not taken from what a search finds', () => {
    assert.deepEqual(errorsOf(failed('lib/x.pl:12: x', 'grep -rn x lib')), []);
  });

  it('are solved when the same command, or the same work on the file, goes well', () => {
    const broken = call('bash', { command: 'npm run check 2>&1 | tail -5' }, 'error TS2304: no such name\nexit code 2');
    assert.equal(errorsOf(broken, call('bash', { command: 'npm run lint' }, 'all fine')).length, 1);
    assert.deepEqual(errorsOf(broken, call('bash', { command: 'npm run check' }, 'all fine')), []);
    const unread = call('edit', { path: 'src/a.ts', new_string: 'b' }, 'Error: File has not been read yet.');
    assert.equal(errorsOf(unread, call('edit', { path: 'src/b.ts', new_string: 'b' }, 'Done.')).length, 1);
    assert.deepEqual(errorsOf(unread, call('edit', { path: 'src/a.ts', new_string: 'b' }, 'Done.')), []);
  });

  for (const [what, said] of [
    ['a printed file', call('Read', { file_path: 'a.ts' }, 'throw new Error("TypeError: x")')],
    ['a printed log', call('bash', { command: 'cat log.txt' }, 'Error: old')],
    [
      'a clean summary',
      call('bash', { command: 'npm test' }, '0 errors, 12 passed\nErrors: 0\n✓ throws TypeError: no'),
    ],
    ['a place where all went well', call('bash', { command: 'make' }, 'Exit code 0\na.go:12:2: loading')],
    ['a clean summary in another language', call('bash', { command: 'make' }, 'Keine Fehler gefunden.\n没有错误')],
    ['the frame of a stack', failed('    at new NodeError (node:internal/errors:405:5)')],
    ['a warning', failed('a.c:12:2: warning: shadows a variable')],
  ] as const)
    it(`are not taken from ${what}`, () => assert.deepEqual(errorsOf(said), []));

  it('are taken from what the human pasted, and from deep inside long output', () => {
    const pasted = human('I get this:\nReferenceError: total is not defined');
    assert.deepEqual(errorsOf(pasted), ['ReferenceError: total is not defined']);
    const output = `${'downloading\n'.repeat(8_000)}src/x.c:88:2: error: expected ;\n${'linking\n'.repeat(8_000)}`;
    assert.deepEqual(errorsOf(call('bash', { command: 'make' }, output)), ['src/x.c:88:2: error: expected ;']);
  });
});
