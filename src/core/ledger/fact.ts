import type { MessageId } from '../chat/message.ts';

/**
 * The kinds of fact that the ledger finds without a model: those that law 7 wants in the view. What was decided,
 * measured, run or found out is in the words of the conversation, which notes quote.
 */
export type FactClass = 'constraint' | 'todo' | 'file-changed' | 'error';

/** One fact, in the literal words of its source. */
export interface Fact {
  readonly class: FactClass;
  /** The literal text that must survive: a sentence, a to-do, a path, an error line. */
  readonly value: string;
  /** The id that its list gave a to-do. */
  readonly id?: string;
  /** What a to-do says beyond its title. */
  readonly detail?: string;
  /** State of a to-do or file ("done", "deleted"). */
  readonly state?: string;
  /** Facts of one class with one key are states of the same thing: the newest wins. */
  readonly key: string;
  /** The message that states it; when it was repeated in the same words, the newest one. */
  readonly at: MessageId;
  /**
   * The message that ended it: a newer fact with the same key says something else, or its list was rewritten without
   * it. Absent while it is in force.
   */
  readonly supersededAt?: MessageId;
}

/**
 * A fact as an extractor reports it, before the ledger compares it with others. It can also say which earlier facts end
 * with it.
 */
export interface Found extends Omit<Fact, 'supersededAt'> {
  /** Keys of the same class that end here: the old name of a renamed file. */
  readonly replaces?: readonly string[];
  /**
   * The name of a list that is rewritten: every earlier fact of the same list that is not among the new ones ends here.
   * A fact without a value says that the list is now empty.
   */
  readonly list?: string;
}
