import type { ChatMessage } from '../../../src/engine.ts';

/** Tokens that the frame of an entry takes. */
const FRAME_TOKENS = 6;

/** This share of the target goes to the newest messages, in order, each almost whole. */
const NEWEST_SHARE = 0.2;

/** What is kept of each kind of text, characters: two thirds of it from the start, the rest from the end. */
const KEPT = { human: 12_000, newest: 1500, report: 2500, narration: 400, call: 200, result: 100 };

/**
 * The floor: a view that understands nothing and only quotes. What the human said, the newest messages, the closing
 * report of each turn, what the agent said on the way, the calls, the first words of results; in this order and newest
 * first until the target is full. Any compaction must beat it.
 */
export function writeFloor(messages: readonly ChatMessage[], target: number): string {
  const page = new Page(target);
  const newestFirst = [...messages.entries()].reverse();
  for (const [at, message] of messages.entries())
    if (message.role === 'system') page.put(at, 'message', `[t${at}] system\n${textOf(message)}`);
  const newestHuman = messages.findLastIndex(({ role }) => role === 'user');
  for (const [at, message] of messages.entries()) {
    const kept = at === newestHuman ? Number.POSITIVE_INFINITY : KEPT.human;
    if (message.role === 'user') page.put(at, 'message', `[t${at}] user\n${clip(textOf(message), kept)}`);
  }
  putNewest(page, newestFirst, target * NEWEST_SHARE);
  for (const [at, message] of newestFirst)
    if (isSaid(message) && [undefined, 'user'].includes(messages[at + 1]?.role))
      page.put(at, 'message', `[t${at}] assistant\n${clip(textOf(message), KEPT.report)}`);
  for (const [at, message] of newestFirst)
    if (isSaid(message)) page.put(at, 'message', `[t${at}] assistant: ${clip(textOf(message), KEPT.narration)}`);
  for (const [at, message] of newestFirst)
    if (message.tool_calls !== undefined) page.put(at, 'calls', `[t${at}]${clip(callsOf(message), KEPT.call)}`);
  for (const [at, message] of newestFirst)
    if (message.role === 'tool') page.put(at, 'message', `  -> ${clip(textOf(message), KEPT.result)}`);
  return page.write();
}

function putNewest(page: Page, newestFirst: readonly (readonly [number, ChatMessage])[], share: number): void {
  let left = share;
  for (const [at, message] of newestFirst) {
    if (page.has(at, 'message')) continue;
    const calls = clip(callsOf(message), KEPT.newest);
    const entry = `[t${at}] ${message.role}\n${clip(textOf(message), KEPT.newest)}${calls}`;
    left -= tokensOf(entry);
    if (left <= 0) return;
    if (page.put(at, 'message', entry)) page.leaveOut(at, 'calls');
  }
}

type Part = 'message' | 'calls';

/** Entries by message, as many as fit. */
class Page {
  readonly #entries: { readonly at: number; readonly part: Part; readonly text: string }[] = [];
  readonly #done = new Set<string>();
  #left: number;

  constructor(tokens: number) {
    this.#left = tokens;
  }

  has(at: number, part: Part): boolean {
    return this.#done.has(`${part} ${at}`);
  }

  leaveOut(at: number, part: Part): void {
    this.#done.add(`${part} ${at}`);
  }

  /** False when it is there already, or does not fit. */
  put(at: number, part: Part, text: string): boolean {
    const tokens = tokensOf(text);
    if (this.has(at, part) || tokens > this.#left) return false;
    this.#left -= tokens;
    this.#entries.push({ at, part, text });
    this.leaveOut(at, part);
    return true;
  }

  write(): string {
    const rank = { message: 0, calls: 1 };
    const ordered = this.#entries.toSorted((left, right) => left.at - right.at || rank[left.part] - rank[right.part]);
    return ordered.map(({ text }) => text).join('\n');
  }
}

function isSaid(message: ChatMessage): boolean {
  return message.role === 'assistant' && textOf(message).trim() !== '';
}

function clip(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${text.slice(0, Math.floor(characters * 0.7))} [...] ${text.slice(-Math.floor(characters * 0.3))}`;
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN) + FRAME_TOKENS;
}

/** Characters for one token: the exam's targets are set with this, so that they do not depend on any counter. */
export const CHARACTERS_PER_TOKEN = 3.6;

export function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => ('text' in part ? String(part.text) : '')).join('\n') : '';
}

/** The calls of a message, a line each. */
export function callsOf(message: ChatMessage): string {
  return (message.tool_calls ?? []).map((call) => `\n  CALL ${call.function.name} ${call.function.arguments}`).join('');
}

/** Messages as a reader of the exam sees them. */
export function printMessages(messages: readonly ChatMessage[]): string {
  return messages.map((message) => `=== ${message.role}\n${textOf(message)}${callsOf(message)}`).join('\n\n');
}

export function estimateTokens(messages: readonly ChatMessage[]): number {
  const characters = messages.reduce((sum, message) => sum + textOf(message).length + callsOf(message).length, 0);
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
