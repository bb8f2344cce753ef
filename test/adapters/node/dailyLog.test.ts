import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { DailyLog, dailyLogName } from '../../../src/adapters/node/dailyLog.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { useFolder } from '../folder.ts';

const noon = new Date(2026, 2, 1, 12).getTime();

describe('the daily log', () => {
  const path = useFolder();
  let clock: number;
  let warnings: string[];
  const makeLog = (directory: string | (() => string)): DailyLog =>
    new DailyLog({
      directory: () => (typeof directory === 'string' ? directory : directory()),
      now: () => clock,
      onWarning: (message) => warnings.push(inEnglish(message)),
    });

  beforeEach(() => {
    clock = noon;
    warnings = [];
  });
  /** Writes lines together. */
  const write = (log: DailyLog, ...lines: readonly string[]): Promise<void> => {
    for (const line of lines) log.write(line);
    return log.flush();
  };

  it('makes its folder, also again, and appends to what another window wrote', async () => {
    const log = makeLog(path('a', 'b'));
    await write(log, 'one', 'two');
    rmSync(path('a'), { recursive: true });
    await write(log, 'three');
    appendFileSync(path('a/b/karl_2026-03-01.log'), 'theirs\n');
    await write(log, 'four');
    assert.equal(readFileSync(log.path(), 'utf8'), 'three\ntheirs\nfour\n');
    assert.deepEqual(warnings, []);
  });

  it('follows its folder, and waits for lines in an earlier one only at the end', async () => {
    let directory = path('share');
    const log = makeLog(() => directory);
    log.write('first');
    directory = path('new');
    await write(log, 'second');
    assert.equal(readFileSync(path('new', dailyLogName(clock)), 'utf8'), 'second\n');
    await log.flushAll();
    assert.equal(readFileSync(path('share', dailyLogName(clock)), 'utf8'), 'first\n');
  });

  it('rolls at local midnight and follows a clock that goes back', async () => {
    const log = makeLog(path());
    const midnight = new Date(2026, 2, 2).getTime();
    for (const [at, line] of [
      [midnight - 1, 'before'],
      [midnight, 'after'],
      [midnight - 1, 'back again'],
    ] as const) {
      clock = at;
      log.write(line);
    }
    await log.flush();
    assert.equal(readFileSync(path('karl_2026-03-01.log'), 'utf8'), 'before\nback again\n');
    assert.equal(readFileSync(path('karl_2026-03-02.log'), 'utf8'), 'after\n');
  });

  it('warns once when it cannot be written, and recovers', async () => {
    const blocked = path('logs');
    writeFileSync(blocked, 'a file stands where the folder should be');
    const log = makeLog(blocked);
    for (const line of ['one', 'two', 'three']) await write(log, line);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /cannot be written/);
    rmSync(blocked);
    await write(log, 'four');
    assert.equal(readFileSync(log.path(), 'utf8'), 'four\n');
    assert.equal(warnings.length, 1);
  });

  it('gives up in a folder where nothing can be created, such as /proc', async function () {
    if (process.platform !== 'linux') this.skip();
    await write(makeLog('/proc/karl/logs'), 'one');
    assert.match(warnings[0] ?? '', /cannot be written/);
  });

  for (const [what, make] of Object.entries<(place: string, target: string) => void>({
    'a link to a file': (place, target) => symlinkSync(target, place),
    'a link to nothing': (place, target) => symlinkSync(`${target}.new`, place),
    'a pipe': (place) => execFileSync('mkfifo', [place]),
    'a folder': (place) => mkdirSync(place),
  })) {
    it(`writes nothing to ${what} in its place, and says so once`, async function () {
      if (process.platform === 'win32') this.skip();
      const target = path('target');
      writeFileSync(target, 'mine');
      make(path(dailyLogName(clock)), target);
      const log = makeLog(path());
      for (const line of ['one', 'two']) await write(log, line);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', /cannot be written/);
      assert.equal(readFileSync(target, 'utf8'), 'mine');
      assert.ok(!readdirSync(path()).includes('target.new'));
    });
  }
});
