import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../../src/core/chat/wire.ts';
import { assistant, system, tool, user } from '../../conversation/kit.ts';
import { makeThreads, request, send, viewOf } from './kit.ts';

const START = [system('You help.'), user('Fix the parser.')];
const RECALL = tool('k1', 'karl_recall', { query: 't3' }, 'what it was');

describe('Replies in threads', () => {
  it('a fork after hidden messages has them too', async () => {
    const threads = makeThreads();
    const match = await send(threads, START);
    match.hide(RECALL);
    await send(threads, [...START, assistant('A.'), user('Thanks.')]);
    const fork = await send(threads, [...START, assistant('B.'), user('Thanks.')]);
    assert.notEqual(fork.id, match.id);
    assert.deepEqual(viewOf(fork), [...START, ...RECALL, assistant('B.'), user('Thanks.')]);
  });

  it('of two replies to one request, the one that the client took continues the thread', async () => {
    const threads = makeThreads();
    const one = await threads.match(request(START));
    const other = await threads.match(request(START));
    assert.ok(one.kind === 'thread' && other.kind === 'thread');
    assert.equal(one.id, other.id);
    one.replied({ sent: assistant('A.') });
    other.replied({ sent: assistant('B.') });
    await one.release();
    await other.release();
    const next = [...START, assistant('A.'), user('Thanks.')];
    const second = await send(threads, next);
    assert.deepEqual([second.id, viewOf(second)], [one.id, next]);
  });

  it('two requests at once that differ work on threads of their own', async () => {
    const threads = makeThreads();
    await send(threads, START);
    const one = await threads.match(request([...START, assistant('A.'), user('Yes.')]));
    const other = await threads.match(request([...START, user('No, wait.')]));
    assert.ok(one.kind === 'thread' && other.kind === 'thread');
    assert.notEqual(other.id, one.id);
    assert.deepEqual(viewOf(one), [...START, assistant('A.'), user('Yes.')]);
    assert.deepEqual(viewOf(other), [...START, user('No, wait.')]);
    const third = await threads.match(request([...START, assistant('A.'), user('Yes.'), assistant('B.')]));
    assert.notEqual(third.id, one.id);
    for (const match of [one, other, third]) await match.release();
    assert.equal((await send(threads, [...START, assistant('A.'), user('Yes.'), user('So?')])).id, one.id);
  });

  it('a request whose client has gone does not block the next one, nor does a view that shows the thread', async () => {
    const threads = makeThreads();
    const controller = new AbortController();
    const one = await threads.match(request(START, { signal: controller.signal }));
    const use = await threads.use(one.id);
    controller.abort();
    const next = [...START, assistant('A.'), user('Yes.')];
    const second = await send(threads, next);
    await one.release();
    assert.deepEqual([second.id, viewOf(second)], [one.id, next]);
    await use?.release();
  });

  it('marks for a provider’s cache are sent where the client last put them, and change nothing else', async () => {
    const threads = makeThreads();
    const mark = { cache_control: { type: 'ephemeral' } };
    const marked = (text: string): ChatMessage => ({ role: 'user', content: [{ type: 'text', text, ...mark }] });
    const first = await send(threads, [START[0] as ChatMessage, marked('Fix the parser.')]);
    assert.deepEqual(viewOf(first)[1], marked('Fix the parser.'));
    const second = await send(threads, [...START, assistant('Done.'), marked('Thanks.')]);
    assert.equal(second.id, first.id);
    assert.deepEqual(viewOf(second), [...START, assistant('Done.'), marked('Thanks.')]);
    assert.doesNotMatch(JSON.stringify(second.conversation.transcript.messages), /cache_control/);
  });

  it('messages that are sent whole, and the prompt, are the client’s own objects, by which a dialect recognises them', async () => {
    const threads = makeThreads();
    await send(threads, START);
    const again = structuredClone([...START, assistant('Done.'), user('Thanks.')]);
    for (const [index, message] of viewOf(await send(threads, again)).entries()) assert.equal(message, again[index]);
  });
});
