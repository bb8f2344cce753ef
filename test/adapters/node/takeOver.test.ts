import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { ConversationFile } from '../../../src/adapters/node/conversationFile.ts';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { acquireLock, ForeignWriteError, type Lock } from '../../../src/adapters/node/conversationLock.ts';
import { renamePatiently, replaceFile } from '../../../src/adapters/node/durableWrite.ts';
import { loadConversation } from '../../../src/adapters/node/loadConversation.ts';
import { cases, SEED } from '../../attack/seed.ts';
import { useFolder } from '../folder.ts';
import { seeded } from '../tiktoken/randomText.ts';
import { bundleWriter, problem, say, startWriter, textsOf, value, writtenAt } from './kit.ts';

const STOPS = cases(24, 2);
const LANES = 3;

describe('a take-over while a write is paused', () => {
  const path = useFolder();
  const openStore = (): ConversationFiles => new ConversationFiles({ root: path(), now: () => 0 });

  async function createWith(content: string): Promise<ConversationFile> {
    const created = value(await openStore().create({ id: 'c1', title: 'paused' }));
    value(await created.append([say(content)]));
    return created;
  }

  async function takeOver(content: string): Promise<ConversationFile> {
    const taken = value(await openStore().open('c1', { takeOver: true }));
    value(await taken.append([say(content)]));
    return taken;
  }

  async function readAll(): Promise<{ contents: unknown[]; problems: number }> {
    const opened = value(await openStore().open('c1'));
    await opened.close();
    return { contents: textsOf(opened), problems: opened.stored.problems.length };
  }

  /** The writer looks at the lock first, once it has opened the file, and before it acknowledges. */
  for (const [when, pausedAt] of [
    ['before the file is opened', 1],
    ['after the lock was looked at', 2],
    ['before it is acknowledged', 3],
  ] as const) {
    it(`${when} overwrites nothing and acknowledges nothing, and the new writer goes on`, async () => {
      const first = await createWith('one');
      const folder = path('conversations', 'c1');
      let second: ConversationFile | undefined;
      let looks = 0;
      const state = async () => {
        looks += 1;
        const held = second === undefined ? 'held' : 'lost';
        if (looks === pausedAt) second = await takeOver('theirs');
        return pausedAt < 3 ? held : second === undefined ? 'held' : 'lost';
      };
      const paused = new ConversationFile({
        ...{ id: 'c1', folder, loaded: await loadConversation(folder), now: () => 0, onClosed: () => undefined },
        lock: { wasTaken: false, state, restore: async () => true, release: async () => undefined },
      });
      assert.equal(problem(await paused.append([say('late')])).kind, 'lock-lost');
      assert.equal(looks, pausedAt === 3 ? 3 : pausedAt + 1);
      assert.ok(second !== undefined && (await second.append([say('more')])).ok);
      await second.close();
      await first.close();
      const { contents, problems } = await readAll();
      const others = contents.filter((content) => content !== 'late');
      assert.deepEqual(others, ['one', 'theirs', 'more']);
      assert.equal(problems, 0);
    });
  }

  it('while it opens the conversation, replaces nothing that was acknowledged since, and only reads', async () => {
    await (await createWith('one')).close();
    const lock = path('conversations', 'c1', 'conversation.lock');
    writeFileSync(lock, JSON.stringify({ pid: 0, host: 'gone', instance: 'x', token: 'x' }));
    utimesSync(lock, 0, 0);
    let second: ConversationFile | undefined;
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
      const first = value(await openStore().open('c1'));
      assert.deepEqual([first.access.kind, textsOf(first)], ['read-only', ['one', 'theirs']]);
      await first.close();
    } finally {
      mock.restoreAll();
      syncBuiltinESMExports();
    }
    const { contents } = await readAll();
    assert.deepEqual(contents, ['one', 'theirs']);
    await second?.close();
  });

  it('that fails for lack of free file descriptors removes nobody’s lock', async () => {
    const held = (await acquireLock(path('lock'))) as Lock;
    mock.method(fs, 'open', () => Promise.reject(Object.assign(new Error('too many open files'), { code: 'EMFILE' })));
    syncBuiltinESMExports();
    try {
      await assert.rejects(acquireLock(path('lock')), /too many open files/);
    } finally {
      mock.restoreAll();
      syncBuiltinESMExports();
    }
    assert.equal(await held.state(), 'held');
    await held.release();
  });

  it('leaves a file that was saved since in its place', async () => {
    const file = path('summary.json');
    await replaceFile(file, 'old');
    const late = replaceFile(file, 'late', async () => {
      await replaceFile(file, 'theirs');
      throw new ForeignWriteError('taken over');
    });
    await assert.rejects(late, ForeignWriteError);
    assert.equal(readFileSync(file, 'utf8'), 'theirs');
    assert.deepEqual(readdirSync(path()), ['summary.json']);
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
    const program = bundleWriter(path('writer.mjs'));
    const lane = async (number: number): Promise<void> => {
      const id = `lane-${number}`;
      const below = seeded(SEED + number);
      const store = new ConversationFiles({ root: path(), now: Date.now });
      await value(await store.create({ id, title: 'paused' })).close();
      const expected = new Map<number, string>();
      for (let stop = 0; stop < STOPS / LANES; stop += 1) {
        const delayMs = below(12_000) / 1000;
        const stopped = Promise.withResolvers<boolean>();
        const { child, acknowledged } = startWriter([program, path(), id], delayMs, (writer) =>
          stopped.resolve(writer.kill('SIGSTOP')),
        );
        const ended = once(child, 'close');
        try {
          await stopped.promise;
          const taken = value(await store.open(id, { takeOver: true }));
          assert.equal(taken.access.kind, 'write');
          let next = taken.stored.transcript.messages.length;
          const appendMine = async (): Promise<void> => {
            assert.ok((await taken.append([say(`mine ${next}`)])).ok, `stopped after ${delayMs} ms`);
            expected.set(next, `mine ${next}`);
            next += 1;
          };
          await appendMine();
          child.kill('SIGCONT');
          await ended;
          await appendMine();
          await taken.close();
        } finally {
          child.kill('SIGKILL');
        }
        for (const position of acknowledged()) expected.set(position, writtenAt(position));
        const opened = value(await store.open(id));
        const texts = textsOf(opened);
        for (const [position, content] of expected) assert.equal(texts[position], content);
        assert.deepEqual(opened.stored.problems, []);
        await opened.close();
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
  });
});
