import { Worker } from 'node:worker_threads';
import { english } from '../../core/language.ts';
import type { Encoding } from '../../core/profile/profile.ts';
import type { StreamCount, TextCounter, TokenCount } from '../../core/tokens/counter.ts';
import { estimateTokens } from '../../core/tokens/estimate.ts';
import { EstimateStream } from '../../core/tokens/estimateStream.ts';
import { ExactCounter } from '../../core/tokens/exactCounter.ts';
import { RankTable } from '../../core/tokens/rankTable.ts';
import { Corrections } from './corrections.ts';
import { InlineCounter } from './inlineCounter.ts';
import { TextQueue } from './textQueue.ts';
import type { WorkerReply, WorkerRequest, WorkerStart } from './workerMessages.ts';

/** The longest text that the calling thread counts itself, UTF-16 units (64 kB): about 1 ms for ordinary text. */
export const INLINE_UNITS = 32_768;
/** The number of unanswered requests that the worker may have; more would only wait in memory. */
const REQUESTS_UNDERWAY = 2;

export interface WorkerCounterOptions {
  readonly encoding: Encoding;
  /** The worker's module: the bundle of `worker.ts`. */
  readonly workerFile: URL | string;
  /** The packed ranks, see `packRanks`. */
  readonly ranksFile: string;
  /** Called once, when the worker has died: from then on large texts are estimated. */
  readonly onWarning: (message: string) => void;
}

/**
 * The counter of the extension host. It never loads ranks and never counts for long: a worker loads them, small texts
 * are counted at once with the tables it shares, larger ones are estimated at once and corrected when the worker has
 * counted them. Until the worker is ready everything is an estimate.
 */
export class WorkerCounter implements TextCounter {
  readonly encoding: Encoding;
  readonly #worker: Worker;
  readonly #onWarning: (message: string) => void;
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
    this.#worker.on('error', (error) => this.#lose(error instanceof Error ? error.message : String(error)));
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

  /** Exact when the worker has handed over its tables before the text begins, else an estimate. */
  stream(): StreamCount {
    return this.#exact?.stream() ?? new EstimateStream(this.encoding);
  }

  /** Ends the worker. Small texts are still counted if the tables have come, others are estimated. */
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
    this.#onWarning(english("The token counter's thread ended ({0}); large texts are estimated from now on.", reason));
  }

  #letGo(): void {
    clearImmediate(this.#pump);
    this.#queue.clear();
    this.#texts.clear();
    this.#corrections.clear();
    this.#answerWaiting();
  }
}
