import type { ChatMessage, ChatToolCall } from '../../core/messages/chat.ts';
import { parseJson } from '../../core/messages/parseJson.ts';
import { textEnvelope } from '../../core/session/envelope/envelope.ts';
import { renderEnvelope } from '../../core/session/envelope/render.ts';
import type { ModelRequest } from '../../core/session/modelClient.ts';
import type { Adaptation } from './adaptations.ts';
import { isFields } from './mergeFields.ts';

/** Fields with this prefix are Karl's own marks on a message; no server sees them. */
const OWN_FIELD_PREFIX = 'karl_';

/**
 * The body of a chat-completions request. The profile's extras go with every request; an output limit that the
 * request itself states wins over theirs, as do messages, model and streaming.
 */
export function makeRequestBody(request: ModelRequest, adaptations: ReadonlySet<Adaptation>): Record<string, unknown> {
  const { profile } = request;
  const envelope = textEnvelope(profile);
  const messages =
    envelope === undefined
      ? request.messages
      : renderEnvelope({ messages: request.messages, tools: request.tools, profile, envelope });
  const dropped = [...adaptations].filter((one) => one.startsWith('drop:')).map((one) => one.slice('drop:'.length));
  const isRenamed = adaptations.has('max-completion-tokens') || 'max_completion_tokens' in profile.extra;
  const limitField = isRenamed ? 'max_completion_tokens' : 'max_tokens';
  const { max_tokens, ...otherExtras } = profile.extra;
  const maxTokens = request.maxTokens ?? max_tokens;
  return {
    ...(adaptations.has('no-stream-options') ? {} : { stream_options: { include_usage: true } }),
    ...otherExtras,
    ...(maxTokens === undefined ? {} : { [limitField]: maxTokens }),
    model: profile.id,
    messages: messages.map((message) => toWire(message, dropped)),
    ...(envelope === undefined && request.tools.length > 0 ? { tools: request.tools } : {}),
    stream: true,
  };
}

function toWire(message: ChatMessage, dropped: readonly string[]): ChatMessage {
  const calls = message.tool_calls;
  const unsafe = calls?.some((call) => !isJsonObject(call)) === true;
  const hidden = Object.keys(message).filter((name) => name.startsWith(OWN_FIELD_PREFIX) || dropped.includes(name));
  if (hidden.length === 0 && !unsafe) return message;
  const wire = Object.fromEntries(Object.entries(message).filter(([name]) => !hidden.includes(name)));
  return { ...wire, role: message.role, ...(unsafe ? { tool_calls: calls?.map(makeSafe) ?? [] } : {}) };
}

const KNOWN_TO_BE_JSON = new WeakSet<ChatToolCall>();

function isJsonObject(call: ChatToolCall): boolean {
  if (KNOWN_TO_BE_JSON.has(call)) return true;
  if (!isFields(parseJson(call.function.arguments))) return false;
  KNOWN_TO_BE_JSON.add(call);
  return true;
}

/** Many servers parse the arguments of earlier calls and refuse the whole request when one is not a JSON object. */
function makeSafe(call: ChatToolCall): ChatToolCall {
  if (isJsonObject(call)) return call;
  return { ...call, function: { ...call.function, arguments: JSON.stringify({ malformed: call.function.arguments }) } };
}
