import type { ChatMessage, ChatPart, ChatToolCall } from '../../messages/chat.ts';
import { parseJson } from '../../messages/parseJson.ts';
import { mapInSteps, runAtOnce, type Steps } from '../../steps.ts';
import { Hasher } from './hasher.ts';
import { isVerbatim } from './verbatim.ts';

/** A message reduced to a number, to compare requests. Its last two bits give the role. */
export type Fingerprint = number;

const ROLES = ['system', 'user', 'assistant', 'tool'] as const;

/** The role of the message that a fingerprint was made from; a developer message counts as a system message. */
export function roleOf(print: Fingerprint): (typeof ROLES)[number] {
  return ROLES[print % 4] ?? 'system';
}

/** Types of parts in which clients send a model's reasoning back, by provider. */
const REASONING_PARTS = new Set(['thinking', 'redacted_thinking', 'reasoning']);

/** Reasoning that a server left in the text before the answer. */
const REASONING_TEXT = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>\s*/;

/** Messages whose fingerprints were taken before. */
export interface PrintedMessages {
  /** By their places in a request; undefined where the fingerprint was made from another version of the message. */
  readonly messages: readonly (ChatMessage | undefined)[];
  readonly prints: readonly Fingerprint[];
}

/** What has such messages. They may be removed while work in steps pauses. */
export interface Printed {
  readonly printed: PrintedMessages;
}

/**
 * The fingerprints of messages, in order. Equal for differences that carry no meaning: the order of keys in arguments,
 * a text as a string or as parts, cache marks, reasoning, ids of calls, unknown fields, white space at line ends.
 * `before`: messages that may occur at the same places; their fingerprints are used again for identical messages.
 */
export function fingerprintsOf(messages: readonly ChatMessage[], before?: Printed): Fingerprint[] {
  return runAtOnce(fingerprintsInSteps(messages, before));
}

/** The same in steps. `taken`: the fingerprints of the first messages, already known. */
export function* fingerprintsInSteps(
  messages: readonly ChatMessage[],
  before?: Printed,
  taken: readonly Fingerprint[] = [],
): Steps<Fingerprint[]> {
  // A result's fingerprint depends on its call, so it is made together with it.
  let start = taken.length;
  while (start > 0 && messages[start]?.role === 'tool') start -= 1;
  let calls: readonly ChatToolCall[] = [];
  let areCallsKnown = false;
  const print = (message: ChatMessage, offset: number): Fingerprint => {
    const known = before?.printed.messages[start + offset];
    const isKnown = known !== undefined && isVerbatim(known, message);
    if (message.role !== 'tool') {
      calls = message.tool_calls ?? [];
      areCallsKnown = isKnown;
    }
    if (before !== undefined && isKnown && (areCallsKnown || message.role !== 'tool'))
      return before.printed.prints[start + offset] ?? 0;
    const role = message.role === 'developer' ? 'system' : message.role;
    const hasher = message.role === 'tool' ? hashResult(message, calls) : hashMessage(message);
    return hasher.end() * 4 + ROLES.indexOf(role);
  };
  return [...taken.slice(0, start), ...(yield* mapInSteps(messages.slice(start), print, AT_ONCE))];
}

/** How many messages are processed between two pauses: one may be long. */
const AT_ONCE = 4;

/** A result is matched with its call by place, since clients may renew ids. */
function hashResult(message: ChatMessage, calls: readonly ChatToolCall[]): Hasher {
  const place = calls.findIndex((call) => call.id === message.tool_call_id);
  return addContent(new Hasher().number(place), message);
}

function hashMessage(message: ChatMessage): Hasher {
  const hasher = addContent(new Hasher().exactly(message.role === 'user' ? (message.name ?? '') : ''), message);
  for (const call of message.tool_calls ?? []) {
    hasher.exactly(call.function.name).hash(argumentsPrint(call.function.arguments));
  }
  return hasher;
}

/** The fingerprint of arguments by their JSON value; by their characters when they are not JSON. */
function argumentsPrint(text: string): number {
  if (text.trim() === '') return jsonPrint({});
  const parsed = parseJson(text);
  return parsed === undefined ? new Hasher().number(1).text(text).end() : jsonPrint(parsed);
}

const KEPT = new WeakMap<object, number>();

/** The same, cached for objects that come again and must not change. */
export function keptPrint(value: object): number {
  const print = KEPT.get(value) ?? jsonPrint(value);
  KEPT.set(value, print);
  return print;
}

/** The fingerprint of a JSON value, whatever the order of its keys. */
export function jsonPrint(value: unknown): number {
  if (typeof value === 'string') return new Hasher().number(2).exactly(value).end();
  if (Array.isArray(value)) {
    const hasher = new Hasher().number(3).number(value.length);
    for (const item of value) hasher.hash(jsonPrint(item));
    return hasher.end();
  }
  if (typeof value !== 'object' || value === null) return new Hasher().number(4).exactly(String(value)).end();
  const pairs = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => new Hasher().exactly(key).hash(jsonPrint(item)).end())
    .sort((one, other) => one - other);
  const hasher = new Hasher().number(5).number(pairs.length);
  for (const pair of pairs) hasher.hash(pair);
  return hasher.end();
}

function addContent(hasher: Hasher, { role, content }: ChatMessage): Hasher {
  if (typeof content === 'string') return hasher.text(content, role === 'assistant' ? reasoningEnd(content) : 0);
  let isFirst = true;
  for (const part of content ?? []) {
    if (REASONING_PARTS.has(part.type) || part.text === '') continue;
    if (!isFirst) hasher.number(10);
    if (typeof part.text === 'string')
      hasher.text(part.text, isFirst && role === 'assistant' ? reasoningEnd(part.text) : 0);
    else hasher.hash(jsonPrint(withoutMarks(part)));
    isFirst = false;
  }
  return hasher;
}

function reasoningEnd(text: string): number {
  return REASONING_TEXT.exec(text)?.[0].length ?? 0;
}

function withoutMarks({ cache_control: _, ...part }: ChatPart): Omit<ChatPart, 'cache_control'> {
  return part;
}
