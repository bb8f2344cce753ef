import { asText, isRecord } from '../result.ts';
import { writerOf } from './human.ts';
import type { Message, MessageId, ToolCall } from './message.ts';
import { parseJson } from './parseJson.ts';
import type { ChatMessage, ChatPart, ChatToolCall } from './wire.ts';

/** Thrown for an invalid chat-completions message: which one, which field, and what was expected there. */
export class InvalidMessageError extends Error {
  override readonly name = 'InvalidMessageError';
  readonly index: number;
  readonly field: string;

  constructor(index: number, field: string, expected: string) {
    super(`message ${index}: ${field} must be ${expected}`);
    this.index = index;
    this.field = field;
  }
}

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/** The fields with a message's content, which have no limit of size. */
const SAID = new Set(['content', 'tool_calls']);

/** The largest size of any other field, in characters: twice what a whole reply may have. */
const LARGEST_FIELD = 32_000_000;

/**
 * Checks one chat-completions message and gives it its place in the transcript.
 * @throws InvalidMessageError naming `index` and the field.
 */
export function parseMessage(value: unknown, id: MessageId, index: number = id): Message {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidMessageError(index, 'message', 'an object');
  }
  const wire = value as ChatMessage;
  if (!ROLES.has(wire.role)) {
    throw new InvalidMessageError(index, 'role', `one of ${[...ROLES].join(', ')}, not ${JSON.stringify(wire.role)}`);
  }
  checkContent(wire, index);
  checkWeight(wire, index);
  const text = contentText(wire);
  switch (wire.role) {
    case 'system':
    case 'developer':
      return { id, role: 'system', text, wire };
    case 'user':
      return { id, role: 'user', text, wire, by: writerOf(wire, text) };
    case 'assistant':
      return { id, role: 'assistant', text, wire, calls: parseCalls(wire.tool_calls, index) };
    case 'tool':
      if (typeof wire.tool_call_id !== 'string' || wire.tool_call_id === '') {
        throw new InvalidMessageError(index, 'tool_call_id', 'a non-empty string');
      }
      return { id, role: 'tool', text, wire, callId: wire.tool_call_id };
  }
}

/** Why a value is not a valid message; undefined if it is one. */
export function findFault(value: unknown): string | undefined {
  try {
    parseMessage(value, 0);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidMessageError) return error.message;
    throw error;
  }
}

function checkContent({ content, role }: ChatMessage, index: number): void {
  if (typeof content === 'string') return;
  if (role === 'assistant' && (content === null || content === undefined)) return;
  if (!Array.isArray(content)) throw new InvalidMessageError(index, 'content', 'a string or an array of parts');
  content.forEach((part: unknown, position) => {
    const field = `content[${position}]`;
    if (typeof part !== 'object' || part === null) throw new InvalidMessageError(index, field, 'an object');
    const { type, text } = part as { type?: unknown; text?: unknown };
    if (typeof type !== 'string') throw new InvalidMessageError(index, `${field}.type`, 'a string');
    if (type === 'text' && typeof text !== 'string') throw new InvalidMessageError(index, `${field}.text`, 'a string');
  });
}

/** Refuses messages that could not be serialised, or would fill the memory. */
function checkWeight(wire: ChatMessage, index: number): void {
  for (const field of Object.keys(wire)) {
    const { kind } = weigh(wire[field], SAID.has(field) ? Number.POSITIVE_INFINITY : LARGEST_FIELD);
    if (kind === 'too-deep') throw new InvalidMessageError(index, field, `nested at most ${DEEPEST_FIELD} levels deep`);
    if (kind === 'not-json') throw new InvalidMessageError(index, field, 'made of values that JSON has');
    if (kind === 'too-large') throw new InvalidMessageError(index, field, `at most ${LARGEST_FIELD} characters large`);
  }
}

const NO_CALLS: readonly ToolCall[] = [];

function parseCalls(calls: unknown, index: number): readonly ToolCall[] {
  if (calls === undefined || calls === null) return NO_CALLS;
  if (!Array.isArray(calls)) throw new InvalidMessageError(index, 'tool_calls', 'an array');
  return calls.map((call: Partial<ChatToolCall> | null, position) => {
    const field = `tool_calls[${position}]`;
    if (typeof call?.id !== 'string' || call.id === '') {
      throw new InvalidMessageError(index, `${field}.id`, 'a non-empty string');
    }
    if (typeof call.function?.name !== 'string' || call.function.name === '') {
      throw new InvalidMessageError(index, `${field}.function.name`, 'a non-empty string');
    }
    if (typeof call.function.arguments !== 'string') {
      throw new InvalidMessageError(index, `${field}.function.arguments`, 'a string (it need not be JSON)');
    }
    return { id: call.id, name: call.function.name, arguments: call.function.arguments };
  });
}

/** Everything in a message's content that can be read as text; parts are joined by line ends. */
export function contentText(wire: ChatMessage): string {
  const { content } = wire;
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  return content.map(partText).join('\n');
}

function partText(part: ChatPart): string {
  if (typeof part.text === 'string') return part.text;
  if (part.type === 'image_url') return imageMark(part);
  return `[${asText(part.type)}]`;
}

/** The short mark for an image when its message is read as text: type and size, never its bytes. */
function imageMark(part: ChatPart): string {
  const url: unknown = Object(part.image_url).url;
  const data = typeof url === 'string' ? /^data:([\w/+.-]+);base64,/.exec(url) : null;
  if (typeof url !== 'string' || data === null) return '[image]';
  const kilobytes = Math.ceil(((url.length - data[0].length) * 3) / 4 / 1024);
  return `[image ${data[1]} · ${kilobytes} kB]`;
}

/** The deepest nesting of a message's fields. Providers use fewer than ten levels; serialisers fail at thousands. */
export const DEEPEST_FIELD = 100;

/** The size of a value, or the limit that it breaks. */
export type Weight =
  /** `size`: the characters of its texts and names, plus one for each value. */
  | { readonly kind: 'fits'; readonly size: number }
  | { readonly kind: 'too-deep' }
  | { readonly kind: 'too-large' }
  /** It holds something that JSON cannot: a bigint, a function or a symbol. */
  | { readonly kind: 'not-json' };

const TOO_LARGE: Weight = { kind: 'too-large' };

const NOT_JSON = ['bigint', 'function', 'symbol'];

/** Weighs a JSON-like value without recursion, in a time bounded by `largest`. One that contains itself is too deep. */
export function weigh(value: unknown, largest: number): Weight {
  if (typeof value === 'string') return value.length < largest ? { kind: 'fits', size: value.length + 1 } : TOO_LARGE;
  let size = 0;
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: one, depth } = next;
    size += typeof one === 'string' ? one.length + 1 : 1;
    if (size > largest) return TOO_LARGE;
    if (NOT_JSON.includes(typeof one)) return { kind: 'not-json' };
    if (typeof one !== 'object' || one === null) continue;
    if (depth === DEEPEST_FIELD) return { kind: 'too-deep' };
    const inside = Array.isArray(one) ? one : Object.values(one);
    if (!Array.isArray(one)) for (const name of Object.keys(one)) size += name.length;
    if (size + inside.length > largest) return TOO_LARGE;
    for (const item of inside)
      if (typeof item === 'object' && item !== null) waiting.push({ value: item, depth: depth + 1 });
      else if (typeof item === 'string') size += item.length + 1;
      else if (NOT_JSON.includes(typeof item)) return { kind: 'not-json' };
      else size += 1;
    if (size > largest) return TOO_LARGE;
  }
  return { kind: 'fits', size };
}

/** A call's arguments; the text itself where they are not JSON, or nested too deeply to be written again. */
export function readArguments(text: string): unknown {
  const value = parseJson(text) ?? text;
  return weigh(value, Number.POSITIVE_INFINITY).kind === 'fits' ? value : text;
}

/** A call's arguments as an object. Anything else becomes a field that no tool has, so the tool says what is wrong. */
export function readInput(text: string): object {
  const value = readArguments(text);
  return isRecord(value) ? value : { malformed: text };
}
