import { RECALL_TOOL } from '../../../../core/conversation/threads/own.ts';
import { DEEPEST_FIELD, weigh } from '../../../../core/messages/parse.ts';
import { err, ok, type Result } from '../../../../core/result.ts';
import type { ModelClient } from '../../../../core/session/modelClient.ts';
import type { RelayRequest } from '../../../../core/session/relay/relayRequest.ts';
import { type Fields, isFields } from '../../../openai/mergeFields.ts';
import { type HttpError, httpError } from '../../httpError.ts';
import { addressOf, askServer, forwardedHeaders } from '../askServer.ts';
import { agentOf, type ClientCall, type ClientRequest, type Dialect } from '../dialect.ts';
import { messagesError } from './error.ts';
import { MessagesForm } from './form.ts';
import { fromChat, fromTool } from './fromChat.ts';
import { MessageReading } from './reading.ts';
import { TranslatedMessages, toTool } from './toChat.ts';
import { askChat } from './translate.ts';

/** Anthropic's Messages, as Claude Code speaks them. */
export const MESSAGES: Dialect = { name: 'messages', path: '/messages', parse, error: messagesError };

function parse(call: ClientCall): Result<ClientRequest, HttpError> {
  const { body, headers } = call;
  const { model, messages, system, tools, stream, max_tokens } = body;
  if (typeof model !== 'string' || model === '') return invalid('model: must be a non-empty string');
  if (!Array.isArray(messages) || messages.length === 0) return invalid('messages: must be a non-empty array');
  const list = tools ?? [];
  if (!Array.isArray(list) || !list.every(isFields)) return invalid('tools: must be an array of objects');
  for (const [name, value] of Object.entries(body))
    if (weigh(value, Number.POSITIVE_INFINITY).kind === 'too-deep')
      return invalid(`${name}: must be nested at most ${DEEPEST_FIELD} levels deep`);
  const translated = new TranslatedMessages(system, messages);
  const hint = hintOf(call);
  const request: RelayRequest = {
    model,
    messages: translated.messages,
    tools: list.map(toTool),
    fields: typeof max_tokens === 'number' ? { max_tokens } : {},
    client: agentOf(headers),
    ...(hint !== undefined && { hint }),
    via: (chat) => client(chat, call, translated, list),
  };
  const hidesRecall = !list.some(({ name }) => name === RECALL_TOOL);
  return ok({ request, streams: stream === true, form: new MessagesForm(hidesRecall) });
}

function invalid(message: string): Result<never, HttpError> {
  return err(httpError(400, message, { code: 'invalid_value' }));
}

/** A sub-agent of Claude Code has a conversation of its own. */
function hintOf({ headers, body }: ClientCall): string | undefined {
  const session = headers['x-claude-code-session-id'];
  const agent = headers['x-claude-code-agent-id'];
  if (session !== undefined) return agent === undefined ? String(session) : `${session}/${agent}`;
  const user = isFields(body.metadata) ? body.metadata.user_id : undefined;
  return typeof user === 'string' ? user.slice(0, 200) : undefined;
}

/** Asks a server that speaks Messages in the client's own words, any other by translation. */
function client(
  chat: ModelClient,
  { body, headers, query, servers }: ClientCall,
  translated: TranslatedMessages,
  tools: readonly Fields[],
): ModelClient {
  return {
    complete: async (request, onDelta, signal) => {
      const { profile, onChunk, maxTokens } = request;
      const { baseUrl } = profile;
      const byTranslation = () => askChat(chat, { request, body, onDelta, signal });
      if (baseUrl === undefined || servers === undefined || !URL.canParse(baseUrl)) return byTranslation();
      const own = async () => {
        const forwarded = forwardedHeaders(headers);
        const key = await servers.getKey(new URL(baseUrl).origin);
        // Karl's own tool comes after those of the client.
        const offered = request.tools.slice(tools.length).map(fromTool);
        const sent = {
          ...body,
          model: profile.id,
          ...(maxTokens !== undefined && { max_tokens: maxTokens }),
          messages: fromChat(request.messages, translated),
          ...(tools.length + offered.length > 0 && { tools: [...tools, ...offered] }),
          stream: true,
        };
        const call = {
          address: addressOf(baseUrl, '/messages', query),
          headers: { 'anthropic-version': VERSION, ...forwarded, ...keyHeaders(key) },
          body: sent,
          timeoutMs: profile.timeoutMs,
          signal,
        };
        return askServer(call, new MessageReading(), { onDelta, onChunk });
      };
      return servers.ask({ dialect: 'messages', baseUrl }, own, byTranslation);
    },
  };
}

/** The API's version, for clients that do not state it. */
const VERSION = '2023-06-01';

/** The user's key, in the headers in which Anthropic and local servers expect it. */
function keyHeaders(key: string | undefined): Readonly<Record<string, string>> {
  return key === undefined ? {} : { 'x-api-key': key, authorization: `Bearer ${key}` };
}
