import type { ServerResponse } from 'node:http';
import { type AnswerChunk, withoutLogprobs } from '../../core/session/modelClient.ts';
import type { RelayDone, RelayReply } from '../../core/session/relay/relayRequest.ts';
import { isFields } from '../openai/mergeFields.ts';
import type { HttpError } from './httpError.ts';
import type { ClientRequest } from './parseRequest.ts';

/** Writes one answer to a client, streamed or whole, preceded by headers that say what was done for it. */
export class Answer {
  readonly #response: ServerResponse;
  readonly #asked: ClientRequest;
  #done: RelayDone | undefined;
  #whole: AnswerChunk | undefined;

  constructor(response: ServerResponse, asked: ClientRequest) {
    this.#response = response;
    this.#asked = asked;
  }

  start(done: RelayDone): void {
    this.#done = done;
  }

  /** Resolves when the client has read enough to be sent more. */
  chunk(chunk: AnswerChunk): Promise<void> | undefined {
    if (!this.#asked.streams) {
      this.#whole = chunk.object === 'chat.completion' ? chunk : undefined;
      return undefined;
    }
    if (!this.#asked.wantsUsage && isUsageOnly(chunk)) return undefined;
    return this.#event(asChunk(chunk));
  }

  /** The answer is whole. */
  end(reply: RelayReply): void {
    if (this.#asked.streams) {
      this.#open();
      this.#response.end('data: [DONE]\n\n');
    } else sendJson(this.#response, 200, completionOf(reply, this.#whole, this.#asked), headersOf(this.#done));
  }

  /** There is no answer, or it breaks off: an error response, or the last event of the stream. */
  fail(failure: HttpError): void {
    if (!this.#response.headersSent) sendError(this.#response, failure, headersOf(this.#done));
    else this.#response.end(`data: ${JSON.stringify({ error: failure.error })}\n\n`);
  }

  #open(): void {
    if (this.#response.headersSent) return;
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
    this.#response.writeHead(200, { ...headers, ...headersOf(this.#done) });
  }

  #event(value: unknown): Promise<void> | undefined {
    this.#open();
    if (this.#response.write(`data: ${JSON.stringify(value)}\n\n`) || this.#response.destroyed) return undefined;
    return new Promise((resolve) => {
      const go = () => {
        this.#response.off('drain', go).off('close', go);
        resolve();
      };
      this.#response.on('drain', go).on('close', go);
    });
  }
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(value));
}

/** Answers with an error. */
export function sendError(
  response: ServerResponse,
  { status, error, retryAfter }: HttpError,
  headers: Readonly<Record<string, string>> = {},
): void {
  const waits = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const asks = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  sendJson(response, status, { error }, { ...headers, ...waits, ...asks });
}

/**
 * What was done, as a response header: `passed`, `compacted` before the request was sent, or `recovered` after the server
 * had refused it; then figures in tokens.
 */
function headersOf(done: RelayDone | undefined): Readonly<Record<string, string>> {
  if (done === undefined) return {};
  const { compactions, recalls, thread, budget } = done;
  const first = compactions[0];
  const last = compactions.at(-1);
  const did = compactions.some(({ trigger }) => trigger === 'overflow') ? 'recovered' : 'compacted';
  const parts = [
    first === undefined || last === undefined ? 'passed' : `${did}; before=${first.before}; after=${last.after}`,
    budget.windowSource === 'unknown'
      ? `used=${budget.used.tokens}; window=unknown; accepted=${budget.accepted}`
      : `used=${budget.used.tokens}; limit=${budget.limit}; window=${budget.window}`,
    ...(recalls === 0 ? [] : [`recalls=${recalls}`]),
    ...(thread === undefined ? [] : [`thread=${thread}`]),
  ];
  return { 'x-karl': parts.join('; ') };
}

function isUsageOnly({ choices, usage }: AnswerChunk): boolean {
  return Array.isArray(choices) && choices.length === 0 && isFields(usage);
}

/** The answer of a server that does not stream, as the one chunk of a stream. */
function asChunk(chunk: AnswerChunk): AnswerChunk {
  if (chunk.object !== 'chat.completion' || !Array.isArray(chunk.choices)) return chunk;
  const choices = chunk.choices.map((choice) => {
    const { message, ...rest } = choice;
    return { ...rest, delta: withIndexes(message) };
  });
  return { ...chunk, object: 'chat.completion.chunk', choices };
}

function withIndexes(message: unknown): unknown {
  if (!isFields(message) || !Array.isArray(message.tool_calls)) return message;
  return { ...message, tool_calls: message.tool_calls.map((call, index) => ({ index, ...call })) };
}

/** The whole answer as the server gave it, or put together if the server streamed although it was not asked to. */
function completionOf(reply: RelayReply, whole: AnswerChunk | undefined, { request }: ClientRequest): object {
  const { message, finishReason, usage } = reply;
  // A model whose tool calls are written as text ends its reply as if it had only spoken.
  const finish_reason = finishReason === 'stop' && message.tool_calls !== undefined ? 'tool_calls' : finishReason;
  const choice = { index: 0, message, finish_reason };
  if (whole === undefined || !Array.isArray(whole.choices)) {
    const created = Math.floor(Date.now() / 1000);
    return {
      id: `karl-${created}`,
      object: 'chat.completion',
      created,
      model: request.model,
      choices: [choice],
      usage,
    };
  }
  const [first, ...others] = whole.choices;
  // What was said before a recall belongs to the answer, and the server's log probabilities do not cover it.
  const content = message.content || (first.message.content ?? null);
  const kept = content === (first.message.content ?? null) ? first : withoutLogprobs(first);
  const said = { ...kept, message: { ...first.message, content } };
  return { ...whole, choices: [said, ...others] };
}
