import type { IncomingHttpHeaders } from 'node:http';
import type { ChatTool } from '../../core/messages/chat.ts';
import { DEEPEST_FIELD, weigh } from '../../core/messages/parse.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { RelayRequest } from '../../core/session/relay/relayRequest.ts';
import { isFields } from '../openai/mergeFields.ts';
import { type HttpError, httpError } from './httpError.ts';

/** What a client asked for. */
export interface ClientRequest {
  readonly request: RelayRequest;
  readonly streams: boolean;
  /** Whether the client wants the last chunk that only states the usage. */
  readonly wantsUsage: boolean;
}

/**
 * Reads a chat-completions request; messages are checked where they are appended. `levels`: how deeply lists and
 * objects are nested outside the messages, where that is known.
 */
export function parseRequest(
  body: Readonly<Record<string, unknown>>,
  headers: IncomingHttpHeaders,
  levels = Number.POSITIVE_INFINITY,
): Result<ClientRequest, HttpError> {
  const { model, messages, tools, stream, ...fields } = body;
  if (typeof model !== 'string' || model === '') return invalid('model', 'a non-empty string');
  if (!Array.isArray(messages) || messages.length === 0) return invalid('messages', 'a non-empty array');
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean') return invalid('stream', 'a boolean');
  if (tools !== undefined && tools !== null && !(Array.isArray(tools) && tools.every(isFields)))
    return invalid('tools', 'an array of objects');
  // A field nested too deeply could not be written again.
  for (const [name, value] of levels > DEEPEST_FIELD ? Object.entries({ tools, ...fields }) : [])
    if (weigh(value, Number.POSITIVE_INFINITY).kind === 'too-deep')
      return invalid(name, `nested at most ${DEEPEST_FIELD} levels deep`);
  const streams = stream === true;
  const wantsUsage = isFields(fields.stream_options) && fields.stream_options.include_usage === true;
  const request: RelayRequest = {
    model,
    messages,
    // A tool that is not a function passes through too: only its size is looked at.
    tools: (tools ?? []) as unknown[] as readonly ChatTool[],
    fields: streams ? fields : { ...fields, stream: false },
    client: agentOf(headers),
    // Agents that keep a conversation name it here, so that their provider finds its cache.
    ...(typeof fields.prompt_cache_key === 'string' && { hint: fields.prompt_cache_key }),
  };
  return ok({ request, streams, wantsUsage });
}

/**
 * The name of the agent: its title in the header that OpenRouter defines, or the product at the start of its user
 * agent.
 */
function agentOf(headers: IncomingHttpHeaders): string {
  const title = headers['x-title'] ?? headers['user-agent']?.split('/', 1)[0] ?? '';
  return String(title).trim().slice(0, 60);
}

function invalid(param: string, expected: string): Result<never, HttpError> {
  return err(httpError(400, `${param} must be ${expected}.`, { param, code: 'invalid_value' }));
}
