import { ok, type Result } from '../../../../core/result.ts';
import type { RelayRequest } from '../../../../core/session/relay/relayRequest.ts';
import { RECALL_TOOL } from '../../../../core/session/threads/own.ts';
import { isFields } from '../../../openai/mergeFields.ts';
import type { HttpError } from '../../httpError.ts';
import { clientFor } from '../askServer.ts';
import { agentOf, type ClientCall, type ClientRequest, type Dialect, invalid, readModelAndTools } from '../dialect.ts';
import { ContentReading, ContentsForm, geminiError } from './answer.ts';
import { fromTool, TranslatedContents, toTools } from './contents.ts';
import { ContentEvents, toChatRequest } from './translate.ts';

/** The model and what is asked of it are in the address; that of Vertex AI is longer. */
const ADDRESS =
  /^(?:\/v1beta1?)?(?:\/publishers\/google)?\/models\/(.+):(generateContent|streamGenerateContent|countTokens)$/;

/** Google's Gemini API, as Gemini CLI speaks it. */
export const GEMINI: Dialect = {
  routes: {
    answer: /:(?:generateContent|streamGenerateContent)$/,
    count: /:countTokens$/,
    any: ADDRESS,
  },
  parse,
  error: geminiError,
  counted: (tokens) => ({ totalTokens: tokens }),
};

function parse(call: ClientCall): Result<ClientRequest, HttpError> {
  const [, name, method] = ADDRESS.exec(call.path) ?? [];
  const streams = method === 'streamGenerateContent';
  const query = new URLSearchParams(call.query);
  if (streams && query.get('alt') !== 'sse') return invalid('alt', '"sse" in the address of a stream');
  // The whole request, where its tokens are to be counted.
  const body = isFields(call.body.generateContentRequest) ? call.body.generateContentRequest : call.body;
  const { contents, systemInstruction, generationConfig } = body;
  const read = readModelAndTools({ model: name, tools: body.tools }, toTools);
  if (!read.ok) return read;
  if (!Array.isArray(contents) || contents.length === 0) return invalid('contents', 'a non-empty array');
  const { model, tools, chatTools } = read.value;
  const settings = isFields(generationConfig) ? generationConfig : {};
  const { maxOutputTokens: limit } = settings;
  const translated = new TranslatedContents(systemInstruction, contents);
  // Answers are always asked for as streams.
  query.set('alt', 'sse');
  const request: RelayRequest = {
    model,
    messages: translated.messages,
    tools: chatTools,
    fields: typeof limit === 'number' ? { max_tokens: limit } : {},
    client: agentOf(call.headers),
    via: (chat) =>
      clientFor(chat, {
        dialect: 'gemini',
        call,
        path: (id) => `/models/${id}:streamGenerateContent`,
        query: `?${query}`,
        headers: (key): Record<string, string> => (key === undefined ? {} : { 'x-goog-api-key': key }),
        body: ({ messages, tools: offered, maxTokens = limit }) => {
          // Karl's own tool comes after those of the client.
          const added = offered.slice(chatTools.length).map(fromTool);
          return {
            ...body,
            contents: translated.fromChat(messages),
            ...(maxTokens !== undefined && { generationConfig: { ...settings, maxOutputTokens: maxTokens } }),
            ...(added.length > 0 && { tools: [...tools, { functionDeclarations: added }] }),
          };
        },
        reading: () => new ContentReading(),
        translate: (asked, lose) => toChatRequest(asked, body, lose),
        events: (id) => new ContentEvents(id),
      }),
  };
  const hidesRecall = !chatTools.some((tool) => tool.function?.name === RECALL_TOOL);
  return ok({ request, streams, form: new ContentsForm(hidesRecall) });
}
