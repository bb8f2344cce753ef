import { sentence } from '../../core/language.ts';
import type { ModelError } from '../../core/model/classify.ts';
import { err, ok, type Result, reasonOf } from '../../core/result.ts';
import { textEnvelope } from '../../core/session/envelope/envelope.ts';
import {
  type AnswerChunk,
  type ModelClient,
  type ModelDelta,
  type ModelFailure,
  type ModelReply,
  type ModelRequest,
  withoutLogprobs,
} from '../../core/session/modelClient.ts';
import { orAborted, runInSlices, type Steps } from '../../core/steps.ts';
import { Pace, SLICES } from '../node/slices.ts';
import { parseEndpoint } from '../servers/endpoint.ts';
import { refuseKey } from '../servers/query.ts';
import { Exchange, type ReplyLimits } from './exchange.ts';
import { CANCELLED, classifyFailure, finalFailure, withoutKey } from './failure.ts';
import { writeBody } from './jsonBodies.ts';
import { type Fields, isFields } from './mergeFields.ts';
import type { Answer, Post } from './nodeFetch.ts';
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

  async complete(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
  ): Promise<Result<ModelReply, ModelFailure>> {
    const { onChunk, profile } = request;
    if (onChunk === undefined || textEnvelope(profile) === undefined) return this.#complete(request, onDelta, signal);
    const chunks = new EnvelopeChunks();
    const show = (chunk: AnswerChunk) => {
      const shown = chunks.show(chunk);
      return shown === undefined ? undefined : onChunk(shown);
    };
    const take = (delta: ModelDelta) => {
      chunks.takeDelta(delta);
      onDelta(delta);
    };
    const result = await this.#complete({ ...request, onChunk: show }, take, signal);
    if (result.ok) {
      // Report the calls read from the text before their chunks, so that Karl's own calls can be held back.
      for (const [index, { function: called }] of (result.value.message.tool_calls ?? []).entries())
        onDelta({ type: 'tool-call', index, name: called.name, arguments: called.arguments });
      for (const chunk of chunks.end(result.value)) await onChunk(chunk);
    }
    return result;
  }

  async #complete(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
  ): Promise<Result<ModelReply, ModelFailure>> {
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
      const prepared = await prepare(request, known);
      if (!prepared.ok) return err({ error: prepared.error });
      const { sent, body } = prepared.value;
      const exchange = new Exchange({ address, headers, body, timeoutMs, signal, fetch, limits });
      const result = await readReply(exchange, request, onDelta);
      if (result.ok) return result;
      const failed = err({ ...result.error, error: withoutKey(result.error.error, key.value) });
      if (exchange.answer === undefined || signal.aborted || resends === MOST_RESENDS) return failed;
      const added = findAdaptations(exchange.answer, sent).filter((adaptation) => !known.has(adaptation));
      if (added.length === 0) return failed;
      this.#adaptations.set(server, new Set([...known, ...added]));
    }
  }

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

/**
 * Turns the chunks of a model that writes its calls as text into those of a model with native calls: the shown text, then
 * the calls, then the end of the answer. Other fields stay, except log probabilities, which would spell out the calls.
 */
class EnvelopeChunks {
  #text = '';
  #last: AnswerChunk | undefined;
  readonly #others: AnswerChunk[] = [];

  /** Takes a delta of the next chunk. */
  takeDelta(delta: ModelDelta): void {
    if (delta.type === 'text') this.#text += delta.text;
  }

  /** The chunk to show now; undefined for a whole answer or usage, which come at the end. */
  show(chunk: AnswerChunk): AnswerChunk | undefined {
    const choice = firstOf(chunk);
    if (choice === undefined) {
      this.#others.push(chunk);
      return undefined;
    }
    this.#last = chunk;
    if (isFields(choice.message)) return undefined;
    const said = isFields(choice.delta) ? choice.delta : {};
    const text = this.#text;
    this.#text = '';
    return withChoice(chunk, { ...choice, finish_reason: null, delta: { ...said, content: text } });
  }

  /** The chunks that end the answer. */
  end({ message, finishReason }: ModelReply): readonly AnswerChunk[] {
    const last = this.#last ?? {};
    const choice = firstOf(last) ?? { index: 0 };
    const finish_reason = finishReason === 'stop' && message.tool_calls !== undefined ? 'tool_calls' : finishReason;
    if (isFields(choice.message)) return [withChoice(last, { ...choice, message, finish_reason })];
    const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
    const rest = this.#text === '' ? {} : { content: this.#text };
    const delta = { ...rest, ...(calls !== undefined && { tool_calls: calls }) };
    return [withChoice(last, { ...choice, delta, finish_reason }), ...this.#others];
  }
}

function firstOf({ choices }: AnswerChunk): Fields | undefined {
  return Array.isArray(choices) ? choices.find(isFields) : undefined;
}

function withChoice(chunk: AnswerChunk, choice: Fields): AnswerChunk {
  return { ...chunk, choices: [withoutLogprobs(choice)] };
}

/** Sends one attempt and reads its answer. */
async function readReply(
  exchange: Exchange,
  request: ModelRequest,
  onDelta: (delta: ModelDelta) => void,
): Promise<Result<ModelReply, ModelFailure>> {
  const { limits, watchdog } = exchange;
  const reader = new ReplyReader(request, onDelta);
  let thrown: unknown;
  try {
    const pace = new Pace();
    for await (const chunk of exchange.post()) {
      await pace.giveWay();
      if (reader.take(chunk)) exchange.progress();
      if (reader.finished) exchange.settle();
      const excess = reader.findExcess(limits);
      if (excess !== undefined) return err(reader.fail(finalFailure(excess)));
      await request.onChunk?.(chunk);
    }
  } catch (error) {
    thrown = error;
  }
  const { answer } = exchange;
  const whole = answer !== undefined && answer.status < 300 ? reader.takeWhole(answer.body) : undefined;
  const excess = reader.findExcess(limits);
  if (excess !== undefined) return err(reader.fail(finalFailure(excess)));
  // After a finish reason the reply is complete, whatever happened to the connection.
  const isClean = thrown === undefined && watchdog.ending === undefined;
  const finished = watchdog.ending === 'cancelled' ? undefined : reader.finish({ isDone: exchange.isDone, isClean });
  if (finished === undefined) return err(reader.fail(classifyFailure(exchange, thrown, reader.replied)));
  if (whole !== undefined) await request.onChunk?.(whole);
  return finished;
}

interface Prepared {
  readonly sent: RequestBody;
  readonly body: readonly Uint8Array[];
}

/** Writes a request. Fails for values that JSON cannot hold: tools given to the engine may contain themselves. */
async function prepare(
  request: ModelRequest,
  adaptations: ReadonlySet<Adaptation>,
): Promise<Result<Prepared, ModelError>> {
  // In slices, since a long conversation is written as a whole.
  function* write(): Steps<Prepared> {
    const sent = yield* makeRequestBody(request, adaptations);
    return { sent, body: yield* writeBody(sent) };
  }
  try {
    return ok(await runInSlices(write(), SLICES));
  } catch (error) {
    const [reason = ''] = reasonOf(error).split('\n', 1);
    return err(finalFailure(sentence('The request cannot be written as JSON: {0}', reason)));
  }
}
