import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { DailyLog, dailyLogName } from '../../../src/adapters/node/dailyLog.ts';
import { openOwnFile } from '../../../src/adapters/node/ownFile.ts';

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

  it('says once that the disk is full', async () => {
    const log = makeLog(folder);
    const handle = await open(join(folder, 'other'), 'w');
    await handle.close();
    const full = () => Promise.reject(new Error('ENOSPC: no space left on device, write'));
    const write = mock.method(Object.getPrototypeOf(handle), 'appendFile', full);
    try {
      for (const line of ['one', 'two']) {
        log.write(line);
        await log.flush();
      }
    } finally {
      write.mock.restore();
    }
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /ENOSPC/);
  });
});

describe('a file of Karl', () => {
  let folder: string;
  const append = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  const refused = async (path: string, reason: RegExp) => {
    await assert.rejects(openOwnFile(path, append), reason);
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'karl-own-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is not written through a link, whether or not the file that it leads to exists', async () => {
    const profile = join(folder, '.bashrc');
    const link = join(folder, 'link');
    symlinkSync(profile, link);
    await refused(link, /is a link/);
    assert.ok(!existsSync(profile));
    writeFileSync(profile, '');
    await refused(link, /is a link/);
    const warnings: string[] = [];
    symlinkSync(profile, join(folder, dailyLogName(noon)));
    const log = new DailyLog({ directory: folder, now: () => noon, onWarning: (message) => warnings.push(message) });
    log.write('$(touch /tmp/owned)');
    await log.flush();
    assert.match(warnings[0] ?? '', /cannot be written: .* is a link/);
    assert.equal(readFileSync(profile, 'utf8'), '');
  });

  it('is a regular file: a pipe without a reader is refused at once', async function () {
    if (process.platform === 'win32') this.skip();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await refused(pipe, /ENXIO|not a regular file/);
    await refused('/dev/full', /not a regular file/);
  });

  it('is not in a folder of another user in which everybody may write', async function () {
    const { getuid } = process;
    if (getuid === undefined) this.skip();
    chmodSync(folder, 0o777);
    const path = join(folder, 'log');
    await (await openOwnFile(path, append)).close();
    process.getuid = () => getuid() + 1;
    try {
      await refused(path, /another user/);
      chmodSync(folder, 0o755);
      await (await openOwnFile(path, append)).close();
    } finally {
      process.getuid = getuid;
    }
  });
});
