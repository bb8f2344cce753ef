import assert from 'node:assert/strict';
import { assistant, system, tool, user } from '../kit.ts';
import { makeThreads, send } from './kit.ts';

describe('Threads', () => {
  const start = [system('You help. Today is Monday.'), user('Fix the parser.')];
  const grown = [...start, ...tool('c1', 'read', { path: 'a.ts' }, 'one line'), user('Go on.')];

  it('a request that goes on where the last one ended is the same thread; only what is new is appended', async () => {
    const threads = makeThreads();
    const first = await send(threads, start);
    const second = await send(threads, grown);
    assert.deepEqual([first.isNew, second.isNew, second.id, second.appended], [true, false, first.id, 3]);
    assert.deepEqual(second.conversation.request(), grown);
  });

  it('a system prompt that changes is no new thread; the newest is sent, and all else is as it was', async () => {
    const threads = makeThreads();
    const first = await send(threads, start);
    const prompt = system('You help. Today is Tuesday.');
    const second = await send(threads, [prompt, ...grown.slice(1)]);
    assert.equal(second.id, first.id);
    assert.deepEqual(second.conversation.request(), [prompt, ...grown.slice(1)]);
  });

  it('equal starts share a prefix until they differ', async () => {
    const threads = makeThreads();
    const one = await send(threads, [...start, assistant('It is done.'), user('Thanks.')]);
    const other = await send(threads, grown);
    assert.deepEqual([other.isNew, other.forkedFrom], [true, one.id]);
    assert.deepEqual(other.conversation.request(), grown);
    assert.equal((await send(threads, [...grown, assistant('Done.')])).id, other.id);
  });

  it('what Karl asked and answered itself stays at its place, unseen by the client', async () => {
    const threads = makeThreads();
    const hidden = tool('k1', 'karl_recall', { query: 't3' }, 'what it was');
    const match = await send(threads, start);
    match.hide(hidden);
    match.replied({ sent: assistant('It is done.') });
    const next = [...start, assistant('It is done. '), user('Thanks.')];
    const second = await send(threads, next);
    assert.equal(second.id, match.id);
    assert.deepEqual(second.conversation.request(), [...start, ...hidden, ...next.slice(2)]);
  });
});
