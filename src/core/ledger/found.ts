import type { Fact } from './fact.ts';

/**
 * A fact as an extractor reports it, before the ledger knows what came later. Besides what it states it may say which
 * earlier facts end with it.
 */
export interface Found extends Omit<Fact, 'supersededAt'> {
  /** Keys of this class that end here: the old name of a renamed file, a to-do that an edit took out. */
  readonly replaces?: readonly string[];
  /**
   * A list written anew: every earlier fact of the same list that is not in this writing ends here. A fact without a
   * value says that the list is empty now.
   */
  readonly list?: string;
}
