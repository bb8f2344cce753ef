import assert from 'node:assert/strict';
import { contentText } from '../../../src/core/chat/parse.ts';
import type { ChatMessage, ChatTool, ChatToolCall } from '../../../src/core/chat/wire.ts';
import type { Summarizer } from '../../../src/core/compaction/summarizers/summarizer.ts';
import type { ModelClient } from '../../../src/core/model/modelClient.ts';
import type { ModelProfile } from '../../../src/core/model/profile.ts';
import type { Words } from '../../../src/core/phrase.ts';
import { ok } from '../../../src/core/result.ts';
import type { Relay } from '../../../src/core/session/relay/relay.ts';
import { cases, SEED } from '../../attack/seed.ts';
import { Random } from '../../laws/random.ts';
import { PROFILE } from '../conversation/kit.ts';
import { MemoryStore, makeRelay, makeThreads } from './threads/kit.ts';

/** How many agents ask in turn and at once, and how long their histories may become. */
const AGENTS = 36;
const MOST_MESSAGES = 60;

/** What agents have in common: their first messages, the model's replies, the ids of their calls. */
const TASKS = ['Continue.', 'Fix the tests.', 'Review the change.'];
const REPLIES = ['Done.', 'I look at it.', 'It works now.', 'What next?'];
const FILES = ['src/a.ts', 'src/b.ts', 'README.md'];

const READ: ChatTool = { type: 'function', function: { name: 'read', parameters: { type: 'object' } } };
const MODEL: ModelProfile = { ...PROFILE, contextWindow: 3_600, completionReserve: 400 };

/** What only one agent said. Once it has deleted a secret, none of its requests may contain it. */
const SECRET = /secret-\d+/g;
const secretsIn = (value: unknown): string[] => JSON.stringify(value).match(SECRET) ?? [];

interface Agent {
  readonly name: string;
  readonly session: string | undefined;
  readonly tools: readonly ChatTool[];
  history: ChatMessage[];
}

/** A model that repeats word for word what it was told. */
const gossip: Summarizer = {
  model: 'gossip',
  inputLimit: 32_000,
  write: async ({ messages }) => {
    const said = messages.map(({ content }) => content).join('\n');
    const lines = said.match(/^\[t\d+ [^\n]{0,200}/gm) ?? [];
    const claims = lines.map((line) => `- ${line.replace(/^\[(t\d+)[^\]]*\](.*)/, '$2 [$1]')}`);
    return { text: claims.join('\n'), complete: true };
  },
};

describe('a canary', () => {
  const count = cases(10_000, 12);

  it(`of one agent never reaches another agent, nor any request once it is deleted: ${count} requests (KARL_SEED=${SEED})`, async () => {
    const random = new Random(SEED);
    let made = 0;
    const secret = (): string => `secret-${++made}`;
    const foreign: string[] = [];
    const problems: Words[] = [];
    const seen = { recalls: 0, notes: 0, hidden: 0 };
    const requests = new Map<string, readonly ChatMessage[]>();

    /** The model's server: it looks at each body. */
    const complete: ModelClient['complete'] = async ({ messages, tools, fields }) => {
      const asked = requests.get(String(fields?.serving)) ?? assert.fail('a request that nobody made');
      const secrets = new Set(secretsIn(asked));
      for (const one of secretsIn(messages)) if (!secrets.has(one)) foreign.push(one);
      const texts = new Set(asked.map(contentText));
      for (const message of messages) {
        const text = contentText(message);
        if (text.startsWith('<karl-history ')) seen.notes += 1;
        else if (message.role === 'tool' && message.karl_hidden !== undefined) seen.hidden += 1;
        else if (message.tool_calls?.some((call) => call.function.name === 'karl_recall') !== true)
          if (!texts.has(text) && !/\[… t\d|holds the original\]|^\[t\d+|\[no result recorded/.test(text))
            foreign.push(text);
      }
      // Others are served meanwhile.
      if (random.chance(0.3)) await new Promise((resolve) => setImmediate(resolve));
      const mayRecall = tools.some((tool) => tool.function.name === 'karl_recall') && random.chance(0.3);
      if (mayRecall) seen.recalls += 1;
      return ok({ message: reply(random, mayRecall), finishReason: 'stop' });
    };
    const store = new MemoryStore();
    const newId = () => `thread${++made}`;
    const begin = (withModel: boolean): Relay => {
      const change = withModel ? { summarizer: gossip } : {};
      return makeRelay(complete, {
        threads: makeThreads({ store, mostOpen: 6, newId, now: () => ++made, onProblem: (one) => problems.push(one) }),
        findModel: async () => ({ profile: MODEL, change, findWindow: async () => undefined }),
      });
    };
    let relay = begin(false);

    const agents = Array.from({ length: AGENTS }, (_, index): Agent => {
      const session = random.chance(0.5) ? `session${index % 5}` : undefined;
      return { name: random.pick(['pi', 'opencode']), session, tools: [READ], history: newTask(random, secret) };
    });
    let served = 0;
    const serve = async (agent: Agent): Promise<void> => {
      const serving = String(++served);
      const prompt: ChatMessage = { role: 'system', content: `You help. It is ${served}. ${secret()}` };
      // As a server reads it: no object is the same as before.
      const messages = structuredClone(random.chance(0.1) ? agent.history : [prompt, ...agent.history]);
      requests.set(serving, messages);
      const { name, session, tools } = agent;
      const about = { ...(session !== undefined && { hint: session }), client: name, fields: { serving } };
      const { signal } = new AbortController();
      const answered = await relay.serve({ model: 'test', messages, tools, ...about }, {}, signal);
      requests.delete(serving);
      if (answered.ok && agent.history.length === messages.filter(({ role }) => role !== 'system').length)
        agent.history = goOn(random, [...agent.history, answered.value.message], secret);
    };
    while (served < count) {
      if (random.chance(0.01)) relay = begin(random.chance(0.5));
      const place = random.integer(0, AGENTS - 1);
      const agent = agents[place] ?? assert.fail();
      agent.history = change(random, agent.history, secret);
      // A sub-agent starts with the whole history of its agent.
      if (random.chance(0.03)) agents[random.integer(0, AGENTS - 1)] = { ...agent, history: [...agent.history] };
      if (agent.history.length > MOST_MESSAGES) agent.history = newTask(random, secret);
      const others = random.chance(0.3) ? [random.pick(agents), random.pick(agents), agent] : [];
      await Promise.all([agent, ...others].map(serve));
    }
    assert.deepEqual(foreign.slice(0, 5), []);
    assert.deepEqual(problems, [], 'the search alone keeps conversations apart; law 11 had nothing to do');
    assert.ok(seen.recalls > count / 50 && seen.notes > count / 10 && seen.hidden > count / 100, JSON.stringify(seen));
  });
});

function newTask(random: Random, secret: () => string): ChatMessage[] {
  const first: ChatMessage = { role: 'user', content: random.pick(TASKS) };
  return random.chance(0.7) ? [first] : [first, { role: 'assistant', content: 'Done.' }, asks(random, secret)];
}

function asks(random: Random, secret: () => string): ChatMessage {
  const text = `${random.pick(['Go on with', 'Never touch', 'The key is'])} ${secret()}.`;
  if (random.chance(0.7)) return { role: 'user', content: text };
  return { role: 'user', content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }] };
}

/** The replies to all agents have the same words and ids. */
function reply(random: Random, mayRecall: boolean): ChatMessage {
  const calls: ChatToolCall[] = [];
  const call = (id: string, name: string, input: object) =>
    calls.push({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } });
  if (random.chance(0.5)) call(`call_${random.integer(0, 2)}`, 'read', { path: random.pick(FILES) });
  if (mayRecall)
    call('recall_0', 'karl_recall', { query: random.pick(['secret', 'key', 't0', 't1-9', 't3, t5', 'read']) });
  const content = random.pick(REPLIES);
  return calls.length === 0 ? { role: 'assistant', content } : { role: 'assistant', content, tool_calls: calls };
}

/** Results for the calls of the reply, or the next message. */
function goOn(random: Random, history: ChatMessage[], secret: () => string): ChatMessage[] {
  const calls = history.at(-1)?.tool_calls ?? [];
  if (calls.length === 0) return [...history, asks(random, secret)];
  const printed = (): string =>
    `${random.pick(FILES)}\n${`line of ${random.pick(FILES)}\n`.repeat(random.integer(1, 60))}${secret()}`;
  return [...history, ...calls.map(({ id }): ChatMessage => ({ role: 'tool', tool_call_id: id, content: printed() }))];
}

/** What clients do to their histories between two requests. */
function change(random: Random, history: ChatMessage[], secret: () => string): ChatMessage[] {
  if (random.chance(0.6)) return history;
  const at = random.integer(0, history.length - 1);
  const from = history.findIndex(({ role }, index) => index >= at && role === 'user');
  const place = from < 0 ? history.length - 1 : from;
  const all = (swap: (message: ChatMessage, index: number) => ChatMessage): ChatMessage[] => history.map(swap);
  switch (random.pick(['back', 'edit', 'redact', 'clear', 'date', 'sum', 'drop'])) {
    case 'back':
      return [...history.slice(0, place), asks(random, secret)];
    case 'edit':
      return [...history.slice(0, place), asks(random, secret), ...history.slice(place + 1)];
    case 'redact':
      return all((one) => JSON.parse(JSON.stringify(one).replaceAll(SECRET, '[redacted]')) as ChatMessage);
    case 'clear':
      return all((one, index) => (one.role === 'tool' && index < at ? { ...one, content: '[cleared]' } : one));
    case 'date':
      return all((one, index) => (index === 0 ? { role: 'user', content: `It is ${secret()}. Continue.` } : one));
    case 'sum':
      return [{ role: 'user', content: `Summary: ${secret()}` }, ...history.slice(place)];
    default:
      return [...history.slice(0, 1), ...history.slice(place)];
  }
}
