import { Worker } from 'node:worker_threads';
import { sentence, type Words } from '../../core/language.ts';
import { reasonOf } from '../../core/result.ts';
import type { Encoding, StreamCount, TextCounter, TokenCount } from '../../core/tokens/counter.ts';
import { EstimateStream, estimateTokens } from '../../core/tokens/estimate.ts';
import { ExactCounter, type TextStream } from '../../core/tokens/exactCounter.ts';
import { RankTable } from '../../core/tokens/rankTable.ts';
import type { TextPart, WorkerReply, WorkerRequest, WorkerStart } from './worker.ts';

/** UTF-16 units sent at once, at most 1 MB: posting copies, and copying 10 MB would block for 25 ms. */
const UNITS_PER_POST = 512 * 1024;

/** Texts on their way to the worker, handed out in parts of bounded size. */
class TextQueue {
  readonly #waiting: { id: number; text: string; sent: number }[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(id: number, text: string): void {
    this.#waiting.push({ id, text, sent: 0 });
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  /** Takes the next parts, together at most UNITS_PER_POST. The worker joins parts wherever they are cut. */
  take(): TextPart[] {
    const parts: TextPart[] = [];
    let room = UNITS_PER_POST;
    for (let first = this.#waiting[0]; first !== undefined && room > 0; first = this.#waiting[0]) {
      const end = Math.min(first.text.length, first.sent + room);
      const last = end === first.text.length;
      parts.push({ id: first.id, text: first.text.slice(first.sent, end), last });
      room -= end - first.sent;
      first.sent = end;
      if (last) this.#waiting.shift();
    }
    return parts;
  }
}

/** UTF-16 units between two looks at the clock. */
const STEP = 4096;
/** A call gives up after this time. Milliseconds. */
const CALL_MS = 8;
/** After this time, no more texts are counted in the same turn of the event loop. Milliseconds. */
const TURN_MS = 4;
/** Runs without a boundary are counted in one go, so longer ones are left to the worker. Bytes. */
const LONGEST_RUN = 8192;

/** Counts texts in the calling thread, unless that would make a call or a turn of the event loop long. */
class InlineCounter {
  readonly #exact: ExactCounter;
  #stream: TextStream;
  #spentMs = 0;
  #newTurn: NodeJS.Immediate | undefined;

  constructor(exact: ExactCounter) {
    this.#exact = exact;
    this.#stream = exact.stream();
  }

  /** The number of tokens; `undefined` if counting here would take too long. */
  count(text: string): number | undefined {
    if (this.#spentMs >= TURN_MS) return undefined;
    const started = performance.now();
    const tokens = this.#countUntil(text, started + CALL_MS);
    this.#spentMs += performance.now() - started;
    this.#newTurn ??= setImmediate(() => {
      this.#spentMs = 0;
      this.#newTurn = undefined;
    });
    return tokens;
  }

  #countUntil(text: string, deadline: number): number | undefined {
    if (text.length <= STEP) return this.#exact.countTokens(text);
    for (let at = 0; at < text.length; at += STEP) {
      this.#stream.append(text.slice(at, at + STEP));
      if (performance.now() > deadline || this.#stream.waitingBytes > LONGEST_RUN) {
        this.#stream = this.#exact.stream();
        return undefined;
      }
    }
    return this.#stream.finish();
  }
}

/** A corrected count is kept for one to two times this time. Milliseconds. */
const KEPT_MS = 30_000;

interface Known {
  count: TokenCount;
  /** Sweeps survived since the count became exact. */
  age: number;
}

/**
 * Counts of large texts: first the estimate, then for a while the exact number. The texts are the keys, so they stay in
 * memory for that time; callers are expected to ask again after a correction and remember the number.
 */
export class Corrections {
  readonly #known = new Map<string, Known>();
  #sweeper: NodeJS.Timeout | undefined;

  find(text: string): TokenCount | undefined {
    return this.#known.get(text)?.count;
  }

  /** Remembers the estimate for a text that is being counted. */
  estimate(text: string, count: TokenCount): void {
    this.#known.set(text, { count, age: 0 });
  }

  /** Replaces the estimate with the exact number. */
  correct(text: string, tokens: number): void {
    this.#known.set(text, { count: { tokens, source: 'counted' }, age: 0 });
    this.#sweeper ??= setInterval(() => this.sweep(), KEPT_MS).unref();
  }

  /** Releases texts whose exact number has been there for a whole period. */
  sweep(): void {
    for (const [text, known] of this.#known) {
      if (known.count.source === 'counted' && known.age++ > 0) this.#known.delete(text);
    }
    if (this.#known.size === 0) this.#stop();
  }

  clear(): void {
    this.#known.clear();
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}

/** The longest text that the calling thread counts, about 1 ms of work. UTF-16 units (64 kB). */
export const INLINE_UNITS = 32_768;
/** The most unanswered requests to the worker; more would only wait in memory. */
const REQUESTS_UNDERWAY = 2;

export interface WorkerCounterOptions {
  readonly encoding: Encoding;
  /** The worker's module: the bundle of `worker.ts`. */
  readonly workerFile: URL | string;
  /** The packed ranks, see `packRanks`. */
  readonly ranksFile: string;
  /** Called once, when the worker has died: from then on large texts are estimated. */
  readonly onWarning: (message: Words) => void;
}

/**
 * The counter of the extension host, which never loads ranks and never counts for long. A worker loads the ranks and shares
 * its tables. Small texts are counted at once; larger ones are estimated at once and corrected when the worker has counted
 * them. Until the worker is ready, everything is an estimate.
 */
export class WorkerCounter implements TextCounter {
  readonly encoding: Encoding;
  readonly #worker: Worker;
  readonly #onWarning: (message: Words) => void;
  readonly #listeners = new Set<() => void>();
  readonly #corrections = new Corrections();
  readonly #queue = new TextQueue();
  /** Callers that wait until every text up to an id is counted. */
  #waiting: { readonly upTo: number; readonly resolve: () => void }[] = [];
  readonly #texts = new Map<number, string>(); // being counted, by the id that the worker knows
  #exact: ExactCounter | undefined;
  #inline: InlineCounter | undefined;
  #state: 'starting' | 'ready' | 'gone' = 'starting';
  #nextId = 0;
  #underway = 0;
  #pump: NodeJS.Immediate | undefined;

  constructor({ encoding, workerFile, ranksFile, onWarning }: WorkerCounterOptions) {
    this.encoding = encoding;
    this.#onWarning = onWarning;
    const start: WorkerStart = { encoding, ranksFile };
    this.#worker = new Worker(workerFile, { workerData: start, name: 'karl token counter' });
    this.#worker.on('message', (reply: WorkerReply) => this.#receive(reply));
    this.#worker.on('error', (error) => this.#lose(reasonOf(error)));
    this.#worker.on('exit', (code) => this.#lose(`exit code ${code}`));
    this.#worker.unref();
  }

  count(text: string): TokenCount {
    if (text === '') return { tokens: 0, source: 'counted' };
    const known = this.#corrections.find(text);
    if (known?.source === 'counted') return known;
    const tokens = text.length <= INLINE_UNITS ? this.#inline?.count(text) : undefined;
    if (tokens !== undefined) return { tokens, source: 'counted' };
    if (known !== undefined) return known;
    const estimate = estimateTokens(text, this.encoding);
    if (this.#state !== 'gone') this.#countInWorker(text, estimate);
    return estimate;
  }

  onCorrected(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  exact(): TextCounter | undefined {
    return this.#exact;
  }

  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ upTo: this.#nextId, resolve });
      this.#answerWaiting();
    });
  }

  /** Exact if the worker is ready before the text begins, otherwise an estimate. */
  stream(): StreamCount {
    return this.#exact?.stream() ?? new EstimateStream(this.encoding);
  }

  /** Ends the worker. Then small texts are still counted if the tables have arrived; others are estimated. */
  async dispose(): Promise<void> {
    this.#state = 'gone';
    this.#letGo();
    this.#listeners.clear();
    await this.#worker.terminate();
  }

  #countInWorker(text: string, estimate: TokenCount): void {
    const id = this.#nextId++;
    this.#corrections.estimate(text, estimate);
    this.#texts.set(id, text);
    this.#queue.add(id, text);
    this.#schedule();
  }

  /** Sends at most one request per turn of the event loop, so that copying a large text never blocks for long. */
  #schedule(): void {
    if (this.#state !== 'ready' || this.#queue.isEmpty || this.#underway >= REQUESTS_UNDERWAY) return;
    this.#pump ??= setImmediate(() => {
      this.#pump = undefined;
      if (this.#state !== 'ready') return;
      const request: WorkerRequest = this.#queue.take();
      this.#underway++;
      this.#worker.postMessage(request);
      this.#schedule();
    });
  }

  #receive(reply: WorkerReply): void {
    if (this.#state === 'gone') return;
    if (reply.kind === 'ready') {
      this.#exact = new ExactCounter(this.encoding, new RankTable(reply.ranks));
      this.#inline = new InlineCounter(this.#exact);
      this.#state = 'ready';
    } else {
      this.#underway--;
      for (const { id, tokens } of reply.counts) this.#correct(id, tokens);
      if (reply.counts.length > 0) for (const listener of this.#listeners) listener();
      this.#answerWaiting();
    }
    this.#schedule();
  }

  #correct(id: number, tokens: number): void {
    const text = this.#texts.get(id);
    if (text === undefined) throw new Error(`the worker counted a text that it was not given: ${id}`);
    this.#texts.delete(id);
    this.#corrections.correct(text, tokens);
  }

  #answerWaiting(): void {
    const [oldest = this.#nextId] = this.#texts.keys();
    const done = this.#waiting.filter(({ upTo }) => upTo <= oldest);
    this.#waiting = this.#waiting.filter(({ upTo }) => upTo > oldest);
    for (const { resolve } of done) resolve();
  }

  #lose(reason: string): void {
    if (this.#state === 'gone') return;
    this.#state = 'gone';
    this.#letGo();
    this.#onWarning(sentence("The token counter's thread ended ({0}); large texts are estimated from now on.", reason));
  }

  #letGo(): void {
    clearImmediate(this.#pump);
    this.#queue.clear();
    this.#texts.clear();
    this.#corrections.clear();
    this.#answerWaiting();
  }
}
