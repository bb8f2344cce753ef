import type { ModelError } from '../../core/model/classify.ts';
import type { AnswerChunk, ModelClient, ModelDelta } from '../../core/model/modelClient.ts';
import { err, ok, type Result, reasonOf } from '../../core/result.ts';
import { textEnvelope } from '../../core/session/envelope/envelope.ts';
import { orAborted, runInSlices } from '../../core/steps.ts';
import { sentence } from '../../language/language.ts';
import { SLICES } from '../node/slices.ts';
import { parseEndpoint } from '../servers/endpoint.ts';
import { refuseKey } from '../servers/query.ts';
import { Exchange, type ReplyLimits } from './exchange.ts';
import { CANCELLED, finalFailure } from './failure.ts';
import { writeBody } from './jsonBodies.ts';
import type { Answer, Post } from './nodeFetch.ts';
import { readAnswer } from './readAnswer.ts';
import { ReplyReader } from './replyReader.ts';
import { type Adaptation, findAdaptations, makeRequestBody, type RequestBody } from './requestBody.ts';

/** What the client needs from outside. */
export interface OpenAIModelClientOptions {
  /** The key for a server, by the origin of its URL; undefined for servers without one. */
  readonly getKey: (origin: string) => Promise<string | undefined>;
  readonly fetch?: (address: string, post: Post) => Promise<Answer>;
  readonly limits?: Partial<ReplyLimits>;
}

/** The most resends without refused fields; servers that name one field at a time refuse two or three. */
const MOST_RESENDS = 3;

/**
 * Asks any OpenAI-compatible server. Makes one attempt per request: it sends again only without a field that the server
 * refused, which it remembers for that server and model, or after an idle connection turned out to be closed.
 */
export class OpenAIModelClient implements ModelClient {
  readonly #options: OpenAIModelClientOptions;
  readonly #adaptations = new Map<string, ReadonlySet<Adaptation>>();

  constructor(options: OpenAIModelClientOptions) {
    this.#options = options;
  }

  readonly complete: ModelClient['complete'] = async (request, onDelta, signal) => {
    const { onChunk, profile } = request;
    if (onChunk === undefined || textEnvelope(profile) === undefined) return this.#complete(request, onDelta, signal);
    // The model writes its calls as text, so the client's chunks are made of what was read from the server's: the text
    // that is shown, then the calls and the end of the answer.
    let about: AnswerChunk = {};
    let said: Record<string, string> = { role: 'assistant' };
    const show = (delta: object, finish_reason: string | null) =>
      onChunk({ ...about, choices: [{ index: 0, delta, finish_reason }] });
    const take = (delta: ModelDelta) => {
      const name = delta.type === 'text' ? 'content' : 'reasoning_content';
      if (delta.type !== 'tool-call') said[name] = `${said[name] ?? ''}${delta.text}`;
      onDelta(delta);
    };
    const pass = ({ choices: _, usage: __, ...rest }: AnswerChunk) => {
      about = { ...rest, object: 'chat.completion.chunk' };
      const delta = said;
      said = {};
      return Object.keys(delta).length === 0 ? undefined : show(delta, null);
    };
    const result = await this.#complete({ ...request, onChunk: pass }, take, signal);
    if (!result.ok) return result;
    const { message, finishReason, usage } = result.value;
    const calls = (message.tool_calls ?? []).map((call, index) => ({ index, ...call }));
    // Reported before their chunk, so that Karl's own calls can be held back.
    for (const { index, function: called } of calls) onDelta({ type: 'tool-call', index, ...called });
    const finish = finishReason === 'stop' && calls.length > 0 ? 'tool_calls' : finishReason;
    await show({ ...said, ...(calls.length > 0 && { tool_calls: calls }) }, finish);
    if (usage !== undefined) await onChunk({ ...about, choices: [], usage });
    return result;
  };

  readonly #complete: ModelClient['complete'] = async (request, onDelta, signal) => {
    const endpoint = parseEndpoint(request.profile.baseUrl);
    if (!endpoint.ok) return err({ error: finalFailure(endpoint.error) });
    const key = await this.#readKey(endpoint.value.origin, signal);
    if (!key.ok) return err({ error: key.error });
    const { timeoutMs, id } = request.profile;
    const { fetch, limits } = this.#options;
    const { completions: address } = endpoint.value;
    const headers: Record<string, string> = key.value === undefined ? {} : { authorization: `Bearer ${key.value}` };
    const server = `${address} ${id}`;
    for (let resends = 0; ; resends += 1) {
      const known = this.#adaptations.get(server) ?? new Set();
      let sent: RequestBody;
      let body: readonly Uint8Array[];
      try {
        sent = await runInSlices(makeRequestBody(request, known), SLICES);
        body = await runInSlices(writeBody(sent), SLICES);
      } catch (error) {
        // Tools given to the engine may contain themselves.
        const [reason = ''] = reasonOf(error).split('\n', 1);
        return err({ error: finalFailure(sentence('The request cannot be written as JSON: {0}', reason)) });
      }
      const exchange = new Exchange({ address, headers, body, timeoutMs, signal, fetch, limits });
      const reading = new ReplyReader(request, exchange.limits.entries);
      const result = await readAnswer(exchange, reading, onDelta, request.onChunk);
      if (result.ok || exchange.answer === undefined || signal.aborted || resends === MOST_RESENDS) return result;
      const added = findAdaptations(exchange.answer, sent).filter((adaptation) => !known.has(adaptation));
      if (added.length === 0) return result;
      this.#adaptations.set(server, new Set([...known, ...added]));
    }
  };

  async #readKey(origin: string, signal: AbortSignal): Promise<Result<string | undefined, ModelError>> {
    try {
      const asked = this.#options.getKey(origin).then((key) => ({ key }));
      const read = await orAborted(asked, 'aborted' as const, signal);
      if (read === 'aborted') return err(CANCELLED);
      const key = read.key?.trim() || undefined;
      const refusal = key === undefined ? undefined : refuseKey(key, origin);
      return refusal === undefined ? ok(key) : err(finalFailure(sentence('{0}.', refusal)));
    } catch (error) {
      return err(finalFailure(sentence('The API key for {0} could not be read: {1}', origin, reasonOf(error))));
    }
  }
}
