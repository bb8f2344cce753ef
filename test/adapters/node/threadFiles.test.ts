import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { LOCK_FILE } from '../../../src/adapters/node/loadConversation.ts';
import { ThreadFiles } from '../../../src/adapters/node/threadFiles.ts';
import type { Threads } from '../../../src/core/session/threads/threads.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { assistant, tool, user } from '../../core/conversation/kit.ts';
import { makeThreads, request, send, start, viewOf } from '../../core/session/threads/kit.ts';
import { useFolder } from '../folder.ts';

/** A history that a compaction can shorten. */
const LONG = Array.from({ length: 40 }, (_, turn) =>
  tool(`c${turn}`, 'read', { path: `${turn}.ts` }, `line of code ${turn}\n`.repeat(200)),
).flat();

describe('stored threads', () => {
  const path = useFolder();
  let told: string[];
  let files: ThreadFiles;
  const openFiles = (): ThreadFiles =>
    new ThreadFiles({ root: path(), now: () => Date.now(), onProblem: (message) => told.push(inEnglish(message)) });
  const openThreads = (store = files, mostOpen = 16): Threads => {
    let made = 0;
    return makeThreads({
      store,
      mostOpen,
      now: () => Date.now(),
      newId: () => `${process.pid}-${store === files ? 'a' : 'b'}${++made}`,
      onProblem: (message) => told.push(inEnglish(message)),
    });
  };
  const pathOf = (id: string, name: string): string => path('threads', id, name);

  beforeEach(() => {
    told = [];
    files = openFiles();
  });

  it('come back in another process as they were: messages, compactions, pins, what is hidden', async () => {
    const messages = [...start('a'), ...LONG];
    const threads = openThreads();
    const match = await threads.match(request(messages));
    assert.ok(match.kind === 'thread');
    match.hide(tool('k1', 'karl_recall', { query: 't3' }, 'what it was'));
    assert.equal((await match.conversation.compact({ trigger: 'threshold' })).kind, 'compacted');
    match.conversation.pin(1);
    const view = viewOf(match);
    assert.equal(await match.release(), undefined);
    assert.deepEqual(await threads.saveAll(), []);
    const again = await send(openThreads(openFiles()), [...messages, assistant('Done.')]);
    assert.deepEqual([again.id, [...again.conversation.pins()]], [match.id, [1]]);
    assert.equal(JSON.stringify(viewOf(again)), JSON.stringify([...view, assistant('Done.')]));
    assert.deepEqual(told, []);
  });

  it('keep what was undone: it can be redone, and no run begins by itself, also after they left memory', async () => {
    const messages = [...start('a'), ...LONG];
    const threads = openThreads();
    const match = await send(threads, messages);
    assert.equal((await match.conversation.compact({ trigger: 'command' })).kind, 'compacted');
    const [record] = match.conversation.compactions();
    assert.equal(match.conversation.undo(), true);
    const due = match.conversation.due();
    await match.release();
    assert.deepEqual(await threads.saveAll(), []);
    const again = await send(openThreads(openFiles()), [...messages, assistant('Done.')]);
    assert.equal(again.conversation.due(), due);
    assert.equal(again.conversation.redo(), true);
    assert.equal(again.conversation.compactions()[0]?.id, record?.id);
  });

  it('are on the disk after each request, even when the process then ends abruptly', async () => {
    const first = await send(openThreads(), start('a'));
    const raw = () => readFileSync(pathOf(first.id, 'conversation-raw.jsonl'), 'utf8').trim().split('\n').length;
    assert.equal(raw(), 2);
    await send(openThreads(), [...start('a'), assistant('Done.'), user('Thanks.')]);
    assert.equal(raw(), 4);
  });

  it('have each message once, also after a write that failed', async () => {
    const threads = openThreads();
    const first = await threads.match(request(start('a')));
    assert.equal(await first.release(), undefined);
    assert.ok(first.kind === 'thread');
    const raw = pathOf(first.id, 'conversation-raw.jsonl');
    renameSync(raw, `${raw}.away`);
    mkdirSync(raw);
    const messages = [...start('a'), assistant('Done.'), user('Thanks.')];
    assert.match(inEnglish((await (await threads.match(request(messages))).release()) ?? ''), /conversation-raw/);
    rmSync(raw, { recursive: true });
    renameSync(`${raw}.away`, raw);
    const last = await threads.match(request([...messages, assistant('Gladly.'), user('Go on.')]));
    assert.equal(await last.release(), undefined);
    const lines = readFileSync(raw, 'utf8').trim().split('\n');
    const said = lines.map((line): unknown => JSON.parse(line).message.content);
    assert.deepEqual(said, ['You help.', 'Fix a.', 'Done.', 'Thanks.', 'Gladly.', 'Go on.']);
  });

  it('that were only compared with a request do not count as used, and are free for others afterwards', async () => {
    const threads = openThreads();
    const first = await send(threads, [...start('a'), assistant('Done.'), user('And now b.')]);
    assert.deepEqual(await threads.saveAll(), []);
    const summary = () => readFileSync(pathOf(first.id, 'session-summary.json'), 'utf8');
    const before = summary();
    const others = openThreads(openFiles());
    const other = await send(others, [...start('a'), assistant('No, it is right as it is.'), user('Then c.')]);
    assert.notEqual(other.id, first.id);
    assert.ok(existsSync(pathOf(first.id, LOCK_FILE)), 'it was compared');
    assert.deepEqual(await others.saveAll(), []);
    assert.equal(summary(), before);
    assert.equal(existsSync(pathOf(first.id, LOCK_FILE)), false);
  });

  it('that another process works with are not touched: the request gets one of its own', async () => {
    const here = await send(openThreads(), start('a'));
    const there = await send(openThreads(openFiles()), [...start('a'), assistant('Done.')]);
    assert.notEqual(there.id, here.id);
    assert.deepEqual([told.length, told[0]?.includes(here.id)], [1, true]);
  });

  it('with a damaged record are reported and left alone', async () => {
    const threads = openThreads();
    const { id } = await send(threads, start('a'));
    await threads.saveAll();
    writeFileSync(pathOf(id, 'thread.json'), '{"id":');
    const next = await send(openThreads(openFiles()), start('a'));
    assert.deepEqual([next.id === id, told.length], [false, 1]);
    assert.match(told[0] ?? '', /thread\.json is damaged/);
    assert.ok(readdirSync(path('threads')).includes(id));
  });

  it('beyond the limits are deleted, but never one in use', async () => {
    const threads = openThreads(files, 1);
    const [one, two] = [await send(threads, start('a')), await send(threads, start('b'))];
    const deleted = await threads.deleteStored(() => files.prune({ bytes: 1 }));
    assert.deepEqual(deleted.ok && deleted.value, [one.id]);
    const ids = threads.list().map(({ id }) => id);
    assert.deepEqual(ids, [two.id]);
    assert.notEqual((await send(threads, start('a'))).id, one.id);
    assert.deepEqual(told, []);
  });
});
