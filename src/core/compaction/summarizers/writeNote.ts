import { english } from '../../language.ts';
import { neutralise } from '../../messages/fence.ts';
import type { Transcript } from '../../messages/transcript.ts';
import type { ModelError } from '../../model/classify.ts';
import type { Steps } from '../../steps.ts';
import { auditNote } from '../audit/judge.ts';
import { sortStatements } from '../audit/statements.ts';
import type { CompactionError, Narrative } from '../compaction.ts';
import type { PassageIndex } from '../recall/passageIndex.ts';
import type { NoteOrder, StrategySettings } from '../strategy.ts';
import { checkNote } from './checkNote.ts';
import { type CountText, toPieces } from './pieces.ts';
import { continuePrompt, type NotePrompt, notePrompt } from './prompt.ts';
import { ANSWER_SHARE, FittingSummarizer, type Summarizer, SummaryRefused, withoutThinking } from './summarizer.ts';
import { unlessAborted } from './unlessAborted.ts';

/** The outcome of an order. */
export type NoteOutcome =
  | {
      readonly kind: 'written';
      readonly text: string;
      readonly calls: number;
      /** Statements that were removed. */
      readonly rejected: readonly string[];
      /** How many statements are marked as unverified. */
      readonly unverified: number;
      /** Why the model did not check what it wrote, as a sentence; absent when it did, or was not to. */
      readonly unchecked?: string;
    }
  /** Too few of its statements hold. */
  | { readonly kind: 'refused'; readonly message: string; readonly calls: number; readonly rejected: readonly string[] }
  | ({ readonly kind: 'failed' } & Unasked)
  | { readonly kind: 'cancelled'; readonly calls: number };

/** The tokens of the prompt around the conversation: instructions, marks, roles. */
const PROMPT_TOKENS = 900;
/** An answer may always take this many tokens. */
const LEAST_ANSWER = 64;
/** A note is refused when less than this share of its statements holds. */
const LEAST_HOLDING = 0.5;
/**
 * A thorough account of a source larger than LEAST_TOLD tokens is asked for once more when it is shorter than
 * SHORT_SHARE of the ordered length or, where the limit of an answer is lower, SHORT_SHARE_OF_LIMIT of that limit.
 * (Half of the source is ordered; in a tenth of the source most is lost.)
 */
const LEAST_TOLD = 2000;
const SHORT_SHARE = 0.2;
const SHORT_SHARE_OF_LIMIT = 0.5;
/** A note longer than ordered is still used, up to this share of the tokens it covers. */
const LONGEST_SHARE = 0.8;

/** What is needed to write a note. */
export interface NoteWriting {
  readonly order: NoteOrder;
  readonly settings: StrategySettings;
  readonly transcript: Transcript;
  /** Index of the transcript, to find the words of a statement. */
  readonly index: PassageIndex;
  readonly summarizer: Summarizer;
  readonly countText: CountText;
  /** What the user asks for in the note. */
  readonly instructions?: string;
  readonly signal: AbortSignal;
  /** Runs long work in slices. */
  readonly run: <Value>(steps: Steps<Value>) => Promise<Value>;
}

/**
 * Has a model write an ordered note from raw messages and checks it statement by statement: what does not hold is
 * removed. Never sends more than the summarizer's window takes, and never asks for more than it can write or the
 * settings allow. Each piece takes one request, another when its answer was cut off, and one more try when a thorough
 * account is far too short.
 */
export async function writeNote(writing: NoteWriting): Promise<NoteOutcome> {
  const { order, signal, countText } = writing;
  const asked = await ask(writing);
  const { calls } = asked;
  if (signal.aborted) return { kind: 'cancelled', calls };
  if (!asked.ok) return { ...asked, kind: 'failed' };
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
      "Too little of the model's summary is supported by the conversation: {0} of {1} statements.",
      audited.kept,
      audited.statements,
    );
    return { kind: 'refused', message, calls, rejected: audited.removed };
  }
  const isChecked = writing.settings.summary.check === 'model';
  const checked = isChecked ? await checkNote(writing, audited) : { ...audited, calls: 0 };
  const { verdicts } = checked;
  const sorted = await writing.run(sortStatements(audited.note, ({ number }) => verdicts[number] ?? 'holds'));
  if (signal.aborted) return { kind: 'cancelled', calls: calls + checked.calls };
  return {
    kind: 'written',
    text: neutralise(sorted.text).toWellFormed(),
    calls: calls + checked.calls,
    rejected: sorted.removed,
    unverified: sorted.unverified,
    ...('unchecked' in checked && { unchecked: checked.unchecked }),
  };
}

type Asked = { readonly ok: true; readonly text: string; readonly calls: number } | ({ readonly ok: false } & Unasked);

/** Why there is no answer; `refusal`: what the model's server said, if it refused. */
interface Unasked {
  readonly message: string;
  readonly calls: number;
  readonly refusal?: ModelError;
}

/**
 * Asks for the note in as many pieces as the window demands, or as a thorough account needs for its length; the parts
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

/**
 * The note about one piece. Asked for once more when it has fewer tokens than `atLeast`; the longer of the two counts.
 */
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

/** One answer. When it was cut off, a second request completes it; when that is cut off too, it fails. */
async function askWhole({ summarizer, signal }: NoteWriting, prompt: NotePrompt): Promise<Asked> {
  const { maxTokens } = prompt;
  let calls = 0;
  try {
    calls += 1;
    const first = await unlessAborted(summarizer.write({ messages: notePrompt(prompt), maxTokens, signal }), signal);
    if (first.complete) return { ok: true, text: withoutThinking(first.text).trim(), calls };
    // The last line was cut in the middle and is not a statement.
    const written = withoutThinking(first.text.slice(0, first.text.lastIndexOf('\n') + 1)).trim();
    calls += 1;
    const request = { messages: continuePrompt(prompt, written), maxTokens, signal };
    const rest = await unlessAborted(summarizer.write(request), signal);
    if (rest.complete) return { ok: true, text: `${written}\n${withoutThinking(rest.text)}`.trim(), calls };
    return {
      ok: false,
      message: english("The model's summary was cut at its limit of {0} tokens twice.", String(maxTokens)),
      calls,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, message, calls, ...(error instanceof SummaryRefused && { refusal: error.modelError }) };
  }
}

/** The outcome of the notes that a plan ordered. */
export interface Told {
  readonly narratives: readonly Narrative[];
  /** How many requests were made to the model. */
  readonly calls: number;
  /** Statements that were removed. */
  readonly rejected: readonly string[];
  /** How many statements are marked as unverified. */
  readonly unverified: number;
  /** Why the model did not check what it wrote, as a sentence. */
  readonly unchecked?: string;
  /** Why a note is missing. */
  readonly error?: CompactionError;
}

/** No note was ordered. */
export const NOTHING_TOLD: Told = { narratives: [], calls: 0, rejected: [], unverified: 0 };

/**
 * Has the model write each ordered note. When one is refused, the others are still written; when a request fails, no
 * more are made. Undefined when it was cancelled.
 */
export async function tell(
  orders: readonly NoteOrder[],
  writing: Omit<NoteWriting, 'order'>,
): Promise<Told | undefined> {
  const summarizer = new FittingSummarizer(writing.summarizer);
  let told = NOTHING_TOLD;
  for (const order of orders) {
    const outcome = await writeFitting({ ...writing, order, summarizer }, summarizer);
    if (outcome.kind === 'cancelled') return undefined;
    const calls = told.calls + outcome.calls;
    if (outcome.kind === 'failed') {
      const { message, refusal } = outcome;
      const error: CompactionError = {
        kind: 'summarizer-failed',
        message,
        ...(refusal !== undefined && { refusal }),
      };
      return { ...told, calls, error };
    }
    const rejected = [...told.rejected, ...outcome.rejected];
    if (outcome.kind === 'refused') {
      told = { ...told, calls, rejected, error: { kind: 'summary-rejected', message: outcome.message } };
      continue;
    }
    const narrative: Narrative = { covers: order.range, text: outcome.text };
    const unverified = told.unverified + outcome.unverified;
    const { unchecked = told.unchecked } = outcome;
    told = {
      ...told,
      narratives: [...told.narratives, narrative],
      calls,
      rejected,
      unverified,
      ...(unchecked !== undefined && { unchecked }),
    };
  }
  return told;
}

/** Has a note written; when the server finds a request too long, it is made again from shorter pieces. */
async function writeFitting(writing: NoteWriting, summarizer: FittingSummarizer): Promise<NoteOutcome> {
  for (let calls = 0; ; ) {
    const outcome = await writeNote(writing);
    calls += outcome.calls;
    // What is taken here may also be the refusal of a check, after which the note is not written again.
    const isRefused = summarizer.takeRefusal();
    if (outcome.kind !== 'failed' || !isRefused) return { ...outcome, calls };
  }
}
