import type { ServerResponse } from 'node:http';
import type { AnswerChunk } from '../../core/model/modelClient.ts';
import type { RelayDone, RelayReply } from '../../core/session/relay/relayRequest.ts';
import { type ClientRequest, commentText, type Dialect } from './dialects/dialect.ts';
import type { HttpError } from './httpError.ts';

/**
 * How long the headers of a stream wait, milliseconds: long enough for a server to refuse a key, a model or a request, so
 * that the client gets that status and decides whether to retry. After the headers, the relay retries.
 */
const GRACE_MS = 500;

/** A stream gets a sign of life after this time without an event, milliseconds: clients give up after a minute or so. */
const QUIET_MS = 10_000;

/**
 * Writes one answer to a client, streamed or whole. A header says what was done for it, or a comment in a stream whose
 * headers were sent before that was known.
 */
export class Answer {
  readonly #response: ServerResponse;
  readonly #dialect: Dialect;
  readonly #asked: ClientRequest;
  #done: RelayDone | undefined;
  #alive: NodeJS.Timeout | undefined;

  constructor(response: ServerResponse, dialect: Dialect, asked: ClientRequest, graceMs = GRACE_MS) {
    this.#response = response;
    this.#dialect = dialect;
    this.#asked = asked;
    if (!asked.streams) return;
    this.#alive = setTimeout(() => {
      this.#open();
      response.flushHeaders();
      this.#alive = setInterval(() => void this.#write(asked.form.keepAlive()), QUIET_MS);
    }, graceMs);
    response.once('close', () => clearTimeout(this.#alive));
  }

  /** Whether the headers were sent: then no status can tell the client any more whether to retry. */
  get isOpen(): boolean {
    return this.#response.headersSent;
  }

  start(done: RelayDone): void {
    const isLate = this.isOpen && this.#done === undefined;
    this.#done = done;
    if (isLate && this.#asked.form.takesComments) void this.#write(commentText(`x-karl: ${describe(done)}`));
  }

  /** Resolves when the client has read enough to be sent more. */
  chunk(chunk: AnswerChunk): Promise<void> | undefined {
    const text = this.#asked.form.take(chunk);
    if (!this.#asked.streams || text === '') return undefined;
    this.#alive?.refresh();
    return this.#write(text);
  }

  /** The answer is whole. */
  end(reply: RelayReply): void {
    clearTimeout(this.#alive);
    const { streams, form } = this.#asked;
    if (streams) {
      this.#open();
      this.#response.end(form.end(reply));
    } else sendJson(this.#response, 200, form.whole(reply), headersOf(this.#done));
  }

  /** There is no answer, or it breaks off: an error response, or the last event of the stream. */
  fail(failure: HttpError): void {
    clearTimeout(this.#alive);
    if (!this.isOpen) sendError(this.#response, this.#dialect, failure, headersOf(this.#done));
    else this.#response.end(this.#asked.form.fail(failure));
  }

  #open(): void {
    if (this.isOpen) return;
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
    this.#response.writeHead(200, { ...headers, ...headersOf(this.#done) });
  }

  #write(text: string): Promise<void> | undefined {
    this.#open();
    if (this.#response.write(text) || this.#response.destroyed) return undefined;
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

/** Answers with an error, in the form of the client's API. */
export function sendError(
  response: ServerResponse,
  dialect: Dialect,
  failure: HttpError,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { status, retryAfter, isFinal } = failure;
  const waits = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  // Otherwise the libraries of OpenAI and Anthropic, and Claude Code, would retry for minutes.
  const ends = isFinal ? { 'x-should-retry': 'false' } : {};
  const asks = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  sendJson(response, status, dialect.error(failure), { ...headers, ...waits, ...ends, ...asks });
}

function headersOf(done: RelayDone | undefined): Readonly<Record<string, string>> {
  return done === undefined ? {} : { 'x-karl': describe(done) };
}

/**
 * What was done: `passed`, `compacted` before the request was sent, or `recovered` after the server had refused it; then
 * figures in tokens.
 */
function describe(done: RelayDone): string {
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
  return parts.join('; ');
}
