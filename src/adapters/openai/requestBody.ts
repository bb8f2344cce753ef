import type { ChatMessage, ChatToolCall } from '../../core/messages/chat.ts';
import { parseJson } from '../../core/messages/parseJson.ts';
import { textEnvelope } from '../../core/session/envelope/envelope.ts';
import { renderEnvelope } from '../../core/session/envelope/render.ts';
import type { ModelRequest, WrittenMessages } from '../../core/session/modelClient.ts';
import { eachInSteps, mapInSteps, type Steps } from '../../core/steps.ts';
import type { Adaptation } from './adaptations.ts';
import { isFields } from './mergeFields.ts';

/** Fields with this prefix are Karl's own marks on a message; no server sees them. */
const OWN_FIELD_PREFIX = 'karl_';

/** The body of a request before it is written. */
export interface RequestBody {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly [field: string]: unknown;
}

/**
 * The body of a chat-completions request. The profile's extras go with every request, the request's own fields win over
 * them; an output limit that the request itself states wins over both, as do messages and model.
 */
export function* makeRequestBody(request: ModelRequest, adaptations: ReadonlySet<Adaptation>): Steps<RequestBody> {
  const { profile, fields = {} } = request;
  const envelope = textEnvelope(profile);
  const messages =
    envelope === undefined
      ? request.messages
      : renderEnvelope({ messages: request.messages, tools: request.tools, profile, envelope });
  const dropped = [...adaptations].filter((one) => one.startsWith('drop:')).map((one) => one.slice('drop:'.length));
  const { max_tokens: _, max_completion_tokens: __, stream_options, ...extras } = { ...profile.extra, ...fields };
  // Servers refuse these without tools.
  const { tool_choice, parallel_tool_calls, ...others } = extras;
  const about = envelope === undefined ? extras : others;
  const streams = fields.stream !== false;
  return {
    ...(streams && !adaptations.has('no-stream-options') && { stream_options: withUsage(stream_options) }),
    ...about,
    ...outputLimit(request, adaptations),
    model: profile.id,
    messages: yield* mapInSteps(messages, (message) => toWire(message, dropped)),
    ...(envelope === undefined && request.tools.length > 0 ? { tools: request.tools } : {}),
    stream: streams,
  };
}

/** A body as JSON, in pieces: what is written already stands in it as it is, and no other message is written twice. */
export function* writeBody(
  { messages, ...fields }: RequestBody,
  written?: WrittenMessages,
): Steps<readonly Uint8Array[]> {
  const others = written?.messages ?? [];
  let places: ReadonlyMap<unknown, number> | undefined;
  let next = 0;
  const pieces: Uint8Array[] = [];
  let own: Buffer[] = [Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"messages":[`)];
  for (let at = 0; at < messages.length; ) {
    if (at > 0) own.push(COMMA);
    const message = messages[at] as ChatMessage;
    // What follows here mostly follows there.
    if (message !== others[next]) places ??= yield* placesOf(others);
    const place = message === others[next] ? next : places?.get(message);
    if (written === undefined || place === undefined) {
      own.push(writeMessage(message));
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

const [COMMA, END] = [Buffer.from(','), Buffer.from(']}')];

const WRITTEN = new WeakMap<ChatMessage, Buffer>();

function writeMessage(message: ChatMessage): Buffer {
  const known = WRITTEN.get(message);
  if (known !== undefined) return known;
  const written = Buffer.from(JSON.stringify(message));
  WRITTEN.set(message, written);
  return written;
}

function withUsage(options: unknown): object {
  return { include_usage: true, ...(isFields(options) && options) };
}

/** The limit on the output under the name that the server knows. */
function outputLimit({ profile, fields = {}, maxTokens }: ModelRequest, adaptations: ReadonlySet<Adaptation>): object {
  const own = 'max_tokens' in fields || 'max_completion_tokens' in fields ? fields : profile.extra;
  const limit = maxTokens ?? own.max_completion_tokens ?? own.max_tokens;
  if (limit === undefined || limit === null) return {};
  const isRenamed = adaptations.has('max-completion-tokens') || 'max_completion_tokens' in own;
  return { [isRenamed ? 'max_completion_tokens' : 'max_tokens']: limit };
}

/** Messages that every server is sent as they are, unless it wants a field dropped. */
const AS_THEY_ARE = new WeakSet<ChatMessage>();

function toWire(message: ChatMessage, dropped: readonly string[]): ChatMessage {
  if (dropped.length === 0 && AS_THEY_ARE.has(message)) return message;
  const calls = message.tool_calls;
  const unsafe = calls?.some((call) => !isJsonObject(call)) === true;
  const hidden = Object.keys(message).filter((name) => name.startsWith(OWN_FIELD_PREFIX) || dropped.includes(name));
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
