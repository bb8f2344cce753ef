import type { Fact } from './fact.ts';
import type { Subject } from './same/numberSubject.ts';
import type { TodoWords } from './words/todoWords.ts';

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
  /** Of a to-do in prose: its words, by which an earlier one is found. One that does not stand alone is only news of another. */
  readonly speaksOf?: TodoWords & { readonly stands: boolean };
  /** Of a number in prose or a file: what tells whether a later number is its newer state. */
  readonly figure?: FigureOf;
  /** Of a decision: what tells whether a later decision ends it. */
  readonly choice?: ChoiceOf;
}

/** What a number is about. */
export interface FigureOf extends Subject {
  /** What it is counted in, as far as known: a dimension ("time") or the counted word ("callers"). */
  readonly unit?: string;
  /** Values that the same sentence says it no longer has, as written. */
  readonly was: readonly string[];
}

/** What a decision is about; all words in lower case. */
export interface ChoiceOf {
  /** Its topic and what it takes: words that stand side by side. */
  readonly phrases: readonly (readonly string[])[];
  /** Words with the shape of a name. */
  readonly names: readonly string[];
  /** Every word of the sentence. */
  readonly all: readonly string[];
  /** True when the sentence says that an earlier choice is taken up again. */
  readonly turns: boolean;
}
