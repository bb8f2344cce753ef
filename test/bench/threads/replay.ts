import { CONVERSATION_PORTS } from '../../../src/adapters/node/slices.ts';
import { createExactCounter, findRanks } from '../../../src/adapters/tiktoken/ranks.ts';
import { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { Match } from '../../../src/core/session/threads/match.ts';
import type { ThreadStore } from '../../../src/core/session/threads/threadStore.ts';
import { Threads } from '../../../src/core/session/threads/threads.ts';
import { type ChatMessage, type ModelProfile, resolveProfile } from '../../../src/engine.ts';

const counter = createExactCounter('o200k_base', findRanks());

export interface Replayed {
  readonly requests: number;
  readonly threads: number;
  readonly forks: number;
  readonly asides: number;
  readonly compactions: number;
  /** Requests that follow one of the same thread with no compaction between, and those whose view extends the last. */
  readonly followed: number;
  readonly identical: number;
  /** Raw messages of the session that no thread has. */
  readonly lost: number;
  /** Processor time beyond counting what is new, milliseconds, with the tokens of the history. */
  readonly overhead: readonly { readonly ms: number; readonly tokens: number }[];
}

/** A process with threads, as the gateway has them. */
export function makeThreads(store?: ThreadStore): Threads {
  let made = 0;
  return new Threads({
    newId: () => `thread${++made}`,
    now: () => Date.now(),
    ...(store !== undefined && { store }),
    open: ({ profile, tools, restore }) =>
      Conversation.open({
        profile,
        tools,
        counter,
        ports: CONVERSATION_PORTS,
        ...(restore !== undefined && { restore }),
      }),
    slicing: CONVERSATION_PORTS,
  });
}

export function modelOf(window: number): ModelProfile {
  return { ...resolveProfile('replay'), contextWindow: window, completionReserve: Math.floor(window / 8) };
}

export const TOOLS = [{ type: 'function' as const, function: { name: 'read', parameters: { type: 'object' } } }];

/** Sends a session as its client would, request by request, through threads; each reply is the session's own. */
export async function replay(messages: readonly ChatMessage[], style: Style, profile: ModelProfile): Promise<Replayed> {
  const threads = makeThreads();
  const last = new Map<string, { readonly view: readonly string[]; readonly compactions: number }>();
  const seen = new Set<string>();
  let [requests, forks, asides, compactions, followed, identical] = [0, 0, 0, 0, 0, 0];
  const overhead: { ms: number; tokens: number }[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    requests += 1;
    // As a server reads it: no object is the same as before.
    const request = JSON.parse(JSON.stringify(style.write(messages, index))) as ChatMessage[];
    const started = spent();
    const match = await threads.match({ messages: request, tools: TOOLS, profile });
    const matched = spent();
    if (match.kind === 'aside') {
      asides += 1;
      continue;
    }
    if (last.size > 0 && !last.has(match.id)) forks += 1;
    match.conversation.budget();
    const counted = spent();
    match.dress({ messages: match.conversation.request(), tools: [] });
    const tokens = match.conversation.transcript.messages.reduce((sum, { text }) => sum + text.length / 4, 0);
    overhead.push({ ms: matched - started + spent() - counted, tokens });
    const trigger = match.conversation.due();
    if (trigger !== undefined && (await match.conversation.compact({ trigger })).kind === 'compacted') compactions += 1;
    const view = writeView(match);
    const before = last.get(match.id);
    const records = match.conversation.compactions().length;
    if (before?.compactions === records) {
      followed += 1;
      if (before.view.every((line, at) => line === view[at])) identical += 1;
    }
    last.set(match.id, { view, compactions: records });
    match.replied({ sent: message });
    await match.release();
    for (const { wire } of match.conversation.transcript.messages) seen.add(keyOf(wire));
  }
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
  const lost = messages.slice(0, lastReply).filter((message) => !seen.has(keyOf(message))).length;
  return { requests, threads: last.size, forks, asides, compactions, followed, identical, lost, overhead };
}

/** Processor time, milliseconds: what other programs take does not count. */
function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The view without the system prompt, which the style may change. */
function writeView({ conversation, dress }: Match): readonly string[] {
  const { messages } = dress({ messages: conversation.request(), tools: [] });
  const start = messages.findIndex(({ role }) => role !== 'system');
  return messages.slice(Math.max(0, start)).map((message) => JSON.stringify(message));
}

function keyOf({ role, content, tool_calls: calls }: ChatMessage): string {
  return JSON.stringify([role, content ?? null, calls ?? null]);
}

/** How a client writes the history of one session into its requests. */
export interface Style {
  readonly name: string;
  /** The request before the reply at `index` of `messages`. */
  write(messages: readonly ChatMessage[], index: number): readonly ChatMessage[];
}

/** Newer results that a client leaves as they are. */
const KEPT_RESULTS = 8;

const PROMPT = 'You are a coding agent. You work until the task is done.';

function plain(messages: readonly ChatMessage[], index: number): readonly ChatMessage[] {
  return [{ role: 'system', content: PROMPT }, ...messages.slice(0, index)];
}

function withDate(messages: readonly ChatMessage[], index: number): readonly ChatMessage[] {
  const time = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
  return [{ role: 'system', content: `${PROMPT}\nThe time is ${time}.` }, ...messages.slice(0, index)];
}

function cleared(messages: readonly ChatMessage[], index: number): readonly ChatMessage[] {
  // What the model has not seen yet is never cleared.
  const seen = messages.slice(0, index).findLastIndex(({ role }) => role === 'assistant');
  const results = messages.slice(0, index).flatMap(({ role }, at) => (role === 'tool' ? [at] : []));
  const kept = new Set(results.filter((at, place) => at > seen || place >= results.length - KEPT_RESULTS));
  return plain(messages, index).map((message, at) =>
    message.role === 'tool' && !kept.has(at - 1)
      ? { ...message, content: '[Old tool result content cleared]' }
      : message,
  );
}

/** From the middle on, the first half of what came before the middle is the client's own summary. */
function summarized(messages: readonly ChatMessage[], index: number): readonly ChatMessage[] {
  const middle = Math.floor(messages.length / 2);
  if (index < middle) return plain(messages, index);
  let start = Math.max(3, Math.floor(middle / 2));
  while (start < middle && messages[start]?.role === 'tool') start += 1;
  const summary: ChatMessage = {
    role: 'user',
    content: `Summary of the conversation so far: ${start} messages about the task; the work goes on below.`,
  };
  return [{ role: 'system', content: PROMPT }, summary, ...messages.slice(start, index)];
}

export const STYLES: readonly Style[] = [
  { name: 'as they come', write: plain },
  { name: 'moving date', write: withDate },
  { name: 'cleared results', write: cleared },
  { name: 'own summary', write: summarized },
];
