import type { ChatMessage, ChatPart } from '../../messages/chat.ts';
import { parseJson } from '../../messages/parseJson.ts';
import { mapInSteps, type Steps } from '../../steps.ts';
import { Hasher } from './hasher.ts';

/** A message reduced to a number, to find the threads that begin like a request. What is found is compared itself. */
export type Fingerprint = number;

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

/** How many messages are processed between two pauses: one may be long. */
const AT_ONCE = 4;

/** The fingerprints of messages, in order; equal for messages that are the same by `isSameMessage`. */
export function* fingerprintsInSteps(messages: readonly ChatMessage[]): Steps<Fingerprint[]> {
  return yield* mapInSteps(messages, fingerprint, AT_ONCE);
}

function fingerprint(message: ChatMessage): Fingerprint {
  const role = message.role === 'developer' ? 'system' : message.role;
  const hasher = new Hasher().exactly(role).exactly(message.role === 'user' ? (message.name ?? '') : '');
  addContent(hasher, message).exactly(message.tool_call_id ?? '');
  for (const { id, function: called } of message.tool_calls ?? [])
    hasher.exactly(id).exactly(called.name).hash(argumentsPrint(called.arguments));
  return hasher.end();
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

function addContent(hasher: Hasher, { content }: ChatMessage): Hasher {
  if (typeof content === 'string') return content === '' ? hasher : hasher.text(content, 0);
  let isFirst = true;
  for (const part of content ?? []) {
    if (part.text === '') continue;
    if (!isFirst) hasher.number(10);
    if (typeof part.text === 'string' && part.type === 'text') hasher.text(part.text, 0);
    else hasher.hash(jsonPrint(withoutMark(part)));
    isFirst = false;
  }
  return hasher;
}

function withoutMark({ cache_control: _, ...part }: ChatPart): Omit<ChatPart, 'cache_control'> {
  return part;
}
