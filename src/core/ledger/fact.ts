import type { MessageId } from '../messages/message.ts';

/**
 * The kinds of fact that the ledger finds without a model: what law 7 wants to stand in the view, and what labels name.
 * What was decided, measured or found out stands in the words of the conversation, which notes quote.
 */
export type FactClass =
  | 'constraint'
  | 'todo'
  | 'file-changed'
  | 'file-read'
  | 'error'
  | 'test-state'
  | 'command'
  | 'git';

/** One fact, literally as the source has it. */
export interface Fact {
  readonly class: FactClass;
  /** The literal text that must survive: a sentence, a to-do, a path, an error line, a summary of tests, a command. */
  readonly value: string;
  /** The place of an error, the command of a test state, the id of a to-do, the file of a project's rule. */
  readonly anchor?: string;
  /** What a to-do says beyond its title. */
  readonly detail?: string;
  /** State of a to-do, test, command or file ("done", "failed", "exit 1", "deleted"). */
  readonly state?: string;
  /** Facts of one class with one key are states of the same thing: the newest wins. */
  readonly key: string;
  /** The message that it stands in; of what was said again in the same words, the newest. */
  readonly at: MessageId;
  /**
   * The message that ended it: a newer fact of its key says something else, or its list was written anew without it.
   * Absent while it is the latest.
   */
  readonly supersededAt?: MessageId;
  /**
   * How sure the extractor is of its weight: `explicit` was said by the human in so many words ("never", "must"), `soft`
   * is a hint or stands in a file, and is the first to go when space is short. Absent: neither.
   */
  readonly strength?: 'explicit' | 'soft';
  /** Who said it: facts of the human outrank those of tools and model. */
  readonly by: 'human' | 'model' | 'tool';
}
