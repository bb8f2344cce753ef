import { ok, type Result } from '../../../../core/result.ts';
import type { RelayRequest } from '../../../../core/session/relay/relayRequest.ts';
import { RECALL_TOOL } from '../../../../core/session/threads/own.ts';
import { isFields } from '../../../openai/mergeFields.ts';
import type { HttpError } from '../../httpError.ts';
import { clientFor } from '../askServer.ts';
import { agentOf, type ClientCall, type ClientRequest, type Dialect, invalid, readModelAndTools } from '../dialect.ts';
import { MessageReading, MessagesForm, messagesError } from './answer.ts';
import { fromTool, TranslatedMessages, toTool } from './blocks.ts';
import { MessageEvents, toChatRequest } from './translate.ts';

/** Anthropic's Messages, as Claude Code speaks them. */
export const MESSAGES: Dialect = {
  routes: { answer: /^\/messages$/, count: /^\/messages\/count_tokens$/, any: /^\/messages(?:\/|$)/ },
  parse,
  error: messagesError,
  counted: (tokens) => ({ input_tokens: tokens }),
};

/** The API's version, for clients that do not state it. */
const VERSION = '2023-06-01';

function parse(call: ClientCall): Result<ClientRequest, HttpError> {
  const { body, headers } = call;
  const { messages, system, stream, max_tokens } = body;
  const read = readModelAndTools(body, (tools) => tools.map(toTool));
  if (!read.ok) return read;
  if (!Array.isArray(messages) || messages.length === 0) return invalid('messages', 'a non-empty array');
  const { model, tools, chatTools } = read.value;
  const translated = new TranslatedMessages(system, messages);
  const request: RelayRequest = {
    model,
    messages: translated.messages,
    tools: chatTools,
    fields: typeof max_tokens === 'number' ? { max_tokens } : {},
    client: agentOf(headers),
    hint: hintOf(call),
    via: (chat) =>
      clientFor(chat, {
        dialect: 'messages',
        call,
        path: () => '/messages',
        query: call.query,
        // Anthropic and local servers expect the key in different headers.
        headers: (key) => ({
          'anthropic-version': String(headers['anthropic-version'] ?? VERSION),
          ...(key !== undefined && { 'x-api-key': key, authorization: `Bearer ${key}` }),
        }),
        body: ({ profile, messages: view, tools: offered, maxTokens = max_tokens }) => ({
          ...body,
          model: profile.id,
          max_tokens: maxTokens,
          messages: translated.fromChat(view),
          // Karl's own tool comes after those of the client.
          ...(offered.length > 0 && { tools: [...tools, ...offered.slice(tools.length).map(fromTool)] }),
          stream: true,
        }),
        reading: () => new MessageReading(),
        translate: (asked, lose) => toChatRequest(asked, body, lose),
        events: (id) => new MessageEvents(id),
      }),
  };
  const hidesRecall = !tools.some(({ name }) => name === RECALL_TOOL);
  return ok({ request, streams: stream === true, form: new MessagesForm(hidesRecall) });
}

/** A sub-agent of Claude Code has a conversation of its own. */
function hintOf({ headers, body }: ClientCall): string | undefined {
  const session = headers['x-claude-code-session-id'];
  const agent = headers['x-claude-code-agent-id'];
  if (session !== undefined) return agent === undefined ? String(session) : `${session}/${agent}`;
  const user = isFields(body.metadata) ? body.metadata.user_id : undefined;
  return typeof user === 'string' ? user.slice(0, 200) : undefined;
}
