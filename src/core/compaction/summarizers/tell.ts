import type { Narrative } from '../compaction.ts';
import type { CompactionError } from '../outcome.ts';
import type { NoteOrder } from '../strategy.ts';
import { FittingSummarizer } from './fittingSummarizer.ts';
import { type NoteOutcome, type NoteWriting, writeNote } from './writeNote.ts';

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
