import { createParser, type ParserConfig } from 'eventsource-parser';
import type { AnswerChunk } from '../../core/model/modelClient.ts';
import type { Phrase } from '../../core/phrase.ts';
import { inEnglish, sentence } from '../../language/language.ts';
import { LONGEST_TIMER_MS } from '../node/slices.ts';
import { isCompressed, JsonScan, TextReader, tellBody } from './bodies.ts';
import { type Answer, nodeFetch, type Post } from './nodeFetch.ts';

/** Limits of one reply. */
export interface ReplyLimits {
  /** Characters of text, reasoning, arguments and other fields together. */
  readonly characters: number;
  /** Calls, content parts and unknown fields together, which cost more than their characters. */
  readonly entries: number;
  /** JSON values in one event, or in a body that is not a stream. */
  readonly values: number;
  /** Bytes of the whole stream. */
  readonly bytes: number;
  /** Bytes of one line of the stream. */
  readonly lineBytes: number;
  /** How long the connection may stay open after the end of the reply, for its usage. Milliseconds. */
  readonly graceMs: number;
}

/** Far more than any reply has, and far less than would slow down the editor. */
const DEFAULT_REPLY_LIMITS: ReplyLimits = {
  characters: 16_000_000,
  entries: 10_000,
  values: 500_000,
  bytes: 256_000_000,
  lineBytes: 48_000_000,
  graceMs: 3_000,
};

/** An answer that is not an event stream, as sent. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Headers;
  readonly body: string;
  /** The body was compressed although nothing asked for that, and was not read. */
  readonly compressed?: true;
}

/** Error bodies are read up to this size. Bytes. */
const LONGEST_ERROR_BODY = 1_000_000;

/** Characters kept of the beginning of an answer. */
const LONGEST_HEAD = 4_000;

/** The headers of every request: none comes from the environment or tells anything about this machine. */
const HEADERS = {
  accept: 'text/event-stream, application/json',
  'content-type': 'application/json',
  'user-agent': 'karl-vscode',
};

/** The data of the last event of a stream. */
const DONE = '[DONE]';

/** A single line end between events, as some servers send it: JSON never has an object right after the end of another. */
const ONE_LINE_END = /(\}[ \t]*(?:\r\n|\n|\r))(?=[^d\r\n]|data:[ \t]*(?:\{|\[DONE\]))/g;

/** The end of an event's line that is looked at again with the next line. Characters. */
const LONGEST_END = 8;

/** The headers in which APIs expect their keys. */
export const KEY_HEADERS: readonly string[] = ['authorization', 'x-api-key', 'x-goog-api-key'];

/** What is posted, and how. */
export interface ExchangeOptions {
  readonly address: string;
  /** Added to the headers of every exchange, and taking precedence. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body to post, in pieces. */
  readonly body: readonly Uint8Array[];
  /** The longest silence. Milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly fetch?: ((address: string, post: Post) => Promise<Answer>) | undefined;
  readonly limits?: Partial<ReplyLimits> | undefined;
}

/**
 * One HTTP exchange: sends exactly the given body and headers, reads an event stream, keeps the raw body of any other
 * answer, and enforces the limits.
 */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly limits: ReplyLimits;
  readonly watchdog: Watchdog;
  /** The raw answer, if it was an error or not an event stream. */
  answer: RawAnswer | undefined;
  /** Whether the stream announced its end (`[DONE]`). */
  isDone = false;
  /** The limit that the reply exceeded. */
  tooLarge: Phrase | undefined;
  /** The first raw characters of the stream, evidence if nothing in it could be read. */
  head = '';
  #bytes = 0;
  #lineBytes = 0;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.limits = { ...DEFAULT_REPLY_LIMITS, ...options.limits };
    this.watchdog = new Watchdog(options, this.limits);
  }

  /** The origin of the server, for messages. */
  get server(): string {
    return new URL(this.#options.address).origin;
  }

  /** The keys that were sent, which a server may repeat. */
  get keys(): readonly string[] {
    const { headers } = this.#options;
    return KEY_HEADERS.flatMap((name) => headers[name]?.replace(/^Bearer +/i, '') ?? []);
  }

  /** Posts the request and yields the chunks of an event stream; `answer` gets any other answer. */
  async *post(): AsyncGenerator<AnswerChunk> {
    const { address, headers: added, body, fetch = nodeFetch } = this.#options;
    try {
      const { signal } = this.watchdog.controller;
      const answered = await fetch(address, { headers: { ...HEADERS, ...added }, body, signal });
      this.watchdog.touch();
      yield* this.#read(answered);
    } finally {
      this.watchdog.stop();
    }
  }

  async *#read({ status, headers, body }: Answer): AsyncGenerator<AnswerChunk> {
    const contentType = headers.get('content-type') ?? '';
    const answer = { status, contentType, headers };
    if (isCompressed(headers)) return this.#refuseCompressed(answer);
    // An error must be read even if it repeats a large request.
    const isError = status >= 300;
    const limit = isError ? LONGEST_ERROR_BODY : this.limits.lineBytes;
    const isLabelled = /^text\/event-stream/i.test(contentType);
    const events: string[] = [];
    const feed = readEvents({
      onEvent: ({ data }) => events.push(data),
      // The lines of one event together.
      maxBufferSize: this.limits.lineBytes,
      onError: ({ type }) => type === 'max-buffer-size-exceeded' && this.#stopLine(),
    });
    const text = new TextReader(isError ? () => undefined : this.#checkValues);
    const decoder = new TextDecoder();
    let kind: 'events' | 'text' | undefined;
    let start = '';
    try {
      for await (const bytes of body) {
        if (start === '' && kind === undefined && isCompressed(headers, bytes)) return this.#refuseCompressed(answer);
        const piece = decoder.decode(bytes, { stream: true });
        this.#meter(bytes, piece);
        // Endless white space must not pile up.
        if (kind === undefined) start = (start + piece).trimStart();
        const fresh = kind === undefined ? start : piece;
        kind ??= tellBody(start, isLabelled);
        if (kind !== 'events' && piece.trim() !== '') this.watchdog.progress();
        if (kind === undefined) continue;
        if (kind === 'events' && !isError) {
          feed(fresh);
          yield* this.#parse(events.splice(0));
        } else text.push(fresh);
        if (this.isDone) return;
        if (text.isWhole) this.watchdog.settle();
        if (text.text.length >= limit) break;
      }
    } catch (error) {
      // A body that is complete needs no proper end.
      if (!text.isWhole) throw error;
    }
    const rest = (kind === undefined ? start : '') + decoder.decode();
    kind ??= isLabelled ? 'events' : 'text';
    if (kind === 'events' && !isError) {
      // The last event may lack its end.
      feed(`${rest}\n\n`);
      yield* this.#parse(events);
    } else {
      text.push(rest);
      this.answer = { ...answer, body: text.text.slice(0, limit) };
    }
  }

  #refuseCompressed(answer: Omit<RawAnswer, 'body'>): void {
    // Reading on would take time for nothing.
    this.watchdog.controller.abort();
    this.answer = { ...answer, body: '', compressed: true };
  }

  *#parse(events: readonly string[]): Generator<AnswerChunk> {
    for (const data of events) {
      const text = data.trim();
      this.isDone ||= text.startsWith(DONE);
      if (this.isDone) return;
      if (text === '') continue;
      const scan = new JsonScan();
      scan.push(text);
      this.#checkValues(scan.values);
      yield JSON.parse(text);
    }
  }

  readonly #checkValues = (count: number): void => {
    const { values } = this.limits;
    if (count > values) this.#stop(sentence('The reply was stopped: it has more than {0} values.', String(values)));
  };

  #meter(bytes: Uint8Array, text: string): void {
    this.watchdog.touch();
    this.#bytes += bytes.byteLength;
    const lineEnd = bytes.lastIndexOf(10);
    this.#lineBytes = lineEnd < 0 ? this.#lineBytes + bytes.byteLength : bytes.byteLength - lineEnd - 1;
    if (this.head.length < LONGEST_HEAD) this.head = (this.head + text).slice(0, LONGEST_HEAD);
    const { bytes: most, lineBytes } = this.limits;
    if (this.#bytes > most) this.#stop(sentence('The reply was stopped: it has more than {0} bytes.', String(most)));
    if (this.#lineBytes > lineBytes) this.#stopLine();
  }

  #stopLine(): never {
    const most = String(this.limits.lineBytes);
    return this.#stop(sentence('The reply was stopped: a line of it has more than {0} bytes.', most));
  }

  #stop(why: Phrase): never {
    this.tooLarge = why;
    throw new Error(inEnglish(why));
  }
}

/** Takes an event stream apart, piece by piece. */
function readEvents(config: ParserConfig): (piece: string) => void {
  const parser = createParser(config);
  /** The end of the last whole line, and what came of the next one. */
  let [before, line] = ['', ''];
  return (piece) => {
    const end = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf('\r')) + 1;
    if (end === 0) {
      line += piece;
      return;
    }
    const text = `${before}${line}${piece.slice(0, end)}`;
    line = piece.slice(end);
    parser.feed(text.replace(ONE_LINE_END, '$1\n').slice(before.length));
    before = /\}[ \t]*(?:\r\n|\n|\r)$/.exec(text.slice(-LONGEST_END))?.[0] ?? '';
  };
}

/** Why this side ended a request. `idle`: bytes arrived, but no reply; `settled`: the reply was complete. */
export type Ending = 'cancelled' | 'no-headers' | 'stalled' | 'idle' | 'settled';

/** A server may send mere signs of life for this multiple of the time limit. */
export const IDLE_TIMES = 3;

/**
 * Ends a request when the user cancels, when no byte arrives for too long (before the headers, then after each chunk), when
 * nothing but keep-alive comments arrives for too long, or when the connection stays open after the reply is complete.
 */
class Watchdog {
  /** Aborts with the request, and ends the request when it is aborted. */
  readonly controller = new AbortController();
  readonly timeoutMs: number;
  readonly #graceMs: number;
  readonly #cancelled: AbortSignal;
  readonly #timers = new Map<Ending, NodeJS.Timeout>();
  #isOver = false;
  /** Why this side ended the request; undefined if it did not. */
  ending: Ending | undefined;

  constructor({ timeoutMs, signal }: Pick<ExchangeOptions, 'timeoutMs' | 'signal'>, { graceMs }: ReplyLimits) {
    this.timeoutMs = timeoutMs;
    this.#graceMs = Math.min(graceMs, timeoutMs);
    this.#cancelled = signal;
    if (signal.aborted) this.#cancel();
    else signal.addEventListener('abort', this.#cancel, { once: true });
    this.#endAfter(timeoutMs, 'no-headers');
    this.progress();
  }

  /** Bytes or headers have arrived. */
  touch(): void {
    this.#clear('no-headers');
    this.#endAfter(this.timeoutMs, 'stalled');
  }

  /** Part of the reply has arrived: it has not ended. */
  progress(): void {
    this.#endAfter(this.timeoutMs * IDLE_TIMES, 'idle');
    this.#clear('settled');
  }

  /** The reply seems complete: gives the connection a little time to end, or to bring more. */
  settle(): void {
    if (!this.#timers.has('settled')) this.#endAfter(this.#graceMs, 'settled');
  }

  /** The exchange is over: no timer runs any more. */
  stop(): void {
    this.#isOver = true;
    for (const ending of this.#timers.keys()) this.#clear(ending);
    this.#cancelled.removeEventListener('abort', this.#cancel);
  }

  readonly #cancel = () => this.#end('cancelled');

  #endAfter(ms: number, ending: Ending): void {
    this.#clear(ending);
    if (!this.#isOver)
      this.#timers.set(
        ending,
        setTimeout(() => this.#end(ending), Math.min(ms, LONGEST_TIMER_MS)),
      );
  }

  #clear(ending: Ending): void {
    clearTimeout(this.#timers.get(ending));
    this.#timers.delete(ending);
  }

  #end(ending: Ending): void {
    this.ending ??= ending;
    this.stop();
    this.controller.abort();
  }
}
