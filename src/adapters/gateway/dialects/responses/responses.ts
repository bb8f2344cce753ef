import { RECALL_TOOL } from '../../../../core/conversation/threads/own.ts';
import { DEEPEST_FIELD, weigh } from '../../../../core/messages/parse.ts';
import { err, ok, type Result } from '../../../../core/result.ts';
import type { ModelClient } from '../../../../core/session/modelClient.ts';
import type { RelayRequest } from '../../../../core/session/relay/relayRequest.ts';
import { type Fields, isFields } from '../../../openai/mergeFields.ts';
import { type HttpError, httpError } from '../../httpError.ts';
import { addressOf, askServer, forwardedHeaders } from '../askServer.ts';
import { agentOf, type ClientCall, type ClientRequest, type Dialect } from '../dialect.ts';
import { ItemReading, ItemsForm } from './answer.ts';
import { fromTool, TranslatedItems, toTool } from './items.ts';
import { askChat } from './translate.ts';

/** OpenAI's Responses, as Codex speaks them: the whole input with each request, nothing stored on the server. */
export const RESPONSES: Dialect = { name: 'responses', path: '/responses', parse, error: ({ error }) => ({ error }) };

function parse(call: ClientCall): Result<ClientRequest, HttpError> {
  const { body, headers } = call;
  const { model, input, instructions, tools, stream, max_output_tokens, previous_response_id } = body;
  if (typeof model !== 'string' || model === '') return invalid('model', 'a non-empty string');
  const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;
  if (!Array.isArray(items) || items.length === 0) return invalid('input', 'a string or a non-empty array');
  if (previous_response_id !== undefined && previous_response_id !== null)
    return invalid('previous_response_id', 'absent: the gateway needs the whole input with each request');
  const list = tools ?? [];
  if (!Array.isArray(list) || !list.every(isFields)) return invalid('tools', 'an array of objects');
  for (const [name, value] of Object.entries(body))
    if (weigh(value, Number.POSITIVE_INFINITY).kind === 'too-deep')
      return invalid(name, `nested at most ${DEEPEST_FIELD} levels deep`);
  const translated = new TranslatedItems(instructions, items);
  const hint = headers['thread-id'] ?? headers['session-id'] ?? body.prompt_cache_key;
  const request: RelayRequest = {
    model,
    messages: translated.messages,
    tools: list.map(toTool),
    fields: typeof max_output_tokens === 'number' ? { max_tokens: max_output_tokens } : {},
    client: agentOf(headers),
    ...(typeof hint === 'string' && { hint }),
    via: (chat) => client(chat, call, translated, list),
  };
  const hidesRecall = !list.some(({ name }) => name === RECALL_TOOL);
  return ok({ request, streams: stream === true, form: new ItemsForm(hidesRecall) });
}

function invalid(param: string, expected: string): Result<never, HttpError> {
  return err(httpError(400, `${param} must be ${expected}.`, { param, code: 'invalid_value' }));
}

/** Asks a server that speaks Responses in the client's own words, any other by translation. */
function client(
  chat: ModelClient,
  { body, headers, query, servers }: ClientCall,
  translated: TranslatedItems,
  tools: readonly Fields[],
): ModelClient {
  return {
    complete: async (request, onDelta, signal) => {
      const { profile, onChunk, maxTokens } = request;
      const { baseUrl } = profile;
      const byTranslation = () => askChat(chat, { request, body, onDelta, signal });
      if (baseUrl === undefined || servers === undefined || !URL.canParse(baseUrl)) return byTranslation();
      const own = async () => {
        const key = await servers.getKey(new URL(baseUrl).origin);
        // Karl's own tool comes after those of the client.
        const offered = request.tools.slice(tools.length).map(fromTool);
        const call = {
          address: addressOf(baseUrl, '/responses', query),
          headers: { ...forwardedHeaders(headers), ...(key !== undefined && { authorization: `Bearer ${key}` }) },
          body: {
            ...body,
            model: profile.id,
            ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
            input: translated.toItems(request.messages),
            ...(tools.length + offered.length > 0 && { tools: [...tools, ...offered] }),
            stream: true,
          },
          timeoutMs: profile.timeoutMs,
          signal,
        };
        return askServer(call, new ItemReading(), { onDelta, onChunk });
      };
      return servers.ask({ dialect: 'responses', baseUrl }, own, byTranslation);
    },
  };
}
