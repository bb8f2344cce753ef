import type { Fact } from './fact.ts';

/**
 * A fact as an extractor reports it, before the ledger compares it with others. It can also say which earlier facts end
 * with it.
 */
export interface Found extends Omit<Fact, 'supersededAt'> {
  /** Keys of the same class that end here: the old name of a renamed file, a to-do that an edit removed. */
  readonly replaces?: readonly string[];
  /**
   * The name of a list that is rewritten: every earlier fact of the same list that is not among the new ones ends here.
   * A fact without a value says that the list is now empty.
   */
  readonly list?: string;
}
