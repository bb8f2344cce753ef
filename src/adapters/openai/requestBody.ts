import { type ChatMessage, type ChatToolCall, OWN_FIELD } from '../../core/messages/chat.ts';
import { countSame } from '../../core/messages/growing.ts';
import { parseJson } from '../../core/messages/parseJson.ts';
import { alternateRoles } from '../../core/profile/shape.ts';
import { renderEnvelope, textEnvelope } from '../../core/session/envelope/envelope.ts';
import type { ModelRequest, WrittenMessages } from '../../core/session/modelClient.ts';
import { eachInSteps, mapInSteps, type Steps } from '../../core/steps.ts';
import { type Adaptation, TOOL_FIELDS } from './adaptations.ts';
import { isFields } from './mergeFields.ts';

/** The body of a request before it is written. */
export interface RequestBody {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly [field: string]: unknown;
}

/**
 * The body of a chat-completions request. The profile's extras are part of every request, and the request's own fields
 * take precedence over them; an output limit stated by the request itself takes precedence over both, as do messages
 * and model.
 */
export function* makeRequestBody(request: ModelRequest, adaptations: ReadonlySet<Adaptation>): Steps<RequestBody> {
  const { profile, fields = {} } = request;
  const envelope = textEnvelope(profile);
  const rendered =
    envelope === undefined
      ? request.messages
      : renderEnvelope({ messages: request.messages, tools: request.tools, profile, envelope });
  const shaped = adaptations.has('alternating-roles') ? alternateRoles(rendered) : rendered;
  const messages = adaptations.has('text-content') ? shaped.map(withContent) : shaped;
  const dropped = [...adaptations].filter((one) => one.startsWith('drop:')).map((one) => one.slice('drop:'.length));
  const { max_tokens: _, max_completion_tokens: __, stream_options, ...extras } = { ...profile.extra, ...fields };
  const isWithoutTools = envelope !== undefined || adaptations.has('no-tool-fields');
  const about = isWithoutTools
    ? Object.fromEntries(Object.entries(extras).filter(([name]) => !TOOL_FIELDS.includes(name)))
    : extras;
  const streams = fields.stream !== false;
  return {
    ...(streams && !adaptations.has('no-stream-options') && { stream_options: withUsage(stream_options) }),
    ...about,
    ...outputLimit(request, adaptations),
    model: profile.id,
    messages: yield* toWires(messages, dropped),
    ...(envelope === undefined && request.tools.length > 0 ? { tools: request.tools } : {}),
    stream: streams,
  };
}

/** A body as JSON, in pieces: messages that were written before are reused, and no other message is written twice. */
export function* writeBody(
  { messages, ...fields }: RequestBody,
  written?: WrittenMessages,
): Steps<readonly Uint8Array[]> {
  const others = written?.messages ?? [];
  let places: ReadonlyMap<unknown, number> | undefined;
  let next = 0;
  const pieces: Uint8Array[] = [];
  let own: Buffer[] = [...writeFields(fields), MESSAGES];
  for (let at = 0; at < messages.length; ) {
    if (at > 0) own.push(COMMA);
    const message = messages[at] as ChatMessage;
    // Messages that follow each other here mostly did so in the request before.
    if (message !== others[next]) places ??= yield* placesOf(others);
    const place = message === others[next] ? next : places?.get(message);
    if (written === undefined || place === undefined) {
      own.push(writeOnce(message));
      at += 1;
    } else {
      const start = at;
      while (at < messages.length && messages[at] === others[place + at - start]) at += 1;
      next = place + at - start;
      pieces.push(Buffer.concat(own), written.slice(place, next));
      own = [];
    }
    yield;
  }
  return [...pieces, Buffer.concat([...own, END])];
}

function* placesOf(messages: readonly unknown[]): Steps<ReadonlyMap<unknown, number>> {
  const places = new Map<unknown, number>();
  yield* eachInSteps(messages, (message, place) => places.set(message, place));
  return places;
}

const COMMA = Buffer.from(',');
const MESSAGES = Buffer.from(',"messages":[');
const LIST_END = Buffer.from(']');
const END = Buffer.from(']}');

/** The fields of a body, left open for the messages. Tools are long, and mostly the same as before. */
function writeFields({ tools, ...fields }: Omit<RequestBody, 'messages'>): readonly Buffer[] {
  if (!Array.isArray(tools) || tools.length === 0 || !tools.every(isFields))
    return [Buffer.from(JSON.stringify({ ...fields, tools }).slice(0, -1))];
  const pieces = [Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"tools":[`)];
  for (const tool of tools) pieces.push(writeOnce(tool), COMMA);
  return [...pieces.slice(0, -1), LIST_END];
}

const WRITTEN = new WeakMap<object, Buffer<ArrayBuffer>>();

/** The JSON of something that does not change any more. */
function writeOnce(value: object): Buffer<ArrayBuffer> {
  const known = WRITTEN.get(value);
  if (known !== undefined) return known;
  const text = Buffer.from(JSON.stringify(value));
  WRITTEN.set(value, text);
  return text;
}

function withContent(message: ChatMessage): ChatMessage {
  return message.content === null ? { ...message, content: '' } : message;
}

function withUsage(options: unknown): object {
  return { include_usage: true, ...(isFields(options) && options) };
}

/** The output limit, under the name that the server knows. */
function outputLimit({ profile, fields = {}, maxTokens }: ModelRequest, adaptations: ReadonlySet<Adaptation>): object {
  const own = 'max_tokens' in fields || 'max_completion_tokens' in fields ? fields : profile.extra;
  const limit = maxTokens ?? own.max_completion_tokens ?? own.max_tokens;
  if (limit === undefined || limit === null) return {};
  const isRenamed = adaptations.has('max-completion-tokens') || 'max_completion_tokens' in own;
  return { [isRenamed ? 'max_completion_tokens' : 'max_tokens']: limit };
}

/**
 * For a conversation, identified by its first message: the messages of its last request of which all are sent unchanged
 * to every server.
 */
const SENT = new WeakMap<ChatMessage, readonly ChatMessage[]>();

function* toWires(messages: readonly ChatMessage[], dropped: readonly string[]): Steps<readonly ChatMessage[]> {
  const [first] = messages;
  if (first === undefined || dropped.length > 0)
    return yield* mapInSteps(messages, (message) => toWire(message, dropped));
  const same = countSame(SENT.get(first) ?? [], messages);
  const others = messages.slice(same);
  const wires = yield* mapInSteps(others, (message) => toWire(message, dropped));
  if (countSame(wires, others) < others.length) return messages.slice(0, same).concat(wires);
  SENT.set(first, messages);
  return messages;
}

/** Messages that are sent unchanged to every server, unless it wants a field dropped. */
const AS_THEY_ARE = new WeakSet<ChatMessage>();

function toWire(message: ChatMessage, dropped: readonly string[]): ChatMessage {
  if (dropped.length === 0 && AS_THEY_ARE.has(message)) return message;
  const calls = message.tool_calls;
  const unsafe = calls?.some((call) => !isJsonObject(call)) === true;
  const hidden = Object.keys(message).filter((name) => name.startsWith(OWN_FIELD) || dropped.includes(name));
  if (hidden.length === 0 && !unsafe) {
    if (dropped.length === 0) AS_THEY_ARE.add(message);
    return message;
  }
  const wire = Object.fromEntries(Object.entries(message).filter(([name]) => !hidden.includes(name)));
  return { ...wire, role: message.role, ...(unsafe ? { tool_calls: calls?.map(makeSafe) ?? [] } : {}) };
}

function isJsonObject(call: ChatToolCall): boolean {
  return isFields(parseJson(call.function.arguments));
}

/** Many servers parse the arguments of earlier calls and refuse the whole request when one is not a JSON object. */
function makeSafe(call: ChatToolCall): ChatToolCall {
  if (isJsonObject(call)) return call;
  return { ...call, function: { ...call.function, arguments: JSON.stringify({ malformed: call.function.arguments }) } };
}
