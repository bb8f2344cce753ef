import assert from 'node:assert/strict';
import { createExactCounter, findRanks } from '../../../src/adapters/tiktoken/ranks.ts';
import { contentText, parseMessage } from '../../../src/core/chat/parse.ts';
import { Transcript } from '../../../src/core/chat/transcript.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { CompactionResult } from '../../../src/core/compaction/compaction.ts';
import { DEFAULT_STRATEGY_SETTINGS } from '../../../src/core/compaction/strategy.ts';
import type { Summarizer } from '../../../src/core/compaction/summarizers/summarizer.ts';
import { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { CompactRequest, ConversationOptions } from '../../../src/core/conversation/conversationOptions.ts';
import type { ModelProfile } from '../../../src/core/model/profile.ts';
import { parseSummary } from '../../../src/core/session/parseSummary.ts';
import { formatEvent } from '../../../src/host/log/formatEvent.ts';
import { presentGauge } from '../../../src/host/present/gauge.ts';

export const PROFILE: ModelProfile = {
  id: 'test',
  provider: 'test',
  baseUrl: 'http://localhost',
  contextWindow: 10_000,
  completionReserve: 1000,
  timeoutMs: 1000,
  tools: true,
  envelope: 'standard',
  extra: {},
};

/** Whether a model is asked to check a note that it wrote. */
export function asksForCheck(messages: readonly { readonly content: string }[]): boolean {
  return messages[0]?.content.startsWith('You check a hand-over') === true;
}

/**
 * A model that gives these answers in turn, then the last one again; records what it was asked. When it is asked to
 * check a note, it doubts nothing, and that is not recorded.
 */
export function scripted(...answers: string[]): Summarizer & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    model: 'scripted',
    inputLimit: 32_000,
    asked,
    write: async ({ messages }) => {
      if (asksForCheck(messages)) return { text: 'none', complete: true };
      asked.push(String(messages.at(-1)?.content));
      return { text: answers[Math.min(asked.length, answers.length) - 1] ?? '', complete: true };
    },
  };
}

export const counter = createExactCounter('o200k_base', findRanks());

/** Ports with predictable ids (`run1`, `run2`, ...) and a clock that does not move. */
export function stillPorts() {
  let runs = 0;
  return {
    newId: () => `run${++runs}`,
    now: () => 0,
    elapsed: () => 0,
    pause: () => new Promise<void>((resolve) => setImmediate(resolve)),
  };
}

/** A conversation with predictable ids (`run1`, `run2`, ...) and a clock that does not move. */
export function converse(messages: readonly ChatMessage[], options: Partial<ConversationOptions> = {}): Conversation {
  const conversation = new Conversation({
    profile: PROFILE,
    counter,
    settings: DEFAULT_STRATEGY_SETTINGS,
    ports: stillPorts(),
    ...options,
  });
  conversation.append(messages);
  return conversation;
}

export const system = (content: string): ChatMessage => ({ role: 'system', content });
export const user = (content: string): ChatMessage => ({ role: 'user', content });
export const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });

/** A call with its result. */
export function tool(id: string, name: string, input: unknown, result: string): ChatMessage[] {
  const args = typeof input === 'string' ? input : JSON.stringify(input);
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name, arguments: args } }] },
    { role: 'tool', tool_call_id: id, content: result },
  ];
}

/** A transcript of these messages, and of calls with their results. */
export function transcriptOf(...messages: readonly (ChatMessage | readonly ChatMessage[])[]): Transcript {
  const transcript = new Transcript();
  for (const message of messages.flat()) transcript.append(parseMessage(message, transcript.nextId));
  return transcript;
}

/** Reads of different files, each with `lines` lines of output. */
export function reads(count: number, lines = 30, first = 0): ChatMessage[] {
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    const output = `export const part${number} = compute(${number}); // of a larger file\n`.repeat(lines);
    return tool(`read${number}`, 'read_file', { path: `src/part${number}.ts` }, output);
  }).flat();
}

/** Appends reads until a share of the budget is used. */
export function fill(conversation: Conversation, share: number): void {
  for (let budget = conversation.budget(); budget.used.tokens < budget.limit * share; budget = conversation.budget())
    conversation.append(reads(1, 20, conversation.transcript.nextId));
}

/** A conversation that has only begun, and one with work behind it. */
export const START: readonly ChatMessage[] = [system('You are an agent.'), user('Fix the import.')];
export const WORK: readonly ChatMessage[] = [...START, ...reads(20), assistant('Done.'), user('And now?')];

/** Compacts, by command if nothing else is said; fails unless something was compacted. */
export async function compact(
  conversation: Conversation,
  request: Partial<CompactRequest> = {},
): Promise<Extract<CompactionResult, { kind: 'compacted' }>> {
  const result = await conversation.compact({ trigger: 'command', ...request });
  return result.kind === 'compacted' ? result : assert.fail(JSON.stringify(result));
}

/** How a run ended; why, where it was skipped. */
export const reasonOf = (result: CompactionResult): string => (result.kind === 'skipped' ? result.reason : result.kind);

/** The lines of the log from now on. */
export function logOf(conversation: Conversation): string[] {
  const lines: string[] = [];
  const about = { at: 0, conversation: 'c', model: 'session-model', offsetMinutes: 0 };
  conversation.on((event) => lines.push(formatEvent(event, about) ?? ''));
  return lines;
}

/** The conversation as it is after it was stored and read again. */
export function reopened(conversation: Conversation): Conversation {
  const { messages, compactions, undone, ...state } = conversation.snapshot();
  const file = JSON.parse(JSON.stringify({ v: 1, title: 'T', createdAt: 0, compactions, pins: [], undone }));
  const { details, dropped } = parseSummary(file, messages.length) ?? assert.fail();
  assert.deepEqual(dropped, []);
  return converse([], { restore: { ...state, messages, compactions: details.compactions, undone: details.undone } });
}

/** Fills the conversation so far that a model writes a note ahead, and waits until it is asked. */
export async function writeAhead(conversation: Conversation, calls: () => number): Promise<void> {
  fill(conversation, 0.75);
  conversation.prepare(new AbortController().signal);
  while (calls() === 0) await new Promise((resolve) => setImmediate(resolve));
}

/** The gauge of a conversation. */
export const gaugeOf = (conversation: Conversation) => presentGauge(conversation, 'automatic');

/** Each message is there once and in order, every call has its results, and what is not whole is named. */
export function assertSound(conversation: Conversation, what = 'the view'): void {
  let next = 0;
  const raw = conversation.transcript.messages;
  for (const item of conversation.items()) {
    assert.equal(item.range.from, next, `${what}: in order`);
    next = item.range.to + 1;
    if (item.kind === 'whole') continue;
    const text = item.messages
      .map((message) => contentText(message) + JSON.stringify(message.tool_calls ?? ''))
      .join('\n');
    const sent = new Set(item.messages.map((message) => JSON.stringify(message)));
    for (let id = item.range.from; id <= item.range.to; id += 1) {
      const isWhole = sent.has(JSON.stringify(raw[id]?.wire));
      assert.ok(isWhole || isNamed(id, text), `${what}: t${id} is neither whole nor behind a handle`);
    }
  }
  assert.equal(next, raw.length, `${what}: all of it`);
  let open: string[] = [];
  for (const message of conversation.request()) {
    if (message.role === 'tool') {
      const at = open.indexOf(String(message.tool_call_id));
      assert.ok(at >= 0, `${what}: a result without its call`);
      open.splice(at, 1);
      continue;
    }
    assert.deepEqual(open, [], `${what}: a call without its results`);
    open = (message.tool_calls ?? []).map(({ id }) => id);
  }
}

function isNamed(id: number, text: string): boolean {
  for (const [, from, to = from] of text.matchAll(/(?<!\w)t(\d{1,9})(?:-(\d{1,9}))?(?!\w)/g))
    if (Number(from) <= id && id <= Number(to)) return true;
  return false;
}
