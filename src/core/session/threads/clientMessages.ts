import type { MessageId } from '../../chat/message.ts';
import { contentText, parseMessage, readArguments } from '../../chat/parse.ts';
import type { ChatMessage, ChatPart } from '../../chat/wire.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { eachInSteps, type Steps } from '../../steps.ts';
import type { StatelessRequest } from './match.ts';

/** A request, split into its system prompt and the rest, with fingerprints of the rest. */
export interface SplitRequest {
  readonly request: StatelessRequest;
  readonly prompt: readonly ChatMessage[];
  readonly messages: readonly ChatMessage[];
  readonly prints: readonly number[];
}

/** Marks messages that only Karl and the model exchanged. */
const HIDDEN = 'karl_hidden';

/** Marks for the provider's prompt cache. They move with each request, so the transcript has none. */
const MARK = 'cache_control';

/** How many messages are checked between two pauses: one may be long. */
const AT_ONCE = 4;

/**
 * Splits a request, in steps.
 * @throws InvalidMessageError naming the index and the field when a message is invalid.
 */
export function* splitRequest(request: StatelessRequest): Steps<SplitRequest> {
  const { messages } = request;
  const checked = (message: ChatMessage, index: number): void => {
    // The reader of requests reuses the objects of earlier ones.
    if (!MESSAGE_PRINTS.has(message)) parseMessage(message, index);
    fingerprint(message);
  };
  yield* eachInSteps(messages, checked, AT_ONCE);
  const start = promptLength(messages);
  const rest = messages.slice(start);
  return { request, prompt: messages.slice(0, start), messages: rest, prints: rest.map(fingerprint) };
}

/** How many messages at the beginning of a transcript or a request are its system prompt. */
export function promptLength(messages: readonly Pick<ChatMessage, 'role'>[]): number {
  const end = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  return end < 0 ? messages.length : end;
}

/** Marks a message as one that the client never sees. */
export function markHidden(message: ChatMessage): ChatMessage {
  return { ...message, [HIDDEN]: true };
}

/** The messages that a client knows: without prompt, hidden messages and calls that Karl answered itself. */
export function clientMessages({
  transcript,
}: Pick<Conversation, 'transcript'>): readonly { readonly id: MessageId; readonly message: ChatMessage }[] {
  const raw = transcript.messages.map(({ wire }) => wire);
  const start = promptLength(raw);
  return raw.flatMap((message, id) =>
    id < start || isHidden(message) ? [] : [{ id, message: withoutAnswered(message, raw, id) }],
  );
}

function isHidden(message: ChatMessage): boolean {
  return message[HIDDEN] === true;
}

/** A reply without the calls whose results are hidden: those follow it. */
function withoutAnswered(message: ChatMessage, raw: readonly ChatMessage[], id: MessageId): ChatMessage {
  const next = raw[id + 1];
  if (message.tool_calls === undefined || next === undefined || !isHidden(next)) return message;
  const { tool_calls: calls, ...rest } = message;
  const own = new Set<unknown>();
  for (let after = id + 1; isHidden(raw[after] ?? rest); after += 1) own.add(raw[after]?.tool_call_id);
  const sent = calls.filter((call) => !own.has(call.id));
  return sent.length === 0 ? rest : { ...rest, tool_calls: sent };
}

/** The message without marks; the same object when it has none. */
export function withoutMarks(message: ChatMessage): ChatMessage {
  const { content } = message;
  const hasMarkedPart = typeof content === 'object' && content?.some((part) => MARK in part) === true;
  if (message[MARK] === undefined && !hasMarkedPart) return message;
  const { [MARK]: _, ...rest } = message;
  const parts = hasMarkedPart ? { content: content.map(({ [MARK]: __, ...part }) => part) } : {};
  return { ...rest, ...parts } as ChatMessage;
}

/**
 * Whether two messages say the same: role, name, text and other parts, calls with ids, the call of a result.
 * Differences without a meaning do not count: a text as a string or as parts, white space at line ends, how the
 * arguments of a call are written, cache marks, unknown fields.
 */
export function isSameMessage(one: ChatMessage, other: ChatMessage): boolean {
  return one === other || isVerbatim(one, other) || canonical(one) === canonical(other);
}

/** The usual case, compared without allocating anything. */
function isVerbatim(one: ChatMessage, other: ChatMessage): boolean {
  const [calls, others] = [one.tool_calls ?? [], other.tool_calls ?? []];
  return (
    one.role === other.role &&
    one.name === other.name &&
    one.tool_call_id === other.tool_call_id &&
    typeof one.content !== 'object' &&
    one.content === other.content &&
    calls.length === others.length &&
    calls.every(
      (call, index) =>
        call.id === others[index]?.id &&
        call.function.name === others[index].function.name &&
        call.function.arguments === others[index].function.arguments,
    )
  );
}

function canonical({ role, name, content, tool_calls: calls, tool_call_id: callId }: ChatMessage): string {
  const said = typeof content === 'string' ? [content] : (content ?? []).map(partText);
  return JSON.stringify([
    role === 'developer' ? 'system' : role,
    role === 'user' ? (name ?? '') : '',
    said.filter((part) => part !== '').map(withoutLineEnds),
    (calls ?? []).map((call) => [call.id, call.function.name, inOrder(argumentsOf(call.function.arguments))]),
    callId ?? '',
  ]);
}

/** The text of a part, or the part itself as JSON: an image. */
function partText({ [MARK]: _, ...part }: ChatPart): string {
  return typeof part.text === 'string' && part.type === 'text' ? part.text : JSON.stringify(inOrder(part));
}

/** Joined line by line, since an expression for white space before a line end takes too long on much white space. */
function withoutLineEnds(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}

function argumentsOf(text: string): unknown {
  return text.trim() === '' ? {} : readArguments(text);
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, inOrder(item)]));
}

const MESSAGE_PRINTS = new WeakMap<ChatMessage, number>();
const VALUE_PRINTS = new WeakMap<object, number>();

/**
 * A message reduced to a number, equal for messages that are the same: of its text without white space, and of the ids
 * and names of its calls. It only finds threads that begin like a request; their messages are then compared. Cached by
 * object.
 */
export function fingerprint(message: ChatMessage): number {
  const print = MESSAGE_PRINTS.get(message) ?? hash(outline(message), 'space');
  MESSAGE_PRINTS.set(message, print);
  return print;
}

function outline(message: ChatMessage): string {
  const { role, name, tool_calls: calls, tool_call_id: callId } = message;
  const said = [role === 'developer' ? 'system' : role, role === 'user' ? (name ?? '') : '', callId ?? ''];
  for (const call of calls ?? []) said.push(call.id, call.function.name);
  return `${said.join()}\n${contentText(message)}`;
}

/** The fingerprint of any other JSON value, whatever the order of its keys; cached by object. */
export function printOf(value: object): number {
  const print = VALUE_PRINTS.get(value) ?? hash(JSON.stringify(inOrder(value)));
  VALUE_PRINTS.set(value, print);
  return print;
}

/** A hash of 53 bits (cyrb53), for one user's messages; no defence against deliberate collisions. */
function hash(text: string, leavesOut: 'nothing' | 'space' = 'nothing'): number {
  // Whole numbers of 32 bits from the start: others cost three times as much.
  let a = 0xdeadbeef | 0;
  let b = 0x41c6ce57 | 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (leavesOut === 'space' && isSpace(code)) continue;
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return 0x100000000 * (b & 0x1fffff) + (a >>> 0);
}

/** All white space of Unicode, and some marks beside it. */
function isSpace(code: number): boolean {
  if (code < 0xa0) return code <= 0x20;
  return code === 0xa0 || code === 0x1680 || (code >= 0x2000 && code < 0x2070) || code === 0x3000 || code === 0xfeff;
}

/** What a request says about its thread, for the record. */
export function aboutOf({ request: { client, hint, profile, tools }, prompt, prints }: SplitRequest) {
  return { client, hint, profile, prints, prompt: printOf(prompt), hasTools: tools.length > 0 };
}
