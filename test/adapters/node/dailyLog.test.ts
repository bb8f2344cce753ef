import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DailyLog, dailyLogName } from '../../../src/adapters/node/dailyLog.ts';

const noon = new Date(2026, 2, 1, 12).getTime();

describe('the daily log', () => {
  let folder: string;
  let clock: number;
  let warnings: string[];
  const makeLog = (directory: string): DailyLog =>
    new DailyLog({ directory, now: () => clock, onWarning: (message) => warnings.push(message) });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'karl-log-'));
    clock = noon;
    warnings = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is named by the local date', () => {
    assert.equal(dailyLogName(new Date(2026, 0, 5, 0, 0, 0).getTime()), 'karl_2026-01-05.log');
    assert.equal(dailyLogName(new Date(2026, 0, 5, 23, 59, 59, 999).getTime()), 'karl_2026-01-05.log');
  });

  it('creates its folder and appends in order', async () => {
    const log = makeLog(join(folder, 'a', 'b'));
    log.write('one');
    log.write('two');
    await log.flush();
    log.write('three');
    await log.flush();
    assert.equal(readFileSync(log.path(), 'utf8'), 'one\ntwo\nthree\n');
    assert.deepEqual(warnings, []);
  });

  it('appends to what another window wrote', async () => {
    writeFileSync(join(folder, dailyLogName(clock)), 'theirs\n');
    const log = makeLog(folder);
    log.write('ours');
    await log.flush();
    assert.equal(readFileSync(log.path(), 'utf8'), 'theirs\nours\n');
  });

  it('rolls at local midnight and follows a clock that goes back', async () => {
    const log = makeLog(folder);
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
    assert.equal(readFileSync(join(folder, 'karl_2026-03-01.log'), 'utf8'), 'before\nback again\n');
    assert.equal(readFileSync(join(folder, 'karl_2026-03-02.log'), 'utf8'), 'after\n');
  });

  it('warns once when it cannot be written, and recovers', async () => {
    const blocked = join(folder, 'logs');
    writeFileSync(blocked, 'a file stands where the folder should be');
    const log = makeLog(blocked);
    for (const line of ['one', 'two', 'three']) {
      log.write(line);
      await log.flush();
    }
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /cannot be written/);
    rmSync(blocked);
    log.write('four');
    await log.flush();
    assert.equal(readFileSync(log.path(), 'utf8'), 'four\n');
    assert.equal(warnings.length, 1);
  });

  it('gives up in a folder where nothing can be created, such as /proc', async function () {
    if (process.platform !== 'linux') this.skip();
    const log = makeLog('/proc/karl/logs');
    log.write('one');
    await log.flush();
    assert.match(warnings[0] ?? '', /cannot be written/);
  });

  it('survives the removal of its folder', async () => {
    const log = makeLog(join(folder, 'logs'));
    log.write('one');
    await log.flush();
    rmSync(join(folder, 'logs'), { recursive: true });
    log.write('two');
    await log.flush();
    assert.equal(readFileSync(log.path(), 'utf8'), 'two\n');
    assert.deepEqual(readdirSync(join(folder, 'logs')), ['karl_2026-03-01.log']);
  });

  for (const [what, make] of Object.entries<(place: string, target: string) => void>({
    'a link to a file': (place, target) => symlinkSync(target, place),
    'a link to nothing': (place, target) => symlinkSync(`${target}.new`, place),
    'a pipe': (place) => execFileSync('mkfifo', [place]),
    'a folder': (place) => mkdirSync(place),
  })) {
    it(`writes nothing to ${what} in its place, and says so once`, async function () {
      if (process.platform === 'win32') this.skip();
      const target = join(folder, 'target');
      writeFileSync(target, 'mine');
      make(join(folder, dailyLogName(clock)), target);
      const log = makeLog(folder);
      for (const line of ['one', 'two']) {
        log.write(line);
        await log.flush();
      }
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', /cannot be written/);
      assert.equal(readFileSync(target, 'utf8'), 'mine');
      assert.ok(!readdirSync(folder).includes('target.new'));
    });
  }
});
