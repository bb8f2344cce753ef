import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { renamePatiently, replaceFile } from '../../../src/adapters/node/durableWrite.ts';
import { loadConversation } from '../../../src/adapters/node/loadConversation.ts';
import { ForeignWriteError, TranscriptWriter } from '../../../src/adapters/node/transcriptWriter.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import type { OpenConversation } from '../../../src/core/session/conversationStore.ts';
import { cases, SEED } from '../../attack/seed.ts';
import { seeded } from '../tiktoken/randomText.ts';
import { wiresOf } from './wiresOf.ts';

const STOPS = cases(24, 2);
const LANES = 3;

const say = (content: string): ChatMessage => ({ role: 'user', content });

describe('a take-over while a write is paused', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'karl-pause-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const openStore = (): ConversationFiles => new ConversationFiles({ root, now: () => 0 });

  async function createWith(content: string): Promise<OpenConversation> {
    const created = await openStore().create({ id: 'c1', title: 'paused' });
    assert.ok(created.ok && (await created.value.append([say(content)])).ok);
    return created.value;
  }

  async function takeOver(...contents: string[]): Promise<OpenConversation> {
    const taken = await openStore().open('c1', { takeOver: true });
    assert.ok(taken.ok);
    for (const content of contents) assert.ok((await taken.value.append([say(content)])).ok);
    return taken.value;
  }

  async function readAll(): Promise<{ contents: unknown[]; problems: number }> {
    const opened = await openStore().open('c1');
    assert.ok(opened.ok);
    const messages = wiresOf(opened.value.stored);
    const { problems } = opened.value.stored;
    await opened.value.close();
    return { contents: messages.map(({ content }) => content), problems: problems.length };
  }

  /** The writer looks at the lock once before it writes and once before it acknowledges. */
  for (const [when, pausedAt] of [
    ['after the lock was looked at', 1],
    ['before it is acknowledged', 2],
  ] as const) {
    it(`${when} overwrites nothing and acknowledges nothing, and the new writer goes on`, async () => {
      const first = await createWith('one');
      const folder = join(root, 'conversations', 'c1');
      const loaded = await loadConversation(folder, 'read');
      let second: OpenConversation | undefined;
      let looks = 0;
      const writer = new TranscriptWriter({
        path: join(folder, 'conversation-raw.jsonl'),
        ...loaded,
        mayWrite: async () => {
          looks += 1;
          const held = second === undefined;
          if (looks === pausedAt) second = await takeOver('theirs');
          return pausedAt === 1 ? held : second === undefined;
        },
      });
      writer.queueMessages([say('late')], 0);
      await assert.rejects(
        writer.flush(async () => undefined),
        ForeignWriteError,
      );
      assert.ok(second !== undefined && (await second.append([say('more')])).ok);
      await second.close();
      await first.close();
      const { contents, problems } = await readAll();
      assert.deepEqual(
        contents.filter((content) => content !== 'late'),
        ['one', 'theirs', 'more'],
      );
      assert.equal(problems, 0);
    });
  }

  it('while it opens the conversation, replaces nothing that was acknowledged since, and only reads', async () => {
    await (await createWith('one')).close();
    const lock = join(root, 'conversations', 'c1', 'conversation.lock');
    writeFileSync(lock, JSON.stringify({ pid: 0, host: 'gone', instance: 'x', token: 'x' }));
    utimesSync(lock, 0, 0);
    let second: OpenConversation | undefined;
    const readFile = fs.readFile;
    // Paused once it has read the transcript.
    mock.method(fs, 'readFile', async (...given: Parameters<typeof readFile>) => {
      const content = await readFile(...given);
      if (String(given[0]).endsWith('raw.jsonl')) {
        mock.restoreAll();
        syncBuiltinESMExports();
        second = await takeOver('theirs');
      }
      return content;
    });
    syncBuiltinESMExports();
    try {
      const first = await openStore().open('c1');
      assert.ok(first.ok && first.value.access.kind === 'read-only');
      assert.deepEqual(
        wiresOf(first.value.stored).map(({ content }) => content),
        ['one', 'theirs'],
      );
      await first.value.close();
    } finally {
      mock.restoreAll();
      syncBuiltinESMExports();
    }
    const { contents } = await readAll();
    assert.deepEqual(contents, ['one', 'theirs']);
    await second?.close();
  });

  it('leaves a file that was saved since in its place', async () => {
    const path = join(root, 'summary.json');
    await replaceFile(path, 'old');
    const late = replaceFile(path, 'late', async () => {
      await replaceFile(path, 'theirs');
      throw new ForeignWriteError('taken over');
    });
    await assert.rejects(late, ForeignWriteError);
    assert.equal(readFileSync(path, 'utf8'), 'theirs');
    assert.deepEqual(readdirSync(root), ['summary.json']);
  });

  it('replaces a file that something else has open for a moment, as Windows tells it', async () => {
    const codes = ['EPERM', 'EBUSY', 'EACCES'];
    const move = async () => {
      const code = codes.shift();
      if (code !== undefined) throw Object.assign(new Error(code), { code });
    };
    await renamePatiently('from', 'to', move);
    assert.deepEqual(codes, []);
    const missing = async () => Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' }));
    await assert.rejects(renamePatiently('from', 'to', missing), /gone/);
  });

  it(`at ${STOPS} random points of a process loses nothing that either acknowledged, seed ${SEED}`, async function () {
    if (process.platform === 'win32') this.skip();
    this.timeout(300_000);
    const program = join(root, 'writer.mjs');
    const source = fileURLToPath(new URL('./writerProcess.ts', import.meta.url));
    buildSync({ entryPoints: [source], bundle: true, platform: 'node', format: 'esm', outfile: program });
    const lane = async (number: number): Promise<void> => {
      const id = `lane-${number}`;
      const below = seeded(SEED + number);
      const store = new ConversationFiles({ root, now: Date.now });
      const created = await store.create({ id, title: 'paused' });
      assert.ok(created.ok);
      await created.value.close();
      const expected = new Map<number, string>();
      for (let stop = 0; stop < STOPS / LANES; stop += 1) {
        const delayMs = below(12_000) / 1000;
        const child = spawn(process.execPath, [program, root, id], { stdio: ['ignore', 'pipe', 'inherit'] });
        const ended = once(child, 'close');
        const stopped = Promise.withResolvers<void>();
        let output = '';
        child.stdout.setEncoding('utf8');
        child.stdout.on('data', (text: string) => {
          const isFirst = !output.includes('ack') && (output + text).includes('ack');
          output += text;
          if (isFirst) setTimeout(() => stopped.resolve(void child.kill('SIGSTOP')), delayMs);
        });
        try {
          await stopped.promise;
          const taken = await store.open(id, { takeOver: true });
          assert.ok(taken.ok && taken.value.access.kind === 'write');
          let next = taken.value.stored.transcript.messages.length;
          const appendMine = async (): Promise<void> => {
            assert.ok((await taken.value.append([say(`mine ${next}`)])).ok, `stopped after ${delayMs} ms`);
            expected.set(next, `mine ${next}`);
            next += 1;
          };
          await appendMine();
          child.kill('SIGCONT');
          await ended;
          await appendMine();
          await taken.value.close();
        } finally {
          child.kill('SIGKILL');
        }
        for (const [, position] of output.matchAll(/^ack (\d+)$/gm))
          expected.set(Number(position), `${position}:${'x'.repeat((Number(position) * 7919) % 400)}`);
        const opened = await store.open(id);
        assert.ok(opened.ok);
        const messages = wiresOf(opened.value.stored);
        const { problems } = opened.value.stored;
        for (const [position, content] of expected) assert.equal(messages[position]?.content, content);
        assert.deepEqual(problems, []);
        await opened.value.close();
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
  });
});
