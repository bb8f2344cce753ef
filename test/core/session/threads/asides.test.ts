import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../../src/core/chat/wire.ts';
import type { StatelessRequest } from '../../../../src/core/session/threads/match.ts';
import { assistant, compact, reads, system, tool, user } from '../../conversation/kit.ts';
import { makeThreads, request, send } from './kit.ts';

const START = [system('You help.'), user('Fix the parser.'), ...tool('c1', 'read', { path: 'a.ts' }, 'one line')];
const WITHOUT_TOOLS = { tools: [] };
const SMALL = { tools: [], maxTokens: 50 };

describe('A request that is not the conversation', () => {
  async function kindOf(messages: readonly ChatMessage[], more: Partial<StatelessRequest>, before = true) {
    const threads = makeThreads();
    if (before) await send(threads, START);
    const match = await threads.match(request(messages, more));
    await match.release();
    return { kind: match.kind, match, threads };
  }

  it('has no tools where the thread has them: a summary of it', async () => {
    const summary = [...START, user('Summarize.')];
    const { kind, match, threads } = await kindOf(summary, WITHOUT_TOOLS);
    assert.equal(kind, 'aside');
    assert.deepEqual(match.prepare({ messages: match.conversation.request(), tools: [] }).messages, summary);
    const next = await send(threads, [...START, assistant('Done.'), user('Thanks.')]);
    assert.equal(threads.list().length, 1);
    assert.deepEqual(next.conversation.request(), [...START, assistant('Done.'), user('Thanks.')]);
  });

  it('has another system prompt, no tools and a message or two: a title', async () => {
    const title = [system('You write titles.'), user('Title for: Fix the parser.')];
    assert.equal((await kindOf(title, WITHOUT_TOOLS)).kind, 'aside');
    assert.equal((await kindOf([system('You write titles.'), user('Fix the parser.')], WITHOUT_TOOLS)).kind, 'aside');
  });

  it('came before the conversation whose session it names: it is forgotten with the next request of that', async () => {
    const threads = makeThreads();
    const title = [system('You write titles.'), user('Title for: Fix the parser.')];
    const before = await threads.match(request(title, { ...WITHOUT_TOOLS, hint: 's1' }));
    await send(threads, [system('You chat.'), user('Hello?')], { ...WITHOUT_TOOLS, hint: 's2' });
    await send(threads, START, { hint: 's1' });
    assert.equal(threads.list().length, 3);
    await before.release();
    await send(threads, [...START, assistant('Done.'), user('Thanks.')], { hint: 's1' });
    const left = threads.list().map(({ hint, hasTools }) => `${hint} ${hasTools}`);
    assert.deepEqual(left, ['s2 false', 's1 true']);
  });

  it('is not another question of the same session: what the human said only there stays', async () => {
    const threads = makeThreads();
    const question = [system('You explain.'), user('What is a parser?')];
    const { id } = await send(threads, question, { ...WITHOUT_TOOLS, hint: 's1' });
    await send(threads, START, { hint: 's1' });
    assert.ok(threads.list().some((one) => one.id === id));
  });

  it('is not a conversation that is given tools with its second request', async () => {
    const threads = makeThreads();
    const question = [system('You chat.'), user('Hello?')];
    const { id } = await send(threads, question, { ...WITHOUT_TOOLS, hint: 's1' });
    const second = [system('You work.'), ...question.slice(1), assistant('Hi.'), user('Fix the parser.')];
    await send(threads, second, { hint: 's1' });
    const left = threads.list().map((one) => one.id);
    assert.deepEqual(left, [id]);
  });

  it('asks for a few tokens only: a classifier', async () => {
    const question = [system('Answer yes or no.'), user('Is this a new topic: hello?')];
    assert.equal((await kindOf(question, SMALL, false)).kind, 'aside');
    assert.equal((await kindOf(question, WITHOUT_TOOLS, false)).kind, 'thread');
  });

  it('is sent with the thread’s compactions: it overflows no sooner than the thread', async () => {
    const threads = makeThreads();
    const long = reads(40, 200);
    const first = await send(threads, [...START, ...long, user('Go on.')]);
    await compact(first.conversation, { trigger: first.conversation.due() ?? assert.fail('none is due') });
    const match = await threads.match(request([...START, ...long, user('Go on.'), user('Summarize.')], WITHOUT_TOOLS));
    assert.equal(match.kind, 'aside');
    assert.deepEqual(match.conversation.request(), [...first.conversation.request(), user('Summarize.')]);
    assert.ok(match.conversation.budget().used.tokens < match.conversation.budget().limit);
  });

  it('has neither tools nor a message of the model', async () => {
    assert.equal((await kindOf([system('You review.'), user('Review it.')], {})).kind, 'thread');
    const chat = [...START, assistant('Done.'), user('Explain.'), assistant('It was so.'), user('Why?')];
    assert.equal((await kindOf(chat, WITHOUT_TOOLS)).kind, 'thread');
  });
});
