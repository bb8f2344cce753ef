import { ok, type Result } from '../../../../core/result.ts';
import type { RelayRequest } from '../../../../core/session/relay/relayRequest.ts';
import { RECALL_TOOL } from '../../../../core/session/threads/own.ts';
import type { HttpError } from '../../httpError.ts';
import { clientFor } from '../askServer.ts';
import { agentOf, type ClientCall, type ClientRequest, type Dialect, invalid, readModelAndTools } from '../dialect.ts';
import { ItemReading, ItemsForm } from './answer.ts';
import { fromTool, TranslatedItems, toTool } from './items.ts';
import { ItemEvents, toChatRequest } from './translate.ts';

/** OpenAI's Responses, as Codex speaks them: the whole input with each request, nothing stored on the server. */
export const RESPONSES: Dialect = {
  routes: { answer: /^\/responses$/, any: /^\/responses(?:\/|$)/ },
  parse,
  error: ({ error }) => ({ error }),
};

function parse(call: ClientCall): Result<ClientRequest, HttpError> {
  const { body, headers } = call;
  const { input, instructions, stream, max_output_tokens, previous_response_id } = body;
  const read = readModelAndTools(body, (tools) => tools.map(toTool));
  if (!read.ok) return read;
  const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;
  if (!Array.isArray(items) || items.length === 0) return invalid('input', 'a string or a non-empty array');
  if (previous_response_id !== undefined && previous_response_id !== null)
    return invalid('previous_response_id', 'absent: the gateway needs the whole input with each request');
  const { model, tools, chatTools } = read.value;
  const translated = new TranslatedItems(instructions, items);
  const hint = headers['thread-id'] ?? headers['session-id'] ?? body.prompt_cache_key;
  const request: RelayRequest = {
    model,
    messages: translated.messages,
    tools: chatTools,
    fields: typeof max_output_tokens === 'number' ? { max_tokens: max_output_tokens } : {},
    client: agentOf(headers),
    hint: typeof hint === 'string' ? hint : undefined,
    via: (chat) =>
      clientFor(chat, {
        dialect: 'responses',
        call,
        path: () => '/responses',
        query: call.query,
        headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
        body: ({ profile, messages, tools: offered, maxTokens = max_output_tokens }) => ({
          ...body,
          model: profile.id,
          max_output_tokens: maxTokens,
          input: translated.toItems(messages),
          // Karl's own tool comes after those of the client.
          ...(offered.length > 0 && { tools: [...tools, ...offered.slice(tools.length).map(fromTool)] }),
          stream: true,
        }),
        reading: () => new ItemReading(),
        translate: (asked, lose) => toChatRequest(asked, body, lose),
        events: (id) => new ItemEvents(id, tools),
      }),
  };
  const hidesRecall = !tools.some(({ name }) => name === RECALL_TOOL);
  return ok({ request, streams: stream === true, form: new ItemsForm(model, hidesRecall) });
}
