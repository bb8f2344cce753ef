import assert from 'node:assert/strict';
import { InvalidMessageError } from '../../../../src/core/chat/parse.ts';
import type { ChatMessage, ChatTool } from '../../../../src/core/chat/wire.ts';
import { RECALL_DEFINITION } from '../../../../src/core/session/recallTool.ts';
import type { Match } from '../../../../src/core/session/threads/match.ts';
import { inEnglish } from '../../../../src/language/language.ts';
import { assistant, compact, PROFILE, system, tool, user } from '../../conversation/kit.ts';
import { MemoryStore, makeThreads, READ, request, send, viewOf } from './kit.ts';

const PROMPT = system('You help.');

/** A session of `turns` questions, each with a call and an answer. */
function session(turns: number, name = ''): ChatMessage[] {
  return Array.from({ length: turns }, (_, turn) => [
    user(`${name}Question ${turn}?`),
    ...tool(`call_${name}a1b2c3d4e${turn}`, 'read', { path: `${name}${turn}.ts` }, `${name}content of ${turn}`),
    assistant(`${name}Answer ${turn}.`),
  ]).flat();
}

describe('Threads', () => {
  const start = [PROMPT, user('Fix the parser.')];
  const grown = [...start, ...tool('c1', 'read', { path: 'a.ts' }, 'one line'), user('Go on.')];

  it('a prompt that is added later begins a new thread', async () => {
    const threads = makeThreads();
    await send(threads, start.slice(1));
    assert.deepEqual(viewOf(await send(threads, grown)), grown);
    assert.deepEqual(viewOf(await send(threads, grown.slice(1))), grown.slice(1));
  });

  it('the tools and the model of the newest request apply', async () => {
    const threads = makeThreads();
    await send(threads, start);
    const profile = { ...PROFILE, id: 'other', contextWindow: 20_000 };
    const { conversation } = await send(threads, grown, { profile, tools: [READ, READ] });
    assert.equal(conversation.profile().id, 'other');
    assert.ok(conversation.toolTokens().tokens > (await send(makeThreads(), grown)).conversation.toolTokens().tokens);
  });

  it('a client that goes back makes a fork with what is common and its pins, and the old thread goes on too', async () => {
    const threads = makeThreads();
    const messages = session(6);
    const one = await send(threads, [PROMPT, ...messages]);
    one.conversation.pin(2);
    one.conversation.pin(24);
    const edited = [PROMPT, ...messages.slice(0, 20), user('Another question?')];
    const fork = await send(threads, edited);
    assert.deepEqual([fork.id === one.id, [...fork.conversation.pins()]], [false, [2]]);
    assert.deepEqual(viewOf(fork), edited);
    assert.deepEqual(viewOf(one), [PROMPT, ...messages]);
    assert.equal((await send(threads, [...edited, assistant('Yes.')])).id, fork.id);
    assert.equal((await send(threads, [PROMPT, ...messages, user('And now?')])).id, one.id);
  });

  describe('a client that changes what it sent before', () => {
    const messages = session(8);
    const changes: Readonly<Record<string, readonly ChatMessage[]>> = {
      'clears results': messages.map((message) =>
        message.role === 'tool' ? { ...message, content: '[cleared]' } : message,
      ),
      'leaves messages out': [...messages.slice(0, 4), ...messages.slice(12)],
      'changes words': [user('Never touch b.ts. Question 0?'), ...messages.slice(1)],
      'puts something between': messages.toSpliced(4, 0, user('<reminder>The list is empty.</reminder>')),
      'sums up': [user('Summary: questions 0 to 5 were answered.'), ...messages.slice(24)],
      'renews the ids of calls': messages.map((message) => ({
        ...message,
        ...(message.tool_call_id !== undefined && { tool_call_id: `x${message.tool_call_id}` }),
        ...(message.tool_calls !== undefined && {
          tool_calls: message.tool_calls.map((call) => ({ ...call, id: `x${call.id}` })),
        }),
      })),
    };
    for (const [name, changed] of Object.entries(changes))
      it(`${name}: what is sent is what it says now, compacted or not, also when the thread was stored`, async () => {
        for (const store of [undefined, new MemoryStore()]) {
          const threads = makeThreads(store === undefined ? {} : { store, mostOpen: 0 });
          const first = await send(threads, [PROMPT, ...messages]);
          await compact(first.conversation, { strategy: 'heuristic', targetTokens: 200 });
          first.conversation.pin(3);
          await first.release();
          const history = [PROMPT, ...changed, user('And now?')];
          const second = await send(threads, history);
          assert.notEqual(second.id, first.id);
          assert.deepEqual(viewOf(second), history);
          const next = await send(threads, [...history, assistant('So.'), user('Well?')]);
          assert.equal(next.id, second.id);
        }
      });
  });

  it('a fork keeps the user’s changes of common messages, but no run that covered more', async () => {
    const threads = makeThreads();
    const messages = session(8);
    const first = await send(threads, [PROMPT, ...messages]);
    assert.ok((await first.conversation.changeByHand('dropped', [3, 27])).ok);
    await compact(first.conversation, { strategy: 'heuristic', targetTokens: 200 });
    const history = [PROMPT, ...messages.slice(0, 16), user('And now?')];
    const fork = viewOf(await send(threads, history));
    assert.equal(fork.length, history.length);
    const changed = fork.flatMap((message, index) => (message === history[index] ? [] : [index]));
    assert.deepEqual(changed, [3]);
  });

  it('a client that rewrites its first message each time leaves one thread, which asks no model for summaries', async () => {
    const store = new MemoryStore();
    const threads = makeThreads({ store });
    const history: ChatMessage[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      history.push(user(`Question ${turn}?`), assistant(`Answer ${turn}.`));
      const asked = [PROMPT, user(`It is ${turn} o'clock. Fix it.`), ...history];
      const match = await send(threads, asked);
      assert.deepEqual(viewOf(match), asked);
      assert.equal(match.isRewritten === true, turn > 1);
    }
    assert.ok(threads.list().length <= 3);
    assert.ok(store.deleted.length > 8);
  });

  const FOREIGN: ChatTool = { type: 'function', function: { name: 'deploy', parameters: { type: 'object' } } };
  const breaches: readonly (readonly [string, (match: Match) => void, ChatTool?])[] = [
    ['a message', ({ conversation }) => void conversation.append([user('a secret of another')])],
    ['a prompt', ({ conversation }) => conversation.view.amend(0, [system('The prompt of another.')])],
    ['a second prompt', ({ conversation }) => conversation.view.amend(0, [PROMPT, system('The prompt of another.')])],
    ['a tool', () => undefined, FOREIGN],
  ];
  for (const [what, bring, tool = READ] of breaches) {
    for (const kind of ['thread', 'aside'] as const) {
      it(`${what} of another in a request of the kind ${kind}: the client’s own is sent, which is told once`, async () => {
        const told: string[] = [];
        const threads = makeThreads({ onProblem: (message) => told.push(inEnglish(message)) });
        const asked =
          kind === 'thread' ? request(grown) : request([PROMPT, user('A title?')], { tools: [], maxTokens: 50 });
        const match = await threads.match(asked);
        assert.equal(match.kind, kind);
        const view = () => ({ messages: match.conversation.request(), tools: [...asked.tools, RECALL_DEFINITION] });
        assert.deepEqual(match.prepare(view()), { ...view(), messages: asked.messages });
        assert.deepEqual(told, []);
        bring(match);
        const sent = { ...view(), tools: tool === READ ? view().tools : [...view().tools, tool] };
        const own = { messages: asked.messages, tools: asked.tools };
        assert.deepEqual([match.prepare(sent), match.prepare(sent)], [own, own]);
        assert.equal(told.length, 1);
        assert.match(told[0] ?? '', /does not belong to it/);
      });
    }
  }

  it('an invalid message is refused by index and field, and changes nothing', async () => {
    const threads = makeThreads();
    const broken = { role: 'tool', content: 'x' } as ChatMessage;
    await assert.rejects(threads.match(request([...start, broken])), (error) => {
      assert.ok(error instanceof InvalidMessageError);
      assert.deepEqual([error.index, error.field], [2, 'tool_call_id']);
      return true;
    });
    assert.deepEqual(threads.list(), []);
  });
});
