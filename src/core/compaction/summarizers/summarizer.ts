import type { Transcript } from '../../chat/transcript.ts';
import type { Usage } from '../../chat/wire.ts';
import { classifyModelError, type ModelError } from '../../model/classify.ts';
import { costOf, type ModelTokens, readTokens } from '../../model/cost.ts';
import type { ModelProfile } from '../../model/profile.ts';
import type { Words } from '../../phrase.ts';
import { withoutUndefined } from '../../result.ts';
import type { Steps } from '../../steps.ts';
import type { PassageIndex } from '../recall/passageIndex.ts';
import type { StrategySettings } from '../strategy.ts';

/** What a model wrote. `complete` is false when it was cut off at its limit (`finish_reason: length`). */
interface SummaryText {
  readonly text: string;
  readonly complete: boolean;
  /** What the request took, where the server reported it. */
  readonly usage?: Usage | undefined;
}

/** An answer may take at most this share of the summarizer's window. */
export const ANSWER_SHARE = 0.25;

/** A message of a request for a note: always plain text. */
export type PromptMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

/**
 * A model that writes notes. A port: the host implements it with a model client, the engine with the caller's function.
 * Contract: never changes its input; rejects when it gets no text; stops when `signal` aborts.
 */
export interface Summarizer {
  /** Its name in the receipt. */
  readonly model: string;
  /** The most tokens of one request. */
  readonly inputLimit: number;
  /** The most tokens of one reply, where known. */
  readonly outputLimit?: number | undefined;
  /** US dollars per million tokens, where known. */
  readonly price?: ModelProfile['price'] | undefined;
  write(request: {
    readonly messages: readonly PromptMessage[];
    readonly maxTokens: number;
    readonly signal: AbortSignal;
  }): Promise<SummaryText>;
}

/** What is needed to write notes. */
export interface NoteWriting<Model extends Summarizer = Summarizer> {
  readonly settings: StrategySettings;
  readonly transcript: Transcript;
  /** Index of the transcript, to find the words of a statement. */
  readonly index: PassageIndex;
  readonly summarizer: Model;
  readonly countText: (text: string) => number;
  /** What the user asks for in the note. */
  readonly instructions?: string | undefined;
  readonly signal: AbortSignal;
  /** Runs long work in slices. */
  readonly run: <Value>(steps: Steps<Value>) => Promise<Value>;
}

const TAG = 'think(?:ing)?|thought|reasoning';
/** What a model thought, between marks of its own: a block, one that was never closed, or one that never was opened. */
const BLOCK = new RegExp(String.raw`^[ \t]*<(${TAG})>[\s\S]*?</\1>`, 'gim');
const UNCLOSED = new RegExp(String.raw`^\s*<(?:${TAG})>[\s\S]*$`, 'i');
const UNOPENED = new RegExp(String.raw`^(?:(?!<(?:${TAG})>)[\s\S])*?</(?:${TAG})>[ \t]*(?=\n|$)`, 'i');

/** A model's answer without what it thought before it wrote: some servers leave that in the text. */
export function withoutThinking(answer: string): string {
  if (!answer.includes('<')) return answer;
  return answer.replace(BLOCK, '').replace(UNCLOSED, '').replace(UNOPENED, '').trim();
}

/** Why a summarizer threw. */
export function wordsOfFailure(error: unknown): Words {
  if (error instanceof SummaryRefused) return error.words;
  return error instanceof Error ? error.message : String(error);
}

/** Thrown when a model did not write a note. `modelError`: why its server refused the request, if it did. */
export class SummaryRefused extends Error {
  override readonly name = 'SummaryRefused';
  readonly words: Words;
  readonly modelError: ModelError | undefined;

  constructor(words: Words, modelError?: ModelError) {
    super(typeof words === 'string' ? words : words.code);
    this.words = words;
    this.modelError = modelError;
  }
}

/** What asking a model for notes took. */
export interface ModelUse {
  readonly model: string;
  /** Requests, including those that were refused. */
  readonly calls: number;
  /** Absent when the server did not report on every answer: a partial sum would look like the whole. */
  readonly tokens?: ModelTokens;
  /** US dollars, where the tokens and the model's price are known. */
  readonly cost?: number;
}

/** The share of a stated limit that is used: the server may count differently than Karl. */
const SAFE_SHARE = 0.9;
/** The share of the limit that is used next when the server does not say how much fits. */
const BLIND_SHARE = 0.5;
/** A smaller input limit has no room for a note, and a smaller answer is none. Tokens. */
const LEAST = { input: 1_024, output: 256 };
/** The most times that a limit is lowered in one run. */
const MOST_REFUSALS = 2;

/**
 * The summarizer of one run: it records what asking costs, and lowers its limits when the server refuses a request, or
 * the requested answer, as too long (law 10): to a little less than the refusal states, else to half.
 */
export class AskedModel implements Summarizer {
  readonly model: string;
  inputLimit: number;
  outputLimit: number;
  /** How often a request was refused for its length and a limit was lowered, so that a shorter one may be tried. */
  refusals = 0;
  readonly #summarizer: Summarizer;
  readonly #answers: (ModelTokens | undefined)[] = [];
  #calls = 0;

  constructor(summarizer: Summarizer) {
    this.#summarizer = summarizer;
    this.model = summarizer.model;
    this.inputLimit = summarizer.inputLimit;
    this.outputLimit = summarizer.outputLimit ?? Number.POSITIVE_INFINITY;
  }

  /** The cost of all requests so far. */
  get use(): ModelUse {
    const { model, price } = this.#summarizer;
    const known = this.#answers.filter((tokens) => tokens !== undefined);
    const isKnown = known.length > 0 && known.length === this.#answers.length;
    const tokens = isKnown ? known.reduce(addTokens) : undefined;
    const cost = tokens === undefined || price === undefined ? undefined : costOf(tokens, price);
    return withoutUndefined<ModelUse>({ model, calls: this.#calls, tokens, cost });
  }

  async write(request: Parameters<Summarizer['write']>[0]): Promise<SummaryText> {
    this.#calls += 1;
    try {
      const written = await this.#summarizer.write(request);
      this.#answers.push(readTokens(written.usage));
      return written;
    } catch (error) {
      if (!request.signal.aborted) this.#shrink(error, request.maxTokens);
      throw error;
    }
  }

  #shrink(thrown: unknown, asked: number): void {
    const error = (thrown instanceof SummaryRefused ? thrown.modelError : undefined) ?? classifyModelError(thrown);
    let { inputLimit, outputLimit } = this;
    if (error.kind === 'overflow')
      inputLimit = Math.floor(Math.min(statedRoom(error, inputLimit), inputLimit * SAFE_SHARE));
    else if (error.kind === 'output-limit')
      outputLimit = Math.floor(Math.min(error.outputLimitTokens ?? asked * BLIND_SHARE, asked - 1));
    else return;
    if (this.refusals >= MOST_REFUSALS || inputLimit < LEAST.input || outputLimit < LEAST.output) return;
    Object.assign(this, { inputLimit, outputLimit });
    this.refusals += 1;
  }
}

/** The stated limit in tokens as Karl counts them; half of the old limit when none is stated. */
function statedRoom({ actualTokens, limitTokens, outputTokens = 0 }: ModelError, limit: number): number {
  if (limitTokens === undefined) return limit * BLIND_SHARE;
  const input = actualTokens === undefined ? 0 : actualTokens - outputTokens;
  // By Karl's count the request had at most `limit` tokens, so the server counts this much more.
  const scale = input > limit ? limit / input : 1;
  return limitTokens * scale * SAFE_SHARE;
}

/** The sum of two uses, under the model name of the first that asked. */
export function addUse(one: ModelUse, other: ModelUse): ModelUse {
  if (one.calls === 0) return other;
  if (other.calls === 0) return one;
  const isKnown = one.tokens !== undefined && other.tokens !== undefined;
  return withoutUndefined<ModelUse>({
    model: one.model,
    calls: one.calls + other.calls,
    tokens: isKnown ? addTokens(one.tokens, other.tokens) : undefined,
    cost: isKnown && one.cost !== undefined && other.cost !== undefined ? one.cost + other.cost : undefined,
  });
}

function addTokens(one: ModelTokens, other: ModelTokens): ModelTokens {
  const isCached = one.cached !== undefined || other.cached !== undefined;
  return withoutUndefined<ModelTokens>({
    input: one.input + other.input,
    output: one.output + other.output,
    cached: isCached ? (one.cached ?? 0) + (other.cached ?? 0) : undefined,
  });
}
