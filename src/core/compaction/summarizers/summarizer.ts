import { inEnglish, type Words } from '../../language.ts';
import type { Usage } from '../../messages/chat.ts';
import type { Transcript } from '../../messages/transcript.ts';
import type { ModelError } from '../../model/classify.ts';
import type { ModelProfile } from '../../model/profile.ts';
import type { Steps } from '../../steps.ts';
import type { PassageIndex } from '../recall/passageIndex.ts';
import type { StrategySettings } from '../strategy.ts';

/** What a model wrote. `complete` is false when it was cut off at its limit (`finish_reason: length`). */
export interface SummaryText {
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
    super(inEnglish(words));
    this.words = words;
    this.modelError = modelError;
  }
}
