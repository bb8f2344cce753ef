import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { CompactorPorts } from '../../../src/core/compaction/compactionRun.ts';
import { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { ConversationOptions } from '../../../src/core/conversation/conversationOptions.ts';
import type { KarlEvent } from '../../../src/core/events/event.ts';
import type { ModelDelta } from '../../../src/core/model/modelClient.ts';
import type { ModelProfile } from '../../../src/core/model/profile.ts';
import { AgentSession, type AgentSessionOptions } from '../../../src/core/session/session.ts';
import type { Tool, ToolOutcome } from '../../../src/core/session/tools.ts';
import type { Clock, RequestCost, SessionState, SessionStore } from '../../../src/core/session/turnContext.ts';
import type { TextCounter } from '../../../src/core/tokens/counter.ts';
import { ProviderServer, type ProviderServerOptions } from '../../adapters/server/providerServer.ts';
import { assistant, PROFILE, system, tool, user } from '../conversation/kit.ts';

/** Four characters a token, like the scripted server. */
const count: TextCounter['count'] = (text) => ({ tokens: Math.ceil(text.length / 4), source: 'counted' });
const COUNTER: TextCounter = { encoding: 'o200k_base', count };

/** Records the waits, in milliseconds; they pass at once, or with `hold` end only by an abort. */
export class TestClock implements Clock {
  readonly slept: number[] = [];
  hold = false;

  now(): number {
    return 1_000;
  }

  random(): number {
    return 0;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    this.slept.push(ms);
    if (!this.hold || signal.aborted) return;
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }
}

/** Keeps what was flushed. While `fail` is set, writes fail, and what was not written waits, as the port demands. */
export class TestStore implements SessionStore {
  readonly flushed: ChatMessage[] = [];
  readonly #unwritten: ChatMessage[] = [];
  saves = 0;
  fail: string | undefined;

  queue(messages: readonly ChatMessage[]) {
    this.#unwritten.push(...messages);
    return { ok: true as const, value: undefined };
  }

  async flush() {
    if (this.fail !== undefined) return { ok: false as const, error: { message: this.fail } };
    this.flushed.push(...this.#unwritten.splice(0));
    return { ok: true as const, value: undefined };
  }

  async saveState() {
    this.saves += 1;
    return { ok: true as const, value: undefined };
  }
}

export interface Harness {
  readonly server: ProviderServer;
  readonly session: AgentSession;
  readonly conversation: Conversation;
  readonly store: TestStore;
  readonly clock: TestClock;
  readonly events: KarlEvent[];
  readonly states: SessionState[];
  /** The newest. */
  readonly state: SessionState;
  readonly deltas: ModelDelta[];
  readonly costs: RequestCost[];
  close(): Promise<void>;
}

export interface HarnessOptions {
  readonly server?: ProviderServerOptions;
  readonly profile?: Partial<ModelProfile>;
  readonly conversation?: Partial<ConversationOptions>;
  readonly tools?: readonly Tool[];
  readonly session?: Partial<AgentSessionOptions>;
}

/** A session over a real client against a scripted server on the loopback. */
export async function openHarness(options: HarnessOptions = {}): Promise<Harness> {
  const server = await ProviderServer.start(options.server);
  let ids = 0;
  const ports: CompactorPorts = {
    newId: () => `id${++ids}`,
    now: () => 1_000,
    elapsed: () => performance.now(),
    pause: async () => undefined,
  };
  const defaults = { id: 'scripted', baseUrl: server.baseUrl, contextWindow: 32_000, timeoutMs: 5_000 };
  const profile: ModelProfile = { ...PROFILE, ...defaults, ...options.profile };
  const conversation = new Conversation({ profile, counter: COUNTER, ports, ...options.conversation });
  const events: KarlEvent[] = [];
  const states: SessionState[] = [];
  const deltas: ModelDelta[] = [];
  const costs: RequestCost[] = [];
  conversation.on((event) => events.push(event));
  const store = new TestStore();
  const clock = new TestClock();
  const session = new AgentSession({
    conversation,
    client: new OpenAIModelClient({ getKey: async () => undefined }),
    tools: options.tools ?? [],
    store,
    clock,
    prompt: 'You are a test.',
    listener: {
      onEvent: (event) => events.push(event),
      onState: (state) => states.push(state),
      onDelta: (delta) => deltas.push(delta),
      onCost: (cost) => costs.push(cost),
    },
    ...options.session,
  });
  return {
    ...{ server, session, conversation, store, clock, events, states, deltas, costs },
    get state() {
      return states.at(-1) ?? { kind: 'idle' };
    },
    close: () => server.close(),
  };
}

/** A tool that returns what `run` returns. */
export function makeTool(
  name: string,
  run: (...args: Parameters<Tool['run']>) => Promise<ToolOutcome> | ToolOutcome,
): Tool {
  const described = { name, description: `Test tool ${name}.`, parameters: { type: 'object' } };
  return { definition: { type: 'function', function: described }, run: async (...args) => run(...args) };
}

/** Roles of a transcript in one line, for comparing its shape. */
export function rolesOf(conversation: Conversation): string {
  return conversation.transcript.messages.map((message) => message.role).join(' ');
}

/** Text of about this many tokens without a repetition that a rung could remove. */
export function filler(tokens: number, seed: string): string {
  const lines: string[] = [];
  for (let line = 0; lines.length * 8 < tokens; line += 1)
    lines.push(`${seed} line ${line} ${'abcdefgh'.repeat(2)}`.slice(0, 32).padEnd(31, '.'));
  return lines.join('\n');
}

/** Adds turns whose messages have this many tokens each. */
export function appendTurns(conversation: Conversation, turns: number, tokens: number): void {
  for (let turn = 0; turn < turns; turn += 1)
    conversation.append([user(filler(tokens, `question ${turn}`)), assistant(filler(tokens, `answer ${turn}`))]);
}

/** Fills a conversation with one turn of many tool results of 1,000 tokens each. */
export function appendResults(conversation: Conversation, results: number): void {
  conversation.append([system('You are a test.'), user('Look at many files.')]);
  for (let n = 0; n < results; n += 1) conversation.append(tool(`c${n}`, 'echo', { n }, filler(1_000, `f${n}`)));
  conversation.append([assistant('Looked.')]);
}
