import { readInput } from '../../../../core/chat/parse.ts';
import type { AnswerChunk, ModelDelta, ModelReply, ModelRequest } from '../../../../core/model/modelClient.ts';
import { asText, ok, type Result } from '../../../../core/result.ts';
import { type Fields, fieldsAt, isFields } from '../../../fields.ts';
import type { HttpError } from '../../httpError.ts';
import { toClientRequest } from '../askServer.ts';
import { type ClientCall, type ClientRequest, type Dialect, invalid, readModelAndTools } from '../dialect.ts';
import { inChat, type Losses, loseFields, ofType, ReplyEvents } from '../translation.ts';
import { ContentReading, ContentsForm, geminiError } from './answer.ts';
import { fromTool, lowered, type Part, TranslatedContents, toTools } from './contents.ts';

/** The address names the model and the method; that of Vertex AI is longer. No model leads to another path of the server. */
const ADDRESS =
  /^(?:\/v1beta1?)?(?:\/publishers\/google)?\/models\/((?!.*(?:\.|%2[eE]){2}).+):(generateContent|streamGenerateContent|countTokens)$/;

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
  const [, model, method] = ADDRESS.exec(call.path) ?? [];
  const streams = method === 'streamGenerateContent';
  const query = new URLSearchParams(call.query);
  if (streams && query.get('alt') !== 'sse') return invalid('alt', '"sse" in the address of a stream');
  // Answers are always asked for as streams.
  query.set('alt', 'sse');
  // The whole request, where its tokens are to be counted.
  const body = isFields(call.body.generateContentRequest) ? call.body.generateContentRequest : call.body;
  const { contents, systemInstruction } = body;
  const asked = readModelAndTools({ model, tools: body.tools }, toTools);
  if (!asked.ok) return asked;
  if (!Array.isArray(contents) || contents.length === 0) return invalid('contents', 'a non-empty array');
  const settings = fieldsAt(body, 'generationConfig');
  const { maxOutputTokens: limit } = settings;
  const translated = new TranslatedContents(systemInstruction, contents);
  const request = toClientRequest(call, {
    ...asked.value,
    ...{ dialect: 'gemini', messages: translated.messages, limit, streams },
    form: (hidesRecall) => new ContentsForm(hidesRecall),
    path: (id) => `/models/${id}:streamGenerateContent`,
    query: `?${query}`,
    headers: (key): Record<string, string> => (key === undefined ? {} : { 'x-goog-api-key': key }),
    fromTool,
    body: ({ messages, maxTokens = limit }, added) => ({
      ...body,
      contents: translated.fromChat(messages),
      ...(maxTokens !== undefined && { generationConfig: { ...settings, maxOutputTokens: maxTokens } }),
      ...(added.length > 0 && { tools: [...asked.value.tools, { functionDeclarations: added }] }),
    }),
    reading: () => new ContentReading(),
    translate: (request, lose) => toChatRequest(request, body, lose),
    events: (id) => new ContentEvents(id),
  });
  return ok(request);
}

/** Fields that change what a model does, and that are not translated to chat completions. */
const LOST = ['cachedContent', 'safetySettings'];
const LOST_SETTINGS = ['topK', 'thinkingConfig', 'responseModalities', 'speechConfig', 'candidateCount'];

/** A request in chat completions. What has no place there is left out and reported. */
function toChatRequest(request: ModelRequest, body: Readonly<Fields>, lose: Losses): ModelRequest {
  const settings = fieldsAt(body, 'generationConfig');
  loseFields(body, LOST, lose);
  loseFields(settings, LOST_SETTINGS, lose);
  const schema = settings.responseJsonSchema ?? lowered(settings.responseSchema);
  const format =
    schema === undefined ? { type: 'json_object' } : { type: 'json_schema', json_schema: { name: 'answer', schema } };
  const fields = {
    temperature: ofType('number', settings.temperature),
    top_p: ofType('number', settings.topP),
    stop: Array.isArray(settings.stopSequences) ? settings.stopSequences : undefined,
    seed: ofType('number', settings.seed),
    response_format: settings.responseMimeType === 'application/json' ? format : undefined,
    tool_choice: choiceOf(body.toolConfig),
  };
  return inChat(request, fields, lose);
}

function choiceOf(config: unknown): unknown {
  const { mode, allowedFunctionNames: names } = fieldsAt(config, 'functionCallingConfig');
  if (mode === 'ANY' && Array.isArray(names) && names.length === 1)
    return { type: 'function', function: { name: names[0] } };
  return { AUTO: 'auto', ANY: 'required', NONE: 'none' }[asText(mode)];
}

/** The reasons why an answer ends, by the finish reasons of chat completions. */
const FINISH_REASONS: Readonly<Record<string, string>> = { length: 'MAX_TOKENS', content_filter: 'SAFETY' };

/** Makes the chunks of an answer: text and thoughts as they arrive, calls when they are complete. */
export class ContentEvents extends ReplyEvents {
  readonly #about: Fields;

  constructor(model: string) {
    super();
    this.#about = { modelVersion: model, responseId: crypto.randomUUID() };
  }

  take(delta: ModelDelta): void {
    if (delta.type === 'tool-call') return;
    this.events.push(this.#chunk([{ text: delta.text, ...(delta.type === 'reasoning' && { thought: true }) }]));
  }

  end({ message, finishReason, usage = {} }: ModelReply): void {
    for (const { id, function: called } of message.tool_calls ?? []) {
      const functionCall = { id, name: called.name, args: readInput(called.arguments) };
      this.events.push(this.#chunk([{ functionCall }]));
    }
    const { prompt_tokens: input = 0, completion_tokens: output = 0 } = usage;
    const cached = usage.prompt_tokens_details?.cached_tokens;
    const usageMetadata = {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
      ...(cached !== undefined && { cachedContentTokenCount: cached }),
    };
    const finish = { finishReason: FINISH_REASONS[finishReason] ?? 'STOP' };
    this.events.push({ ...this.#chunk([{ text: '' }], finish), usageMetadata });
  }

  #chunk(parts: readonly Part[], about: Fields = {}): AnswerChunk {
    return { candidates: [{ content: { role: 'model', parts }, index: 0, ...about }], ...this.#about };
  }
}
