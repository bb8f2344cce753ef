import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { DailyLog } from '../../../src/adapters/node/dailyLog.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { wiresOf } from './wiresOf.ts';

const contentOf = (position: number): string => `${position}:${'x'.repeat(2_000)}`;
const say = (position: number): ChatMessage => ({ role: 'user', content: contentOf(position) });

describe('a disk that fills up', () => {
  let root: string;
  let mounted: string | undefined;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'karl-full-'));
    mounted = undefined;
  });
  afterEach(() => {
    if (mounted !== undefined) execFileSync('umount', [mounted]);
    rmSync(root, { recursive: true, force: true });
  });

  /** A real small disk; only root may make one. */
  function mountSmallDisk(): string | undefined {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
    const place = join(root, 'disk');
    mkdirSync(place);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'karl-test', place], { stdio: 'ignore' });
    } catch {
      return undefined; // not allowed here, e.g. in a container
    }
    mounted = place;
    return place;
  }

  it('loses nothing and repeats nothing: what was refused is written first when there is room again', async function () {
    const disk = mountSmallDisk();
    if (disk === undefined) this.skip();
    const warnings: string[] = [];
    const log = new DailyLog({
      directory: join(disk, 'logs'),
      now: () => 0,
      onWarning: (warning) => warnings.push(warning),
    });
    log.write('before');
    await log.flush();
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(150_000));
    const store = new ConversationFiles({ root: disk, now: () => 0 });
    const created = await store.create({ id: 'c1', title: 'full' });
    assert.ok(created.ok);
    const conversation = created.value;
    const kinds = new Set<string>();
    let refused = 0;
    for (let position = 0; position < 60; position += 1) {
      const written = await conversation.append([say(position)]);
      if (written.ok) continue;
      refused += 1;
      kinds.add(written.error.kind);
    }
    assert.ok(refused > 0 && refused < 60, `${refused} of 60 refused`);
    assert.deepEqual([...kinds], ['disk-full']);
    const saved = await conversation.save(
      { compactions: [], pins: [] },
      Array.from({ length: 60 }, (_, at) => say(at)),
    );
    assert.equal(saved.ok, false, 'the view does not fit either');
    for (let line = 0; line < 50; line += 1) log.write('y'.repeat(5_000));
    await log.flush();
    assert.equal(warnings.length, 1, 'said once');

    rmSync(join(disk, 'ballast'));
    rmSync(join(disk, 'logs'), { recursive: true });
    const after = await conversation.append([say(60)]);
    assert.ok(after.ok, JSON.stringify(after));
    await conversation.close();
    const again = await store.open('c1');
    assert.ok(again.ok);
    assert.deepEqual(
      wiresOf(again.value.stored).map((message) => message.content),
      Array.from({ length: 61 }, (_, position) => contentOf(position)),
    );
    assert.deepEqual(again.value.stored.problems, []);
    log.write('after');
    await log.flush();
    assert.equal(readFileSync(log.path(), 'utf8'), 'after\n');
  });

  it('leaves nothing of a conversation that could not be created, however little room was missing', async function () {
    const disk = mountSmallDisk();
    if (disk === undefined) this.skip();
    const store = new ConversationFiles({ root: disk, now: Date.now });
    const room = join(disk, 'ballast');
    assert.ok((await store.create({ id: 'before', title: 'before' })).ok);
    for (let left = 60_000; left > 0; left -= 4_096) {
      rmSync(room, { force: true });
      try {
        for (;;) appendFileSync(room, Buffer.alloc(4_096));
      } catch (error) {
        assert.match(String(error), /ENOSPC/);
      }
      truncateSync(room, statSync(room).size - (60_000 - left));
      const created = await store.create({ id: 'c1', title: 'full' });
      const listed = await store.list();
      assert.ok(listed.ok);
      const titles = listed.value.map(({ title }) => title);
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
      const created = await openStore().create({ id: 'c1', title: 'full' });
      assert.ok(created.ok && (await created.value.append([say(0)])).ok);
      await created.value.close();
      appendFileSync(join(disk, 'conversations/c1/conversation-raw.jsonl'), damage);
      const fill = () => {
        for (let size = 65_536; size >= 1; size /= 16) {
          try {
            for (;;) appendFileSync(join(disk, 'ballast'), Buffer.alloc(size));
          } catch (error) {
            assert.match(String(error), /ENOSPC/);
          }
        }
      };
      const checkReadable = async (kind: string): Promise<void> => {
        for (const takeOver of [false, true]) {
          const opened = await openStore().open('c1', { takeOver });
          assert.ok(opened.ok, JSON.stringify(opened));
          const { access, stored } = opened.value;
          assert.equal(access.kind, 'unwritable');
          assert.deepEqual(
            wiresOf(stored).map((message) => message.content),
            [contentOf(0)],
          );
          assert.deepEqual(
            stored.problems.map((problem) => problem.kind),
            [kind],
          );
          const written = await opened.value.append([say(1)]);
          assert.ok(!written.ok && written.error.kind === kind);
          await opened.value.close();
        }
        const renamed = await openStore().rename('c1', 'new title');
        assert.ok(!renamed.ok && renamed.error.kind === kind, JSON.stringify(renamed));
      };
      fill();
      await checkReadable('disk-full');
      rmSync(join(disk, 'ballast'));
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      await checkReadable('read-only');
      execFileSync('mount', ['-o', 'remount,rw', disk]);
      const opened = await openStore().open('c1');
      assert.ok(opened.ok);
      assert.equal(opened.value.access.kind, 'write', 'no trace of a lock was left');
      assert.equal(opened.value.stored.problems.length, damage === '' ? 0 : 1, 'the damage is told now');
      assert.ok((await opened.value.append([say(1)])).ok);
      await opened.value.close();
    });
  }

  it('loses nothing that was acknowledged when only this process may write no more', async function () {
    if (process.platform === 'win32') this.skip();
    const store = new ConversationFiles({ root, now: Date.now });
    const created = await store.create({ id: 'c1', title: 'limited' });
    assert.ok(created.ok);
    await created.value.close();
    const program = fileURLToPath(new URL('./writerProcess.ts', import.meta.url));
    const command = `ulimit -f 64 && exec "${process.execPath}" "${program}" "${root}" c1`;
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
    const opened = await store.open('c1');
    assert.ok(opened.ok);
    const messages = wiresOf(opened.value.stored);
    const { problems } = opened.value.stored;
    assert.ok(messages.length > last);
    messages.forEach((message, position) => {
      assert.equal(message.content, `${position}:${'x'.repeat((position * 7919) % 400)}`);
    });
    // The writer pins messages that were refused, too.
    for (const { kind } of problems) assert.ok(['torn-line', 'dropped-compaction'].includes(kind), kind);
    await opened.value.close();
  });
});
