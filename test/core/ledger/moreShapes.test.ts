import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readPrinted } from '../../../src/core/ledger/read/printed.ts';
import { renderFacts } from '../../../src/core/ledger/render.ts';
import { call, factsOf, findFact, latest, model } from './script.ts';

describe('errors by their place', () => {
  for (const [output, value] of [
    ['pkg/a.go:12:2: undefined: loadAll', 'pkg/a.go:12:2: undefined: loadAll'],
    ['pkg/a.go:9:5: declared and not used: rows', 'pkg/a.go:9:5: declared and not used: rows'],
    ['/srv/a.ts\n  14:7  error  Unexpected any  no-explicit-any', '14:7  error  Unexpected any  no-explicit-any'],
    ['** (ArgumentError) not a map\n    app.ex:3: App.run/1', '** (ArgumentError) not a map'],
  ] as const) {
    it(value, () => {
      const facts = factsOf(call('bash', { command: 'make build' }, `Exit code 1\n${output}`));
      assert.ok(findFact(facts, 'error', value));
    });
  }

  it('without any word of errors, the lines of a failed program that name a place', () => {
    const output = 'Exit code 2\nall set\nOdd number of things at lib/x.pl line 12.';
    const fact = findFact(factsOf(call('bash', { command: 'make build' }, output)), 'error', 'Odd number');
    assert.equal(fact?.strength, 'soft');
    assert.deepEqual(latest('error', call('bash', { command: 'grep -rn x lib' }, 'Exit code 1\nlib/x.pl:12: x')), []);
  });

  it('a place in the output of a command that worked, and a warning, are none', () => {
    assert.deepEqual(latest('error', call('bash', { command: 'make build' }, 'Exit code 0\na.go:12:2: loading')), []);
    assert.deepEqual(
      latest('error', call('bash', { command: 'make' }, 'Exit code 1\na.c:12:2: warning: shadows a variable')),
      [],
    );
  });
});

describe('results that are wrapped in JSON', () => {
  const printed = 'one\ntwo\nTypeError: no "rows"\n3 failed, 41 passed';
  const wrapped = JSON.stringify({ output: printed, metadata: { exit_code: 1, duration_seconds: 0.2 } });

  it('are read as the lines that the program printed', () => {
    const facts = factsOf(call('shell', { command: ['bash', '-lc', 'npm test'] }, wrapped));
    assert.equal(findFact(facts, 'error', 'TypeError')?.value, 'TypeError: no "rows"');
    assert.equal(findFact(facts, 'test-state', 'passed')?.value, '3 failed, 41 passed');
    assert.equal(findFact(facts, 'command', 'npm test')?.state, 'exit 1');
  });

  it('other JSON is read as it is', () => {
    assert.equal(readPrinted('{"name":"x","version":"1.2.3"}'), '{"name":"x","version":"1.2.3"}');
    assert.equal(readPrinted('{"output": cut'), '{"output": cut');
  });
});

describe('identifiers of edits made by a shell', () => {
  it('reads the patch in a here-document', () => {
    const command = [
      "apply_patch <<'PATCH'",
      '*** Begin Patch',
      '*** Update File: src/a.ts',
      '@@',
      '+function drainQueue() {',
      '*** End Patch',
      'PATCH',
    ].join('\n');
    assert.deepEqual(latest('identifier', call('shell', { command }, 'Exit code: 0')), ['drainQueue']);
    assert.deepEqual(latest('identifier', call('shell', { command }, 'Exit code: 1\nerror: no such hunk')), []);
  });

  it('reads a file that a here-document writes, not the output of a script', () => {
    const write = "cat > lib/b.py <<'EOF'\ndef collect_rows(self):\n    pass\nEOF";
    assert.deepEqual(latest('identifier', call('shell', { command: write }, 'Exit code: 0')), ['collect_rows']);
    const look = "python3 - <<'EOF'\ndef collect_rows(self):\n    pass\nEOF";
    assert.deepEqual(latest('identifier', call('shell', { command: look }, 'Exit code: 0')), []);
  });
});

describe('to-dos named by their number alone', () => {
  it('takes the state of `#6 (…) is finished`', () => {
    const fact = findFact(factsOf(model('#6 (write the guide) is finished.')), 'todo', 'write the guide');
    assert.equal(fact?.state, 'finished');
  });

  it('the newest sentence about it counts, also when its words for the state are unknown', () => {
    const todos = latest(
      'todo',
      model('Todo #7: write the long guide.'),
      model('#7, write the long guide: in the bag.'),
    );
    assert.deepEqual(todos, ['#7, write the long guide: in the bag.']);
    assert.deepEqual(latest('todo', model('Todo #7: write the long guide.'), model('#7 comes up later.')), [
      'Todo #7: write the long guide.',
    ]);
    assert.deepEqual(latest('todo', model('#123 (see the tracker) came first.')), []);
  });

  it('a label puts it on the list: `Task #7: …`', () => {
    assert.equal(findFact(factsOf(model('Task #7: write the guide.')), 'todo', 'write the guide')?.state, 'open');
    assert.equal(findFact(factsOf(model('任务 #7：编写说明。')), 'todo', '编写说明')?.state, 'open');
  });

  it('joins what was said of a number with its checkbox', () => {
    const facts = factsOf(model('Still open, #3: write the guide.'), model('- [x] #3 write the guide'));
    assert.deepEqual(
      facts.filter((fact) => fact.class === 'todo' && fact.supersededAt === undefined).map((fact) => fact.state),
      ['done'],
    );
  });

  it('an issue or pull request is no to-do', () => {
    assert.deepEqual(latest('todo', model('This fixes #123: closed by the release.')), []);
  });
});

describe('figures that a program reports', () => {
  const output =
    'loading\nqueue max_connections: 48\nstore max_connections: 64\nTime taken ..... 31.5 s\nstep 12 of 40 done';

  it('keep the whole label, so that two of one name stay two', () => {
    assert.deepEqual(latest('number', call('bash', { command: './measure' }, output)), ['48', '64', '31.5 s']);
    const fact = findFact(factsOf(call('bash', { command: './measure' }, output)), 'number', '64');
    assert.equal(fact?.anchor, 'store max_connections: 64');
  });

  it('the lines of a file that is only printed are none', () => {
    assert.deepEqual(latest('number', call('bash', { command: 'cat a.ts' }, 'const rows = 17;')), []);
  });
});

describe('files that were seen', () => {
  it('takes the path of a context line of a search', () => {
    const found = latest(
      'file-read',
      call('grep', { pattern: 'x' }, 'src/a.ts:11:const x\nsrc/a.ts-12-\nsrc/a.ts-13-func'),
    );
    assert.deepEqual(found, ['src/a.ts']);
  });

  it('takes the paths that a report marks as code', () => {
    const report = 'The cause is in `src/store/index.ts:28` and **docs/plan.md**; `a.b.c` is none.';
    assert.deepEqual(latest('file-read', call('ask_expert', { question: 'why' }, report)), [
      'src/store/index.ts',
      'docs/plan.md',
    ]);
  });
});

describe('room of a note', () => {
  it('facts that fit are all shown, however their sections would share the space', () => {
    const facts = factsOf(
      call('bash', { command: 'make check' }, 'Exit code 1\nTypeError: no rows'),
      model('We decided to use a log instead of a table.'),
    );
    const whole = renderFacts(facts, 100_000);
    assert.equal(renderFacts(facts, whole.length), whole);
  });
});
