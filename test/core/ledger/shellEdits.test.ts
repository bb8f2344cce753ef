import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { call, factsOf, findFact, latest } from './script.ts';

const run = (command: string, result = 'Exit code 0\n') => call('bash', { command }, result);

describe('files that a script in a command writes', () => {
  for (const [script, path] of [
    [
      "python3 - <<'PY'\nfrom pathlib import Path\np = Path(\"conf/app.toml\")\np.write_text(p.read_text().replace('a', 'b'))\nPY",
      'conf/app.toml',
    ],
    ["python - <<EOF\nimport pathlib\npathlib.Path('conf/b.yml').write_text('x')\nEOF", 'conf/b.yml'],
    ["python3 <<'EOF'\nf = 'src/c.py'\nwith open(f, 'w') as out:\n    out.write('x')\nEOF", 'src/c.py'],
    ["python3 -c \"open('src/d.py', 'a').write('x')\"", 'src/d.py'],
    ["python3 - <<'X'\nfor name in ['src/e.ts', 'src/f.ts']:\n    open(name, 'w').write('')\nX", 'src/f.ts'],
    [
      "node - <<'JS'\nconst fs = require('fs');\nconst file = 'src/g.ts';\nfs.writeFileSync(file, 'x');\nJS",
      'src/g.ts',
    ],
    ["node -e \"require('fs').writeFileSync('src/h.json', '{}')\"", 'src/h.json'],
    ["ruby - <<'R'\nFile.write('lib/i.rb', 'x')\nR", 'lib/i.rb'],
  ] as const) {
    it(path, () => assert.ok(latest('file-changed', run(script)).includes(path)));
  }

  it('a file that a script only reads or names, or that a written script names, is not changed', () => {
    assert.deepEqual(latest('file-changed', run("python3 - <<'P'\np = 'src/a.py'\nprint(open(p).read())\nP")), []);
    assert.deepEqual(latest('file-changed', run("cat > tools/x.py <<'E'\nopen('src/never.ts', 'w').write('')\nE")), [
      'tools/x.py',
    ]);
  });

  it('its text is no part of the command', () => {
    const facts = factsOf(
      run("python3 - <<'PY'\np = 'src/a.py'\nopen(p, 'w').write('''\ndef take_token(n):\n  pass\n''')\nPY"),
    );
    const command = findFact(facts, 'command', 'python3');
    assert.equal(command?.value, "python3 - <<'PY'");
    assert.equal(command?.strength, 'soft');
  });
});

describe('runs of tests', () => {
  for (const [command, output, lines] of [
    [
      './gradlew test',
      'CartTest > adds FAILED\n\n251 tests completed, 2 failed',
      ['CartTest > adds FAILED', '251 tests completed, 2 failed'],
    ],
    [
      'dotnet test',
      '  Failed A.CartTests.Adds [12 ms]\nFailed!  - Failed:     1, Passed:   256, Skipped:     0',
      ['Failed A.CartTests.Adds [12 ms]', 'Failed!  - Failed:     1, Passed:   256, Skipped:     0'],
    ],
    [
      'cargo test',
      'test cart::adds ... FAILED\n\ntest result: FAILED. 9 passed; 1 failed; 0 ignored',
      ['test cart::adds ... FAILED', 'test result: FAILED. 9 passed; 1 failed; 0 ignored'],
    ],
    [
      'bundle exec rspec',
      '169 examples, 3 failures\n\nrspec ./spec/cart_spec.rb:4 # Cart',
      ['rspec ./spec/cart_spec.rb:4 # Cart', '169 examples, 3 failures'],
    ],
    [
      'pytest -q',
      'FAILED t/test_cart.py::test_adds - assert 1\n1 failed, 8 passed in 2s',
      ['FAILED t/test_cart.py::test_adds - assert 1', '1 failed, 8 passed in 2s'],
    ],
  ] as const) {
    it(`${command}: the sum and the names of the tests that failed, which are no errors`, () => {
      const facts = factsOf(run(command, `Exit code 1\n${output}`));
      const values = facts.filter((fact) => fact.class === 'test-state').map((fact) => fact.value);
      for (const line of lines) assert.ok(values.includes(line), `${line} is not in ${values.join(' | ')}`);
      assert.equal(findFact(facts, 'error', lines[1]), undefined);
    });
  }

  it('the newest run of a kind wins, whatever flag it has', () => {
    const facts = [
      run('cargo test --quiet -- --nocapture', 'Exit code 101\ntest result: FAILED. 3 passed; 4 failed'),
      run('cargo test 2>&1 | tail -5', 'Exit code 0\ntest result: ok. 7 passed; 0 failed'),
    ];
    assert.deepEqual(latest('test-state', ...facts), ['test result: ok. 7 passed; 0 failed']);
  });

  it('a run of another suite or package does not', () => {
    for (const [red, green] of [
      ['npx vitest run', 'npx playwright test'],
      ['cargo test -p core', 'cargo test -p cli'],
      ['npm test -- cart', 'npm test -- order'],
      ['npm run test:unit', 'npm run test:e2e'],
      ['go test ./internal/...', 'go test ./cmd/...'],
      ['cd web && npm test', 'cd api && npm test'],
    ] as const) {
      const facts = [run(red, 'Exit code 1\n2 failed, 3 passed'), run(green, 'Exit code 0\n5 passed')];
      assert.deepEqual(latest('test-state', ...facts), ['2 failed, 3 passed', '5 passed'], green);
    }
  });
});

describe('files that a search only named', () => {
  it('are not called read', () => {
    const search = run('rg -n total src', 'src/a.ts:3: total\nsrc/b.ts:9: total');
    assert.deepEqual(latest('file-read', search, call('read_file', { path: 'src/b.ts' }, 'x')), ['src/b.ts']);
  });
});

describe('a client that puts tools into user messages', () => {
  it('a command that the human ran is a command with its errors, a file that was added is a file read', () => {
    const ran = 'I ran this command:\n\nmake all\n\nAnd got this output:\n\nsrc/a.c:3:4: error: no such field';
    const added = 'I have *added these files to the chat* so you can edit them.\n\nsrc/b.c\n```\nint b;\n```\n';
    const facts = factsOf({ role: 'user', content: ran }, { role: 'user', content: added });
    assert.equal(findFact(facts, 'command', 'make all')?.value, 'make all');
    assert.ok(findFact(facts, 'error', 'no such field'));
    assert.equal(findFact(facts, 'file-read', 'src/b.c')?.strength, undefined);
  });
});
