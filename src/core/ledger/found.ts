import type { Fact } from './fact.ts';
import type { Subject } from './numberSubject.ts';

/**
 * A fact as an extractor reports it, before the ledger knows what came later. Besides what it states it may say which
 * earlier facts end with it.
 */
export interface Found extends Omit<Fact, 'supersededAt'> {
  /** Keys of this class that end here: the old name of a renamed file. */
  readonly replaces?: readonly string[];
  /** A list written anew: every earlier fact of the same list that is not in this writing ends here. */
  readonly list?: string;
  /** The human lifts an earlier rule; the latest rule that shares most of these words ends here. */
  readonly lifts?: readonly string[];
  /** Of a number in prose or a file: what tells whether a later number is its newer state. */
  readonly figure?: FigureOf;
}

/** What a number is about. */
export interface FigureOf extends Subject {
  /** What it is counted in, as far as known: a dimension ("time") or the counted word ("callers"). */
  readonly unit?: string;
  /** Values that the same sentence says it no longer has, as written. */
  readonly was: readonly string[];
}
