import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../../src/core/chat/wire.ts';
import { inEnglish } from '../../../../src/language/language.ts';
import { assistant, tool, user } from '../../conversation/kit.ts';
import { MemoryStore, makeThreads, request, send, start, viewOf } from './kit.ts';

describe('Threads and their store', () => {
  it('a request adds only what is new to the store', async () => {
    const store = new MemoryStore();
    const threads = makeThreads({ store });
    await send(threads, start('a'));
    await send(threads, [...start('a'), assistant('Done.'), user('Thanks.')]);
    await send(threads, [...start('a'), assistant('Done.'), user('Thanks.')]);
    const saved = store.saved.map(({ appended, beside }) => [appended, beside?.view]);
    const added = [assistant('Done.'), user('Thanks.')];
    assert.deepEqual(saved[0], [start('a'), start('a')]);
    assert.deepEqual(saved.slice(1), [[added, undefined]]);
    const [record] = threads.list();
    assert.deepEqual([record?.title, record?.hasTools], ['Fix a.', true]);
  });

  it('a reply that has not come back is still expected after its thread left memory', async () => {
    const store = new MemoryStore();
    const threads = makeThreads({ store });
    const match = await threads.match(request(start('a')));
    assert.ok(match.kind === 'thread');
    const [call, recall] = tool('k1', 'karl_recall', { query: 't3' }, 'what it was') as [ChatMessage, ChatMessage];
    const [own, answer] = tool('c1', 'read', { path: 'a.ts' }, 'one line') as [ChatMessage, ChatMessage];
    const both = { ...own, tool_calls: [...(own.tool_calls ?? []), ...(call.tool_calls ?? [])] };
    match.replied({ sent: own, recorded: [both, recall] });
    await match.release();
    await threads.saveAll();
    const next = await send(makeThreads({ store }), [...start('a'), own, answer]);
    assert.deepEqual([next.id, viewOf(next)], [match.id, [...start('a'), both, recall, answer]]);
  });

  it('a thread at work stays in memory; one that cannot be stored does too, and that is reported', async () => {
    const store = new MemoryStore();
    const threads = makeThreads({ store, mostOpen: 0 });
    const held = await threads.match(request(start('a')));
    store.problem = 'The disk is full.';
    const other = await threads.match(request(start('b')));
    assert.equal(await other.release(), 'The disk is full.');
    store.problem = undefined;
    const next = await send(threads, [...start('b'), assistant('Done.')]);
    assert.equal(next.id, other.id);
    assert.ok(held.kind === 'thread' && store.saved.every(({ record }) => record.id !== held.id));
    assert.equal(await held.release(), undefined);
    assert.equal(store.closed.at(-1), held.id);
  });

  it('one that cannot be read is reported, and its next request starts again with all that it says', async () => {
    const store = new MemoryStore();
    await send(makeThreads({ store }), start('a'));
    const told: string[] = [];
    const broken = Object.assign(new MemoryStore(), { list: () => store.list() });
    const threads = makeThreads({ store: broken, onProblem: (message) => told.push(inEnglish(message)) });
    const next = [...start('a'), assistant('Done.'), user('Thanks.')];
    const match = await send(threads, next);
    assert.deepEqual([viewOf(match), told], [next, ['there is no thread thread1']]);
  });

  it('shows what is stored: its list, its conversations', async () => {
    const store = new MemoryStore();
    await send(makeThreads({ store }), start('a'), { client: 'pi', hint: 'chat7' });
    const threads = makeThreads({ store });
    await threads.load();
    const [record] = threads.list();
    const { id, client, hint, profile } = record ?? assert.fail();
    assert.deepEqual([id, client, hint, profile.id], ['thread1', 'pi', 'chat7', 'test']);
    const use = await threads.use('thread1');
    assert.deepEqual(use?.conversation.request(), start('a'));
    assert.equal(await use?.release(), undefined);
    assert.equal(await threads.use('other'), undefined);
  });

  it('takes in a long request with pauses, also when its thread comes from the store', async () => {
    let [pauses, time] = [0, 0];
    const slicing = {
      // Every step takes longer than a slice.
      elapsed: () => (time += 1_000),
      pause: async () => {
        pauses += 1;
      },
    };
    const store = new MemoryStore();
    const messages = Array.from({ length: 1_000 }, (_, index) =>
      index % 2 === 0 ? user(`question ${index}`) : assistant(`answer ${index}`),
    );
    await send(makeThreads({ slicing, store }), messages);
    // Checked and printed, a few messages at a time.
    assert.ok(pauses >= 250, `${pauses} pauses`);
    pauses = 0;
    await send(makeThreads({ slicing, store }), [...messages, user('go on')]);
    assert.ok(pauses >= 250, `${pauses} pauses`);
  });
});
