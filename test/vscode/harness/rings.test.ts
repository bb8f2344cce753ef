import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { useFolder } from '../../adapters/folder.ts';
import { root } from '../setup/root.ts';
import { RINGS, runRing, TIMES } from './rings.ts';
import { describeResults, NO_TESTS, readTestCount, type TestCount } from './testCount.ts';

/** Fails until a file is there, which its first try makes. */
const MOODY = (file: string) => `
  import fs from 'node:fs';
  describe('${path.basename(file)}', () => {
    it('is fine', () => {});
    it('fails at first', async () => {
      if (fs.existsSync(${JSON.stringify(file)})) return;
      fs.writeFileSync(${JSON.stringify(file)}, '');
      throw new Error('the click came too early');
    });
    it('fails always', () => { throw new Error('it is broken'); });
  });
`;

describe('a test that passes only at its second try', () => {
  const inFolder = useFolder();

  function run(words: readonly string[], suite = MOODY): TestCount {
    for (const name of ['one', 'two']) {
      fs.writeFileSync(inFolder(`${name}.test.mjs`), suite(inFolder(name)));
    }
    const result = inFolder('count.json');
    const files = ['one', 'two'].map((name) => path.relative(root, inFolder(`${name}.test.mjs`)));
    const counting = ['--reporter', 'test/vscode/harness/testCount.ts', '--reporter-option', `result=${result}`];
    const mocha = 'node_modules/mocha/bin/mocha.js';
    const child = spawnSync(process.execPath, [mocha, ...counting, ...words, ...files], { cwd: root });
    assert.notEqual(child.status, 0, child.stderr.toString());
    const count = readTestCount(result);
    assert.ok(count, child.stderr.toString());
    return count;
  }

  for (const [mode, where] of Object.entries({ '--no-parallel': 'in turn', '--parallel': 'side by side' })) {
    it(`counts once and is reported with its first error (${where})`, () => {
      const count = run([mode, '--retries', '1']);
      assert.deepEqual([count.passed, count.failed], [4, 2]);
      const ofBoth = (said: string) => [`one ${said}`, `two ${said}`];
      assert.deepEqual([...count.secondTries].sort(), ofBoth('fails at first: the click came too early'));
      const failure = 'fails always: it is broken (at the first try: it is broken)';
      assert.deepEqual([...count.failures].sort(), ofBoth(failure));
    });
  }

  it('is no longer looked for after five failures of a process: something that all need is broken', () => {
    const broken = "for (const test of [1, 2, 3]) it('breaks ' + test, () => { throw new Error('broken'); });";
    const count = run(['--no-parallel', '--retries', '1'], () => broken);
    assert.equal(count.failed, 6);
    const tried = count.failures.filter((failure) => failure.includes('at the first try'));
    assert.equal(tried.length, 5, count.failures.join('\n'));
  });

  it('is a failure where nothing is tried again, as in the rings that drive neither an editor nor a browser', () => {
    const count = run(['--parallel']);
    assert.deepEqual([count.passed, count.failed, count.secondTries], [2, 4, []]);
    const retried = Object.entries(RINGS).filter(([, { steps }]) => steps.some((step) => 'retries' in step));
    assert.equal(retried.map(([name]) => name).join(), 'webview,host,ui,programs,commands');
  });

  it('is named above the totals, which stay the last line', () => {
    const count = { ...NO_TESTS, passed: 7, skipped: 1, secondTries: ['a click opens a box: 60 s were not enough'] };
    const broken = { ...NO_TESTS, passed: 2, failed: 1, failures: ['a key is kept: it is lost'] };
    const rings = [
      { name: 'ui', count, seconds: 60 },
      { name: 'unit', count: broken, seconds: 5 },
    ];
    const lines = describeResults(rings, 61).split('\n');
    assert.deepEqual(lines, [
      'FAILED a key is kept: it is lost',
      'passed at the second try: a click opens a box: 60 s were not enough',
      '',
      'ui       7 passed, 0 failed, 1 at the second try, 1 skipped (60 s)',
      'unit     2 passed, 1 failed (5 s)',
      'all      61 s',
      '9 passed, 1 failed',
    ]);
  });
});

it('every ring has its time, once', () => {
  const timed = TIMES.flatMap(({ busy, waiting }) => [...busy, ...waiting]);
  assert.deepEqual(timed.toSorted(), Object.keys(RINGS).toSorted());
});

describe('a ring that drives a browser', () => {
  const named = process.env.KARL_BROWSER;
  afterEach(() => {
    if (named === undefined) delete process.env.KARL_BROWSER;
    else process.env.KARL_BROWSER = named;
  });

  it('looks for it once, before its tests run side by side, and is one failure where there is none', async () => {
    process.env.KARL_BROWSER = '/nowhere/chromium';
    for (const ring of [RINGS.webview, RINGS.ui]) {
      const { passed, failures } = await runRing(ring);
      assert.equal(passed, 0);
      assert.deepEqual(failures, ['KARL_BROWSER names /nowhere/chromium, which does not exist.']);
    }
  });
});
