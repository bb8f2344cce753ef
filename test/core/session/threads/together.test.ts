import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ChatMessage } from '../../../../src/core/chat/wire.ts';
import type { LearnedWindow } from '../../../../src/core/model/budget.ts';
import type { Words } from '../../../../src/core/phrase.ts';
import { ok } from '../../../../src/core/result.ts';
import type { Relay } from '../../../../src/core/session/relay/relay.ts';
import type { ThreadUpdate } from '../../../../src/core/session/threads/threadStore.ts';
import type { Threads } from '../../../../src/core/session/threads/threads.ts';
import { assistant, PROFILE, user } from '../../conversation/kit.ts';
import { MemoryStore, makeRelay, makeThreads, READ, request, send, viewOf } from './kit.ts';

const ASKED: ChatMessage = { role: 'user', content: 'Review the change to the cache of sessions.' };
const NEVER = new AbortController().signal;
const prompt = (content: string): ChatMessage => ({ role: 'system', content });

describe('requests that are served at the same time', () => {
  it('with the same user message but another prompt or model are separate conversations', async () => {
    const threads = makeThreads();
    const secure = await threads.match(request([prompt('Look for holes.'), ASKED]));
    const other = { ...PROFILE, id: 'another' };
    const styled = await threads.match(request([prompt('Look at style.'), ASKED], { profile: other }));
    assert.notEqual(styled.id, secure.id);
    assert.deepEqual(viewOf(secure), [prompt('Look for holes.'), ASKED]);
    assert.equal(secure.conversation.profile().id, PROFILE.id);
    assert.deepEqual(viewOf(styled), [prompt('Look at style.'), ASKED]);
    await secure.release();
    await styled.release();
  });

  it('store what they bring before they end, if asked to', async () => {
    const store = new MemoryStore();
    const threads = makeThreads({ store });
    const match = await threads.match(request([ASKED]));
    assert.equal(await match.save(), undefined);
    assert.deepEqual(store.saved.at(-1)?.appended, [ASKED]);
    await match.release();
  });

  for (const pause of [1, 2, 3, 4])
    it(`go on with a conversation that leaves memory at pause ${pause}, when nobody looks at it any more`, async () => {
      const store = new MemoryStore();
      let [time, pauses] = [0, 0];
      let end: (() => Promise<unknown>) | undefined;
      const slicing = {
        // Every step is longer than a slice.
        elapsed: () => (time += 1_000),
        pause: async () => {
          pauses += 1;
          if (pauses === pause) await end?.();
        },
      };
      const now = () => (time += 1);
      const threads = makeThreads({ store, mostOpen: 0, now, slicing });
      const talk = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? user : assistant)(`said ${index}`));
      const first = await threads.match(request(talk.slice(0, 41)));
      first.conversation.pin(3);
      const look = (await threads.use(first.id)) ?? assert.fail();
      await first.release();
      end = look.release;
      pauses = 0;
      const next = await threads.match(request(talk));
      assert.deepEqual([next.id, [...next.conversation.pins()]], [first.id, [3]]);
      await next.release();
      // Nor is it lost to the next process.
      const later = await send(makeThreads({ store }), structuredClone(talk));
      assert.deepEqual([later.id, [...later.conversation.pins()]], [first.id, [3]]);
    });
});

describe('a request whose client goes away while another goes on with its conversation', () => {
  const TALK: readonly ChatMessage[] = [prompt('You are an agent.'), ASKED];
  const MORE = [...TALK, assistant('I see.'), user('Go on.')];
  const complete = async () => ok({ message: assistant('I see.'), finishReason: 'stop' });
  const conversationOf = async (threads: Threads) =>
    (await threads.use(threads.list()[0]?.id ?? ''))?.conversation ?? assert.fail('there is none');
  const ask = (relay: Relay, messages: readonly ChatMessage[], { model = 'small', signal = NEVER } = {}) =>
    relay.serve({ model, messages, tools: [READ] }, {}, signal);

  it('teaches the conversation nothing about the window of its model', async () => {
    const asked = Promise.withResolvers<void>();
    const window = Promise.withResolvers<LearnedWindow>();
    const findWindow = async (model: string): Promise<LearnedWindow> => {
      if (model === 'small') return { tokens: 20_000, source: 'server' };
      asked.resolve();
      return window.promise;
    };
    const threads = makeThreads();
    const findModel = async (id: string) => {
      return { profile: { ...PROFILE, id }, change: {}, findWindow: () => findWindow(id) };
    };
    const relay = makeRelay(complete, { threads, findModel });
    await ask(relay, TALK);
    const client = new AbortController();
    const gone = ask(relay, MORE, { model: 'large', signal: client.signal });
    await asked.promise;
    client.abort();
    assert.ok((await ask(relay, MORE)).ok);
    window.resolve({ tokens: 1_000_000, source: 'server' });
    assert.deepEqual(await gone, { ok: false, error: { kind: 'cancelled' } });
    assert.equal((await conversationOf(threads)).learnedWindow()?.tokens, 20_000);
  });

  it('is not sent after its state was saved, and raises no alarm', async () => {
    const saving = Promise.withResolvers<void>();
    const saved = Promise.withResolvers<void>();
    const store = new MemoryStore();
    const problems: Words[] = [];
    const threads = makeThreads({ store, onProblem: (problem) => problems.push(problem) });
    const relay = makeRelay(complete, { threads });
    await ask(relay, TALK);
    const client = new AbortController();
    mock.method(store, 'save', async (update: ThreadUpdate) => {
      mock.restoreAll();
      saving.resolve();
      await saved.promise;
      return store.save(update);
    });
    const gone = ask(relay, MORE, { signal: client.signal });
    await saving.promise;
    client.abort();
    const { transcript } = await conversationOf(threads);
    const next = ask(relay, [...MORE, user('Rather stop.')]);
    while (transcript.messages.length <= MORE.length) await setImmediate();
    saved.resolve();
    assert.deepEqual(await gone, { ok: false, error: { kind: 'cancelled' } });
    assert.ok((await next).ok);
    assert.deepEqual(problems, []);
  });
});
