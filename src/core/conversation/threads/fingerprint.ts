import type { ChatMessage, ChatPart, ChatToolCall } from '../../messages/chat.ts';
import { parseJson } from '../../messages/parseJson.ts';
import { mapInSteps, runAtOnce, type Steps } from '../../steps.ts';
import { Hasher } from './hasher.ts';
import { isVerbatim } from './verbatim.ts';

/** What a message comes down to when two requests are compared. Its last two bits tell the role. */
export type Fingerprint = number;

const ROLES = ['system', 'user', 'assistant', 'tool'] as const;

/** The role of the message that a fingerprint was taken of; a developer message counts as a system message. */
export function roleOf(print: Fingerprint): (typeof ROLES)[number] {
  return ROLES[print % 4] ?? 'system';
}

/** Parts in which a model's reasoning comes back, as providers name them. */
const REASONING_PARTS = new Set(['thinking', 'redacted_thinking', 'reasoning']);

/** Reasoning that a server left in the text, before the answer. */
const REASONING_TEXT = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>\s*/;

/** Messages whose fingerprints were taken before. They may go away while work in steps pauses. */
export interface Printed {
  readonly length: number;
  /** The message at this place of a request; undefined where there is none, or where its fingerprint is another's. */
  messageAt(place: number): ChatMessage | undefined;
  /** Its fingerprint. */
  printAt(place: number): Fingerprint;
}

/**
 * The fingerprints of messages in their order. Equal for what clients change without meaning anything by it: the order
 * of keys in arguments, a text as a string or as parts, cache marks, reasoning, ids of calls, unknown fields, white space
 * at line ends. `before`: what may have come at the same places; its fingerprints hold for messages that say the very same.
 */
export function fingerprintsOf(messages: readonly ChatMessage[], before?: Printed): Fingerprint[] {
  return runAtOnce(fingerprintsInSteps(messages, before));
}

/** The same in steps. `taken`: the fingerprints of the first messages. */
export function* fingerprintsInSteps(
  messages: readonly ChatMessage[],
  before?: Printed,
  taken: readonly Fingerprint[] = [],
): Steps<Fingerprint[]> {
  // A result is printed with its call.
  let start = taken.length;
  while (start > 0 && messages[start]?.role === 'tool') start -= 1;
  let calls: readonly ChatToolCall[] = [];
  let areCallsKnown = false;
  const print = (message: ChatMessage, offset: number): Fingerprint => {
    const known = before?.messageAt(start + offset);
    const isKnown = known !== undefined && isVerbatim(known, message);
    if (message.role !== 'tool') {
      calls = message.tool_calls ?? [];
      areCallsKnown = isKnown;
    }
    if (before !== undefined && isKnown && (areCallsKnown || message.role !== 'tool'))
      return before.printAt(start + offset);
    const role = message.role === 'developer' ? 'system' : message.role;
    const hasher = message.role === 'tool' ? hashResult(message, calls) : hashMessage(message);
    return hasher.end() * 4 + ROLES.indexOf(role);
  };
  return [...taken.slice(0, start), ...(yield* mapInSteps(messages.slice(start), print, AT_ONCE))];
}

/** Messages that are printed between two pauses: one may be long. */
const AT_ONCE = 4;

/** A result belongs to the call at its place: ids may be given anew. */
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

/** Arguments by what they say; a text that is no JSON by its letters. */
function argumentsPrint(text: string): number {
  if (text.trim() === '') return jsonPrint({});
  const parsed = parseJson(text);
  return parsed === undefined ? new Hasher().number(1).text(text).end() : jsonPrint(parsed);
}

const KEPT = new WeakMap<object, number>();

/** The same of what comes again as the same object, which must not be changed. */
export function keptPrint(value: object): number {
  const print = KEPT.get(value) ?? jsonPrint(value);
  KEPT.set(value, print);
  return print;
}

/** The fingerprint of a JSON value; the order of keys does not count. */
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
