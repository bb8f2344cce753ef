import { parseJson } from '../../core/chat/parseJson.ts';
import { type ChatMessage, type ChatToolCall, OWN_FIELD } from '../../core/chat/wire.ts';
import type { ModelRequest } from '../../core/model/modelClient.ts';
import { alternateRoles } from '../../core/model/shape.ts';
import { renderEnvelope, textEnvelope } from '../../core/session/envelope/envelope.ts';
import { mapInSteps, type Steps } from '../../core/steps.ts';
import { type Fields, isFields } from '../fields.ts';

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
  const rendered = envelope === undefined ? request.messages : renderEnvelope(request, envelope);
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
    ...(streams &&
      !adaptations.has('no-stream-options') && {
        stream_options: { include_usage: true, ...(isFields(stream_options) && stream_options) },
      }),
    ...about,
    ...outputLimit(request, adaptations),
    model: profile.id,
    messages: yield* mapInSteps(messages, (message) => toWire(message, dropped)),
    ...(envelope === undefined && request.tools.length > 0 && { tools: request.tools }),
    stream: streams,
  };
}

function withContent(message: ChatMessage): ChatMessage {
  return message.content === null ? { ...message, content: '' } : message;
}

/** The output limit, under the name that the server knows. */
function outputLimit({ profile, fields = {}, maxTokens }: ModelRequest, adaptations: ReadonlySet<Adaptation>): object {
  const own = 'max_tokens' in fields || 'max_completion_tokens' in fields ? fields : profile.extra;
  const limit = maxTokens ?? own.max_completion_tokens ?? own.max_tokens;
  if (limit === undefined || limit === null) return {};
  const isRenamed = adaptations.has('max-completion-tokens') || 'max_completion_tokens' in own;
  return { [isRenamed ? 'max_completion_tokens' : 'max_tokens']: limit };
}

/** Messages as they were sent before, where no field was dropped. */
const SENT = new WeakMap<ChatMessage, ChatMessage>();

/** A message as it is sent: without Karl's own fields and those that the server refuses. */
function toWire(message: ChatMessage, dropped: readonly string[]): ChatMessage {
  const known = dropped.length > 0 ? undefined : SENT.get(message);
  if (known !== undefined) return known;
  const wire = makeWire(message, dropped);
  if (dropped.length === 0) SENT.set(message, wire);
  return wire;
}

function makeWire(message: ChatMessage, dropped: readonly string[]): ChatMessage {
  const calls = message.tool_calls;
  const unsafe = calls?.some((call) => !isJsonObject(call)) === true;
  const hidden = Object.keys(message).filter((name) => name.startsWith(OWN_FIELD) || dropped.includes(name));
  if (hidden.length === 0 && !unsafe) return message;
  const wire = Object.fromEntries(Object.entries(message).filter(([name]) => !hidden.includes(name)));
  return { ...wire, role: message.role, ...(unsafe && { tool_calls: calls.map(makeSafe) }) };
}

function isJsonObject(call: ChatToolCall): boolean {
  return isFields(parseJson(call.function.arguments));
}

/** Many servers parse the arguments of earlier calls and refuse the whole request when one is not a JSON object. */
function makeSafe(call: ChatToolCall): ChatToolCall {
  if (isJsonObject(call)) return call;
  return { ...call, function: { ...call.function, arguments: JSON.stringify({ malformed: call.function.arguments }) } };
}

/**
 * A deviation that a server demands, learned from its refusal: leave out `stream_options`, call the output limit
 * `max_completion_tokens`, drop a field from the messages, leave out what is only meant for tools where there are none,
 * write '' for a content of null, or join messages so that the roles alternate.
 */
export type Adaptation =
  | 'no-stream-options'
  | 'max-completion-tokens'
  | 'no-tool-fields'
  | 'text-content'
  | 'alternating-roles'
  | `drop:${string}`;

/** The statuses with which servers refuse a field; templates of local servers fail with 500. */
const REFUSALS = new Set([400, 422, 500]);

/** Fields that servers take only with tools. */
export const TOOL_FIELDS: readonly string[] = ['tool_choice', 'parallel_tool_calls'];

/** Chat templates say that the roles must alternate, in words that differ (Mistral, Gemma, Llama). */
const MUST_ALTERNATE = /roles? must alternate|\balternat\w* (?:user|between)|after role/i;

/** Fields of assistant messages that some servers want back and others refuse. */
const OPTIONAL_MESSAGE_FIELDS = [
  'reasoning_content',
  'reasoning_details',
  'reasoning_text',
  'reasoning',
  'thinking',
  'refusal',
  'annotations',
  'audio',
];

const SAYS_UNWANTED =
  /unsupported|not supported|unrecognized|unknown|unexpected|extra[_ ](?:inputs|fields|forbidden)|not permitted|not allowed|additional propert|invalid|only (?:be )?allowed|remove/i;

/** What to change after a server refused fields that can be left out: all that it names, at once. */
export function findAdaptations(refusal: { status: number; body: string }, sent: Fields): readonly Adaptation[] {
  if (!REFUSALS.has(refusal.status)) return [];
  const body = refusal.body.slice(0, 20_000);
  const found: Adaptation[] = [];
  if ('stream_options' in sent && body.includes('stream_options')) found.push('no-stream-options');
  const messages = Array.isArray(sent.messages) ? sent.messages : [];
  if (MUST_ALTERNATE.test(body)) found.push('alternating-roles');
  if (
    /content/i.test(body) &&
    /\b(?:null|none|string)\b/i.test(body) &&
    messages.some(({ content }) => content === null)
  )
    found.push('text-content');
  if (!('tools' in sent) && TOOL_FIELDS.some((name) => name in sent && body.includes(name)))
    found.push('no-tool-fields');
  if (refusal.status === 500 || !SAYS_UNWANTED.test(body)) return found;
  if ('max_tokens' in sent && body.includes('max_completion_tokens')) found.push('max-completion-tokens');
  const fields = OPTIONAL_MESSAGE_FIELDS.filter((name) => {
    const named = new RegExp(`(?<![\\w])${name}(?![\\w])`).test(body);
    return named && messages.some((message: object) => name in message);
  });
  return [...found, ...fields.map((field): Adaptation => `drop:${field}`)];
}
