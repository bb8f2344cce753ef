import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { LearnedWindow } from '../../../src/core/model/budget.ts';
import { ok } from '../../../src/core/result.ts';
import type { ActiveConversation } from '../../../src/host/conversations/activeConversation.ts';
import { Agent } from '../../../src/host/conversations/agent.ts';
import { StreamedReply } from '../../../src/host/conversations/streamedReply.ts';
import type { Notices } from '../../../src/host/notices/notices.ts';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { errorReply, type ScriptedReply } from '../../adapters/server/reply.ts';
import { converse, PROFILE } from '../../core/conversation/kit.ts';
import { TestStore } from '../../core/session/sessionHarness.ts';
import { makeNotices, partsOf } from '../kit.ts';

const RIGHT = 'the-right-key';

describe('a turn that failed because of its key, or was stopped', () => {
  let server: ProviderServer;
  let notices: Notices;
  /** The key in the secret storage. */
  let key: string;
  /** Holds a request that has read its key. */
  let gate: Promise<void> | undefined;
  let asked: PromiseWithResolvers<void>;
  /** Holds the reading of the profile, which comes before a turn. */
  let profileGate: Promise<void> | undefined;
  let outcomes: ('failed' | 'ended')[];
  let refuse: () => ScriptedReply;

  beforeEach(async () => {
    server = await ProviderServer.start({
      respond: ({ headers }) => (headers.authorization === `Bearer ${RIGHT}` ? undefined : refuse()),
    });
    notices = makeNotices();
    // Whatever has ended, Karl is no longer busy; what failed is announced as well.
    const { remove, announce } = notices;
    notices.remove = (id) => {
      if (id === 'busy') outcomes.push('ended');
      remove.call(notices, id);
    };
    notices.announce = (notice) => {
      outcomes.splice(-1, 1, 'failed');
      announce.call(notices, notice);
    };
    key = 'a-wrong-key';
    gate = undefined;
    profileGate = undefined;
    outcomes = [];
    refuse = () => errorReply(401, { error: { message: 'Incorrect API key provided.' } });
    asked = Promise.withResolvers();
  });
  afterEach(() => server.close());

  /** What a test sets otherwise. */
  interface Given {
    readonly conversation?: Conversation;
    readonly store?: TestStore;
    readonly queued?: readonly string[];
    readonly onProfile?: () => void;
    readonly mend?: () => Promise<boolean>;
    readonly onQueue?: () => void;
    readonly findWindow?: () => Promise<LearnedWindow | undefined>;
    readonly refresh?: () => void;
  }

  function open(given: Given = {}): Agent {
    const profile = { ...PROFILE, baseUrl: server.baseUrl };
    const conversation = given.conversation ?? converse([]);
    conversation.configure({ profile });
    const getKey = async () => {
      const read = key;
      asked.resolve();
      await gate;
      return read;
    };
    const store = given.store ?? new TestStore();
    const active = {
      conversation,
      runWith: () => given.onProfile?.(),
      save: async () => ok(undefined),
      saveAndReport: async () => given.onQueue?.(),
    };
    const file = {
      queue: (messages: readonly ChatMessage[]) => store.queue(messages),
      flush: () => store.flush(),
      keepReply: async () => ok(undefined),
      stored: { details: { state: { queued: given.queued } } },
    };
    const refresh = given.refresh ?? (() => undefined);
    const windows = { accepted: new Map(), find: given.findWindow ?? (async () => undefined) };
    const models = {
      load: () => profileGate,
      resolve: () => ({ profile, matches: [] }),
      withoutTools: new Set(),
      client: new OpenAIModelClient({ getKey }),
      counter: () => ({}),
      changeFor: () => ({}),
    };
    const ignore = () => undefined;
    const parts = partsOf<ConstructorParameters<typeof Agent>[1]>({
      ...{ file, models, notices, view: { refresh }, windows, onEvent: ignore, isShown: () => true },
      karl: { mend: given.mend },
      question: { mayCompress: async () => true },
      work: { beginTurn: ignore, noteChanges: async () => undefined, close: ignore, listTools: () => [] },
      readPrompt: async () => 'You are a test.',
    });
    return new Agent(active as unknown as ActiveConversation, parts);
  }

  /** A search for a window, which says that it has begun and finds what it is given. */
  function slowSearch() {
    const searching = Promise.withResolvers<void>();
    const window = Promise.withResolvers<LearnedWindow>();
    const search = () => {
      searching.resolve();
      return window.promise;
    };
    return { searching, window, search };
  }

  it('can be stopped while the window is being looked up; a late answer changes nothing', async () => {
    key = RIGHT;
    const conversation = converse([]);
    const { searching, window, search } = slowSearch();
    const profiles: string[] = [];
    const onProfile = () => profiles.push('taken');
    const findWindow = async () => (profiles.length === 0 ? undefined : search());
    const agent = open({ conversation, onProfile, findWindow });
    const first = agent.send('one');
    await asked.promise;
    const second = agent.send('two');
    await searching.promise;
    const stopped = agent.cancel().then(() => 'stopped');
    assert.equal(await Promise.race([stopped, setImmediate('waits')]), 'stopped');
    assert.deepEqual([await first, await second, outcomes], [true, true, ['ended', 'ended']]);
    window.resolve({ tokens: 8_000, source: 'server' });
    await setImmediate();
    assert.equal(conversation.learnedWindow(), undefined);
    assert.equal(profiles.length, 1);
  });

  it('holds the queue as soon as it is stopped, before the turn has ended', async () => {
    hold();
    const seen: string[] = [];
    const agent: Agent = open({
      refresh: () => seen.push(`${agent?.held} of ${agent?.queue.length}, ${agent?.isBusy}`),
    });
    void agent.send('one');
    await asked.promise;
    void agent.send('two');
    await setImmediate();
    assert.equal(seen.at(-1), '0 of 1, true');
    void agent.cancel();
    await setImmediate();
    assert.ok(seen.includes('1 of 1, true'), seen.join('; '));
  });

  it('can be stopped during the lookup before the first message, which then is not taken', async () => {
    const conversation = converse([]);
    const { searching, window, search } = slowSearch();
    const agent = open({ conversation, findWindow: search });
    const sent = agent.send('one');
    await searching.promise;
    await agent.cancel();
    assert.equal(await Promise.race([sent, setImmediate('waits')]), false);
    assert.equal(agent.isBusy, false);
    window.resolve({ tokens: 8_000, source: 'server' });
    await setImmediate();
    assert.equal(conversation.learnedWindow(), undefined);
    assert.deepEqual([conversation.transcript.messages, server.requests, outcomes], [[], [], []]);
  });

  /** Holds what is written after the first reply, until the returned function is called. */
  function holdWrite(store: TestStore): () => void {
    const writing = Promise.withResolvers<void>();
    const flush = store.flush.bind(store);
    store.flush = async () => {
      if (store.flushed.some(({ role }) => role === 'assistant')) await writing.promise;
      return flush();
    };
    return writing.resolve;
  }

  /** Holds every request from here on once it has read its key, until the returned function is called. */
  function hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    asked = Promise.withResolvers();
    return resolve;
  }

  const told = () => notices.states.map(({ text }) => text).join();

  it('removes its notice as soon as it is tried again', async () => {
    const agent = open();
    await agent.send('Hello');
    assert.match(told(), /rejected the API key/);
    const profile = Promise.withResolvers<void>();
    profileGate = profile.promise;
    const again = agent.resume();
    assert.equal(told(), '');
    profile.resolve();
    await again;
    assert.match(told(), /rejected the API key/, 'it failed again');
  });

  it('begins when the turn before has ended, not when its message is queued', async () => {
    key = RIGHT;
    let begun = 0;
    notices.removePassing = () => {
      begun += 1;
    };
    const agent = open();
    const letGo = hold();
    const first = agent.send('one');
    await asked.promise;
    const second = agent.send('two');
    await setImmediate();
    assert.deepEqual([agent.queue, begun], [['two'], 1]);
    letGo();
    await Promise.all([first, second]);
    assert.deepEqual([outcomes, begun], [['ended', 'ended'], 2]);
  });

  it('restores the queue of the previous window, which waits for the user, and stores what is left of it', async () => {
    key = RIGHT;
    const kept: (readonly unknown[])[] = [];
    const agent: Agent = open({ queued: ['one', 'two', 'three'], onQueue: () => kept.push(agent.queue) });
    assert.deepEqual([agent.queue, agent.held, agent.isBusy], [['one', 'two', 'three'], 3, false]);
    agent.changeQueued('unqueue', 1, 'two');
    assert.deepEqual([kept, agent.held], [[['one', 'three']], 2]);
    await agent.sendQueued();
    assert.equal(agent.held, 0);
    while (agent.isBusy) await setImmediate();
    assert.deepEqual(kept, [['one', 'three'], ['three'], []]);
    assert.equal(server.requests.length, 2);
  });

  /** The turn of the second message begins: it is being written, and shown in the queue for as long. */
  async function openWriting(...texts: readonly string[]) {
    key = RIGHT;
    const letGo = hold();
    const store = new TestStore();
    const agent = open({ store });
    const first = agent.send('one');
    await asked.promise;
    const rest = texts.map((text) => agent.send(text));
    while (agent.queue.length < texts.length) await setImmediate();
    const shown = agent.queue;
    const write = holdWrite(store);
    letGo();
    assert.equal(await first, true);
    await setImmediate();
    assert.deepEqual(agent.queue, shown);
    return { agent, rest, write };
  }

  it('removes the message that was shown, even if the queue has become shorter', async () => {
    const { agent, rest, write } = await openWriting('two', 'three', 'four');
    agent.changeQueued('unqueue', 0, 'two');
    agent.changeQueued('unqueue', 2, 'four');
    write();
    await Promise.all(rest);
    const requests = server.requests.map(({ body }) => body.messages?.at(-1)?.content);
    assert.deepEqual(requests, ['one', 'two', 'three']);
  });

  it('marks only what waits as held when it is stopped while the next message is being written', async () => {
    const { agent, rest, write } = await openWriting('two', 'three');
    const stopped = agent.cancel();
    assert.deepEqual([agent.queue, agent.held], [['three', 'two'], 1]);
    write();
    await stopped;
    assert.deepEqual([agent.queue, agent.held], [['three'], 1]);
    await agent.sendQueued();
    await Promise.all(rest);
  });

  it('keeps both messages when the same words are held and queued again', async () => {
    const letGo = hold();
    const agent = open({ queued: ['Go on.'] });
    const first = agent.send('one');
    await asked.promise;
    void agent.send('Go on.');
    await setImmediate();
    assert.deepEqual([agent.queue, agent.held], [['Go on.', 'Go on.'], 1]);
    letGo();
    await first;
  });

  it('reports the end of a turn whose message the previous window had queued', async () => {
    await open({ queued: ['one'] }).sendQueued();
    assert.match(told(), /rejected the API key/);
    assert.deepEqual(outcomes, ['failed']);
  });
});

describe('a reply that streams in', () => {
  afterEach(() => mock.timers.reset());

  it('is stored every second, on a slow disk only after the previous write', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const kept: unknown[] = [];
    let written = Promise.withResolvers<void>();
    const keepReply = (one: unknown) => {
      kept.push(one);
      return written.promise;
    };
    const reply = new StreamedReply(partsOf({ keepReply }), partsOf({ transcript: { messages: ['One message.'] } }));
    const second = async (text: string) => {
      reply.add({ type: 'text', text });
      mock.timers.tick(1000);
      await setImmediate();
    };
    for (const text of ['One. ', 'Two. ', 'Three.']) await second(text);
    assert.deepEqual(kept, [{ after: 1, text: 'One. ' }]);
    written.resolve();
    written = Promise.withResolvers();
    await setImmediate();
    mock.timers.tick(1000);
    assert.deepEqual(kept.slice(1), [{ after: 1, text: 'One. Two. Three.' }]);
    reply.end();
    assert.deepEqual(kept.slice(2), [undefined]);
  });
});
