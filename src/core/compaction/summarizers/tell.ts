import type { Narrative } from '../compaction.ts';
import type { CompactionError } from '../outcome.ts';
import type { NoteOrder } from '../strategy.ts';
import { FittingSummarizer } from './fittingSummarizer.ts';
import { type NoteOutcome, type NoteWriting, writeNote } from './writeNote.ts';

/** What came of the notes that a plan ordered. */
export interface Told {
  readonly narratives: readonly Narrative[];
  /** Requests to the model. */
  readonly calls: number;
  /** Statements that were taken out. */
  readonly rejected: readonly string[];
  /** Statements that stand marked as unverified. */
  readonly unverified: number;
  /** Why a note is missing. */
  readonly error?: CompactionError;
}

/** No note was ordered. */
export const NOTHING_TOLD: Told = { narratives: [], calls: 0, rejected: [], unverified: 0 };

/**
 * Has the model write each ordered note. One that is refused leaves the others; a request that fails is the last. Undefined
 * when it was cancelled.
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
    if (outcome.kind === 'failed')
      return { ...told, calls, error: { kind: 'summarizer-failed', message: outcome.message } };
    const rejected = [...told.rejected, ...outcome.rejected];
    if (outcome.kind === 'refused') {
      told = { ...told, calls, rejected, error: { kind: 'summary-rejected', message: outcome.message } };
      continue;
    }
    const narrative: Narrative = { covers: order.range, text: outcome.text };
    const unverified = told.unverified + outcome.unverified;
    told = { ...told, narratives: [...told.narratives, narrative], calls, rejected, unverified };
  }
  return told;
}

/** Has a note written; a request that its server finds too long is made again from shorter pieces. */
async function writeFitting(writing: NoteWriting, summarizer: FittingSummarizer): Promise<NoteOutcome> {
  for (let calls = 0; ; ) {
    const outcome = await writeNote(writing);
    calls += outcome.calls;
    if (outcome.kind !== 'failed' || !summarizer.takeRefusal()) return { ...outcome, calls };
  }
}
