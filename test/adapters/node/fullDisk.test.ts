import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { DailyLog } from '../../../src/adapters/node/dailyLog.ts';
import type { Words } from '../../../src/core/phrase.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { useFolder } from '../folder.ts';
import { problem, say, textsOf, value, WRITER, writtenAt } from './kit.ts';

const contentOf = (position: number): string => `${position}:${'x'.repeat(2_000)}`;
const sayLong = (position: number) => say(contentOf(position));

describe('a disk that fills up', () => {
  let mounted: string | undefined;
  // Before the folder is removed, in which it is.
  afterEach(() => {
    if (mounted !== undefined) execFileSync('umount', [mounted]);
    mounted = undefined;
  });
  const path = useFolder();

  /** A real small disk; only root may make one. */
  function mountSmallDisk(): string | undefined {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
    mkdirSync(path('disk'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'karl-test', path('disk')], { stdio: 'ignore' });
    } catch {
      return undefined; // not allowed here, e.g. in a container
    }
    mounted = path('disk');
    return mounted;
  }

  /** Writes to a file, in pieces of this size, until the disk is full. */
  function fill(file: string, size: number): void {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch (error) {
      assert.match(String(error), /ENOSPC/);
    }
  }

  it('loses nothing and repeats nothing: what was refused is written first when there is room again', async function () {
    const disk = mountSmallDisk();
    if (disk === undefined) this.skip();
    const warnings: string[] = [];
    const onWarning = (warning: Words) => warnings.push(inEnglish(warning));
    const log = new DailyLog({ directory: () => join(disk, 'logs'), now: () => 0, onWarning });
    log.write('before');
    await log.flush();
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(150_000));
    const store = new ConversationFiles({ root: disk, now: () => 0 });
    const conversation = value(await store.create({ id: 'c1', title: 'full' }));
    const refused: string[] = [];
    const messages = Array.from({ length: 60 }, (_, position) => sayLong(position));
    for (const message of messages) {
      const written = await conversation.append([message]);
      if (!written.ok) refused.push(written.error.kind);
    }
    assert.ok(refused.length > 0 && refused.length < 60, `${refused.length} of 60 refused`);
    assert.deepEqual([...new Set(refused)], ['disk-full']);
    const saved = await conversation.save({ compactions: [], pins: [] }, messages);
    assert.equal(saved.ok, false, 'the view does not fit either');
    for (let line = 0; line < 50; line += 1) log.write('y'.repeat(5_000));
    await log.flush();
    assert.equal(warnings.length, 1, 'said once');

    rmSync(join(disk, 'ballast'));
    rmSync(join(disk, 'logs'), { recursive: true });
    value(await conversation.append([sayLong(60)]));
    await conversation.close();
    const again = value(await store.open('c1'));
    const expected = Array.from({ length: 61 }, (_, position) => contentOf(position));
    assert.deepEqual([textsOf(again), again.stored.problems], [expected, []]);
    log.write('after');
    await log.flush();
    assert.equal(readFileSync(log.path(), 'utf8'), 'after\n');
  });

  it('leaves nothing of a conversation that could not be created, however little room was missing', async function () {
    const disk = mountSmallDisk();
    if (disk === undefined) this.skip();
    const store = new ConversationFiles({ root: disk, now: Date.now });
    const room = join(disk, 'ballast');
    value(await store.create({ id: 'before', title: 'before' }));
    for (let left = 60_000; left > 0; left -= 4_096) {
      rmSync(room, { force: true });
      fill(room, 4_096);
      truncateSync(room, statSync(room).size - (60_000 - left));
      const created = await store.create({ id: 'c1', title: 'full' });
      const titles = value(await store.list()).map(({ title }) => title);
      assert.deepEqual(titles.sort(), created.ok ? ['before', 'full'] : ['before']);
      if (created.ok) return assert.ok(left < 60_000, 'the disk was full at first');
      assert.equal(created.error.kind, 'disk-full');
    }
    assert.fail('there was never room');
  });

  for (const [what, damage] of [
    ['whole', ''],
    ['with a torn last line', '{"v":1,"id":1,"at":'],
  ] as const) {
    it(`or is read-only hides no conversation, and is not taken for another window: ${what}`, async function () {
      const disk = mountSmallDisk();
      if (disk === undefined) this.skip();
      const openStore = () => new ConversationFiles({ root: disk, now: Date.now });
      const created = value(await openStore().create({ id: 'c1', title: 'full' }));
      value(await created.append([sayLong(0)]));
      await created.close();
      appendFileSync(join(disk, 'conversations/c1/conversation-raw.jsonl'), damage);
      const checkReadable = async (kind: string): Promise<void> => {
        for (const takeOver of [false, true]) {
          const opened = value(await openStore().open('c1', { takeOver }));
          const told = opened.stored.problems.map((one) => one.kind);
          assert.deepEqual([opened.access.kind, textsOf(opened), told], ['unwritable', [contentOf(0)], [kind]]);
          assert.equal(problem(await opened.append([sayLong(1)])).kind, kind);
          await opened.close();
        }
        assert.equal(problem(await openStore().rename('c1', 'new title')).kind, kind);
      };
      for (let size = 65_536; size >= 1; size /= 16) fill(join(disk, 'ballast'), size);
      await checkReadable('disk-full');
      rmSync(join(disk, 'ballast'));
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      await checkReadable('read-only');
      execFileSync('mount', ['-o', 'remount,rw', disk]);
      const opened = value(await openStore().open('c1'));
      assert.equal(opened.access.kind, 'write', 'no trace of a lock was left');
      assert.equal(opened.stored.problems.length, damage === '' ? 0 : 1, 'the damage is told now');
      value(await opened.append([sayLong(1)]));
      await opened.close();
    });
  }

  it('loses nothing that was acknowledged when only this process may write no more', async function () {
    if (process.platform === 'win32') this.skip();
    const store = new ConversationFiles({ root: path(), now: Date.now });
    await value(await store.create({ id: 'c1', title: 'limited' })).close();
    const command = `ulimit -f 64 && exec "${process.execPath}" "${WRITER}" "${path()}" c1`;
    const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
    let last = -1;
    let refused = 0;
    for await (const line of createInterface(child.stdout)) {
      if (line.startsWith('ack ')) last = Number(line.slice(4));
      if (line === 'refused') refused += 1;
      if (refused === 5) child.kill('SIGKILL');
    }
    assert.ok(refused >= 5, `${refused} refused`);
    assert.ok(last > 10, `acknowledged up to ${last}`);
    const opened = value(await store.open('c1'));
    const texts = textsOf(opened);
    assert.ok(texts.length > last);
    for (const [position, text] of texts.entries()) assert.equal(text, writtenAt(position));
    // The writer pins messages that were refused, too.
    for (const { kind } of opened.stored.problems) assert.ok(['torn-line', 'dropped-compaction'].includes(kind), kind);
    await opened.close();
  });
});
