import { english } from '../../language.ts';
import { neutralise } from '../../messages/fence.ts';
import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import { auditNote } from '../audit/auditNote.ts';
import type { PassageIndex } from '../recall/passageIndex.ts';
import type { NoteOrder } from '../strategy.ts';
import type { StrategySettings } from '../strategySettings.ts';
import { type CountText, toPieces } from './pieces.ts';
import { continuePrompt, type NotePrompt, notePrompt } from './prompt.ts';
import type { Summarizer } from './summarizer.ts';

/** What came of an order. */
export type NoteOutcome =
  | {
      readonly kind: 'written';
      readonly text: string;
      readonly calls: number;
      /** Statements that were taken out. */
      readonly rejected: readonly string[];
      /** Statements that stand marked as unverified. */
      readonly unverified: number;
    }
  /** Too little of it holds. */
  | { readonly kind: 'refused'; readonly message: string; readonly calls: number; readonly rejected: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string; readonly calls: number }
  | { readonly kind: 'cancelled'; readonly calls: number };

/** Tokens of the prompt around the conversation: instructions, marks, roles. */
const PROMPT_TOKENS = 900;
/** One answer may take this share of the summarizer's window at most; and may always have so many tokens. */
const ANSWER_SHARE = 0.25;
const LEAST_ANSWER = 64;
/** A note of which less than this share of the statements holds is refused. */
const LEAST_HOLDING = 0.5;
/**
 * A thorough account of more than so many tokens is asked for once more when it has less than this share of the length that
 * was ordered (half of what it tells of: with a tenth of that left, most is lost); one that may not have so much, of its limit.
 */
const LEAST_TOLD = 2000;
const SHORT_SHARE = 0.2;
const SHORT_SHARE_OF_LIMIT = 0.5;
/** A note that is longer than ordered still serves, up to this share of what it tells of. */
const LONGEST_SHARE = 0.8;

/** What a note is written from and with. */
export interface NoteWriting {
  readonly order: NoteOrder;
  readonly settings: StrategySettings;
  readonly transcript: Transcript;
  /** Of the transcript: where the words of a statement are found. */
  readonly index: PassageIndex;
  readonly summarizer: Summarizer;
  readonly countText: CountText;
  /** What the user asks of the note. */
  readonly instructions?: string;
  readonly signal: AbortSignal;
  /** Runs long work in slices. */
  readonly run: <Value>(steps: Steps<Value>) => Promise<Value>;
}

/**
 * Has a model write the note of an order from raw messages and checks it statement by statement: what does not hold is
 * taken out, the rest stands. Never sends more than the summarizer's window takes, never asks for more than it gives out or
 * the settings allow, and asks once, or once more for a thorough account that is far too short.
 */
export async function writeNote(writing: NoteWriting): Promise<NoteOutcome> {
  const { order, signal, countText } = writing;
  const asked = await ask(writing);
  const { calls } = asked;
  if (signal.aborted) return { kind: 'cancelled', calls };
  if (!asked.ok) return { kind: 'failed', message: asked.message, calls };
  const refuse = (message: string): NoteOutcome => ({ kind: 'refused', message, calls, rejected: [] });
  if (asked.text === '') return refuse(english('The model wrote an empty summary.'));
  const tokens = countText(asked.text);
  if (tokens > Math.max(order.maxTokens, order.sourceTokens * LONGEST_SHARE))
    return refuse(
      english(
        "The model's summary is too long: {0} tokens where {1} were asked for.",
        String(tokens),
        String(order.maxTokens),
      ),
    );
  const audited = await writing.run(auditNote(asked.text, writing.transcript, writing.index));
  if (audited.statements === 0) return refuse(english("The model's summary states nothing."));
  if (audited.kept < audited.statements * LEAST_HOLDING) {
    const message = english(
      "Only {0} of the {1} statements of the model's summary hold.",
      audited.kept,
      audited.statements,
    );
    return { kind: 'refused', message, calls, rejected: audited.removed };
  }
  const text = neutralise(audited.text).toWellFormed();
  return { kind: 'written', text, calls, rejected: audited.removed, unverified: audited.unverified };
}

type Asked =
  | { readonly ok: true; readonly text: string; readonly calls: number }
  | { readonly ok: false; readonly message: string; readonly calls: number };

/**
 * Asks for the note, in as many pieces as the window demands, and as a thorough account needs to have its length; the parts
 * are joined as they are, never summarized again.
 */
async function ask(writing: NoteWriting): Promise<Asked> {
  const { order, summarizer, settings, countText, signal, instructions } = writing;
  const most = Math.min(
    order.maxTokens,
    settings.summary.maxTokens,
    summarizer.outputLimit ?? Number.POSITIVE_INFINITY,
  );
  const answer = Math.max(LEAST_ANSWER, Math.min(most, Math.floor(summarizer.inputLimit * ANSWER_SHARE)));
  const room = Math.max(200, summarizer.inputLimit - answer - PROMPT_TOKENS - countText(instructions ?? ''));
  const least = order.detail === 'thorough' ? Math.ceil(order.maxTokens / answer) : 1;
  const pieces = await writing.run(toPieces(order.blocks, room, countText, least));
  const maxTokens = Math.max(LEAST_ANSWER, Math.min(answer, Math.floor(order.maxTokens / pieces.length)));
  const wanted = Math.min((order.maxTokens / pieces.length) * SHORT_SHARE, maxTokens * SHORT_SHARE_OF_LIMIT);
  const atLeast = order.detail === 'thorough' && order.sourceTokens > LEAST_TOLD ? wanted : 0;
  const texts: string[] = [];
  let calls = 0;
  for (const [index, conversation] of pieces.entries()) {
    const part = pieces.length === 1 ? {} : { part: `part ${index + 1} of ${pieces.length}` };
    const asking = instructions === undefined ? part : { ...part, instructions };
    const asked = await askPiece(writing, { conversation, maxTokens, detail: order.detail, ...asking }, atLeast);
    calls += asked.calls;
    if (!asked.ok) return { ...asked, calls };
    texts.push(asked.text);
    if (signal.aborted) break;
  }
  return { ok: true, text: texts.filter((text) => text !== '').join('\n\n'), calls };
}

/** The note of one piece, asked for once more when it has fewer tokens than `atLeast`: of two tries the longer counts. */
async function askPiece(writing: NoteWriting, prompt: NotePrompt, atLeast: number): Promise<Asked> {
  const { countText, signal } = writing;
  const first = await askWhole(writing, prompt);
  if (!first.ok || signal.aborted) return first;
  const written = countText(first.text);
  if (written >= atLeast) return first;
  const tooShort = first.text.split(/\s+/).length;
  const second = await askWhole(writing, { ...prompt, tooShort });
  const better = second.ok && countText(second.text) > written ? second : first;
  return { ...better, calls: first.calls + second.calls };
}

/** One answer; one that stopped at its limit is completed by a second request, or fails. */
async function askWhole({ summarizer, signal }: NoteWriting, prompt: NotePrompt): Promise<Asked> {
  const { maxTokens } = prompt;
  let calls = 0;
  try {
    calls += 1;
    const first = await unlessAborted(summarizer.write({ messages: notePrompt(prompt), maxTokens, signal }), signal);
    if (first.complete) return { ok: true, text: first.text.trim(), calls };
    // What was cut in the middle of a line is not a statement.
    const written = first.text.slice(0, first.text.lastIndexOf('\n') + 1).trim();
    calls += 1;
    const request = { messages: continuePrompt(prompt, written), maxTokens, signal };
    const rest = await unlessAborted(summarizer.write(request), signal);
    if (rest.complete) return { ok: true, text: `${written}\n${rest.text.trim()}`, calls };
    return {
      ok: false,
      message: english("The model's summary was cut at its limit of {0} tokens twice.", String(maxTokens)),
      calls,
    };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error), calls };
  }
}

/** What a promise gives, or a rejection as soon as the signal aborts: a summarizer that does not listen holds nobody up. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('The run was cancelled.'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
