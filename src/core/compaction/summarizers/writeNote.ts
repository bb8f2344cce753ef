import { neutralise } from '../../chat/fence.ts';
import type { ModelError } from '../../model/classify.ts';
import { phrase, type Words } from '../../phrase.ts';
import { err, ok, type Result, withoutUndefined } from '../../result.ts';
import { orAborted } from '../../steps.ts';
import { auditNote } from '../audit/judge.ts';
import { sortStatements } from '../audit/statements.ts';
import type { CompactionError, Narrative } from '../compaction.ts';
import type { NoteOrder } from '../strategy.ts';
import { checkNote } from './checkNote.ts';
import { continuePrompt, type NotePrompt, notePrompt, toPieces } from './prompt.ts';
import {
  ANSWER_SHARE,
  type AskedModel,
  type NoteWriting,
  type PromptMessage,
  SummaryRefused,
  withoutThinking,
  wordsOfFailure,
} from './summarizer.ts';

/** What the model wrote for the notes that a plan ordered. */
export interface NoteResult {
  readonly narratives: readonly Narrative[];
  /** Statements that were removed. */
  readonly rejected: readonly string[];
  /** How many statements are marked as unverified. */
  readonly unverified: number;
  /** Why the model did not check what it wrote, as a sentence; absent when it did, or was not to. */
  readonly unchecked?: Words | undefined;
  /** Why a note is missing. */
  readonly error?: CompactionError | undefined;
}

/** No note was ordered. */
export const NO_NOTES: NoteResult = { narratives: [], rejected: [], unverified: 0 };

/** The tokens of the prompt around the conversation: instructions, marks, roles. */
const PROMPT_TOKENS = 900;
/** An answer may always take this many tokens. */
const LEAST_ANSWER = 64;
/** A note is refused when less than this share of its statements holds. */
const LEAST_HOLDING = 0.5;
/** In a thorough account with less than this share of more than so many tokens, most is lost: it is asked for once more. */
const TOO_SHORT = { share: 0.1, of: 2_000 };
/** A note longer than ordered is still used, up to this share of the tokens it covers. */
const LONGEST_SHARE = 0.8;

/**
 * Has the model write each ordered note. When one is refused, the others are still written; when a request fails, no
 * more are made. Undefined when it was cancelled.
 */
export async function writeNotes(
  orders: readonly NoteOrder[],
  writing: NoteWriting<AskedModel>,
): Promise<NoteResult | undefined> {
  let all = NO_NOTES;
  for (const order of orders) {
    let note: NoteResult;
    let refusals: number;
    // When the server finds a request too long, the note is written again from shorter pieces.
    do {
      refusals = writing.summarizer.refusals;
      note = await writeNote(order, writing);
    } while (writing.summarizer.refusals > refusals && note.error?.kind === 'summarizer-failed');
    if (writing.signal.aborted) return undefined;
    all = {
      narratives: [...all.narratives, ...note.narratives],
      rejected: [...all.rejected, ...note.rejected],
      unverified: all.unverified + note.unverified,
      unchecked: note.unchecked ?? all.unchecked,
      error: note.error ?? all.error,
    };
    if (note.error?.kind === 'summarizer-failed') break;
  }
  return all;
}

/**
 * Has a model write an ordered note from raw messages and checks it statement by statement: what does not hold is
 * removed. Never sends more than the summarizer's window takes, and never asks for more than it can write or the
 * settings allow. Each piece takes one request, another when its answer was cut off, and one more when it is far too short.
 */
async function writeNote(order: NoteOrder, writing: NoteWriting): Promise<NoteResult> {
  const asked = await ask(order, writing);
  if (!asked.ok) return { ...NO_NOTES, error: asked.error };
  if (writing.signal.aborted) return NO_NOTES;
  const refuse = (message: Words, rejected: readonly string[] = []): NoteResult => ({
    ...NO_NOTES,
    rejected,
    error: { kind: 'summary-rejected', message },
  });
  if (asked.value === '') return refuse(phrase('summary.empty'));
  const tokens = writing.countText(asked.value);
  if (tokens > Math.max(order.maxTokens, order.sourceTokens * LONGEST_SHARE))
    return refuse(phrase('summary.too-long', String(tokens), String(order.maxTokens)));
  const audited = await writing.run(auditNote(asked.value, writing.transcript));
  if (audited.statements === 0) return refuse(phrase('summary.no-statements'));
  if (audited.kept < audited.statements * LEAST_HOLDING)
    return refuse(phrase('summary.unsupported', audited.kept, audited.statements), audited.removed);
  const { verdicts, unchecked } =
    writing.settings.summary.check === 'model'
      ? await checkNote(writing, audited)
      : { verdicts: audited.verdicts, unchecked: undefined };
  const sorted = sortStatements(audited.note, verdicts);
  return {
    narratives: [{ covers: order.range, text: neutralise(sorted.text).toWellFormed() }],
    rejected: sorted.removed,
    unverified: sorted.unverified,
    unchecked,
  };
}

type Asked = Result<string, CompactionError>;

/**
 * Asks for the note in as many pieces as the window demands, or as a thorough account needs for its length; the parts
 * are joined as they are, never summarized again.
 */
async function ask(order: NoteOrder, writing: NoteWriting): Promise<Asked> {
  const { summarizer, settings, countText, signal, instructions } = writing;
  const { detail, blocks, sourceTokens } = order;
  const most = Math.min(
    order.maxTokens,
    settings.summary.maxTokens,
    summarizer.outputLimit ?? Number.POSITIVE_INFINITY,
  );
  const answer = Math.max(LEAST_ANSWER, Math.min(most, Math.floor(summarizer.inputLimit * ANSWER_SHARE)));
  const room = Math.max(200, summarizer.inputLimit - answer - PROMPT_TOKENS - countText(instructions ?? ''));
  const least = detail === 'thorough' ? Math.ceil(order.maxTokens / answer) : 1;
  const pieces = await writing.run(toPieces(blocks, room, countText, least));
  const maxTokens = Math.max(LEAST_ANSWER, Math.min(answer, Math.floor(order.maxTokens / pieces.length)));
  const isLong = detail === 'thorough' && sourceTokens > TOO_SHORT.of;
  const atLeast = isLong ? Math.min((sourceTokens * TOO_SHORT.share) / pieces.length, maxTokens / 2) : 0;
  const texts: string[] = [];
  for (const [index, conversation] of pieces.entries()) {
    const part = pieces.length === 1 ? undefined : `part ${index + 1} of ${pieces.length}`;
    const prompt = { conversation, maxTokens, detail, part, instructions };
    const asked = await askWhole(writing, prompt);
    if (!asked.ok) return asked;
    const isShort = !signal.aborted && countText(asked.value) < atLeast;
    const again = isShort ? await askWhole(writing, { ...prompt, isAgain: true }) : asked;
    texts.push(again.ok && countText(again.value) > countText(asked.value) ? again.value : asked.value);
    if (signal.aborted) break;
  }
  return ok(texts.filter((text) => text !== '').join('\n\n'));
}

/** One answer. When it was cut off, a second request completes it; when that is cut off too, it fails. */
async function askWhole({ summarizer, signal }: NoteWriting, prompt: NotePrompt): Promise<Asked> {
  const { maxTokens } = prompt;
  const failed = (message: Words, refusal?: ModelError): CompactionError =>
    withoutUndefined<CompactionError>({ kind: 'summarizer-failed', message, refusal });
  const write = async (messages: readonly PromptMessage[]) => {
    const answer = await orAborted(summarizer.write({ messages, maxTokens, signal }), undefined, signal);
    return answer ?? { text: '', complete: true };
  };
  try {
    const first = await write(notePrompt(prompt));
    if (first.complete) return ok(withoutThinking(first.text).trim());
    // The last line was cut in the middle and is not a statement.
    const written = withoutThinking(first.text.slice(0, first.text.lastIndexOf('\n') + 1)).trim();
    const rest = await write(continuePrompt(prompt, written));
    if (rest.complete) return ok(`${written}\n${withoutThinking(rest.text)}`.trim());
    return err(failed(phrase('summary.cut-off', String(maxTokens))));
  } catch (error) {
    const refusal = error instanceof SummaryRefused ? error.modelError : undefined;
    return err(failed(wordsOfFailure(error), refusal));
  }
}
