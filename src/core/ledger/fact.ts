import type { MessageId } from '../messages/message.ts';

/**
 * The kinds of fact that the ledger finds without a model: those that law 7 wants in the view, and those that labels
 * name. What was decided, measured or found out is in the words of the conversation, which notes quote.
 */
export type FactClass = 'constraint' | 'todo' | 'file-changed' | 'file-read' | 'error' | 'test-state' | 'command';

/** One fact, in the literal words of its source. */
export interface Fact {
  readonly class: FactClass;
  /** The literal text that must survive: a sentence, a to-do, a path, an error line, a summary of tests, a command. */
  readonly value: string;
  /** The place of an error, the command of a test state, the id of a to-do, or the file of a project's rule. */
  readonly anchor?: string;
  /** What a to-do says beyond its title. */
  readonly detail?: string;
  /** State of a to-do, test, command or file ("done", "failed", "exit 1", "deleted"). */
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
  /**
   * How certain its weight is: `explicit` was stated outright by the human ("never", "must"); `soft` is a hint or comes
   * from a file, and is dropped first when space is short. Absent: neither.
   */
  readonly strength?: 'explicit' | 'soft';
  /** Who said it: facts from the human outrank those from tools and the model. */
  readonly by: 'human' | 'model' | 'tool';
}
