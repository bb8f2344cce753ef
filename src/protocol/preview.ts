import type { Fate, ListGroup } from './list.ts';

/** A compression before it is done: its plan, and the user's changes. */
export interface PreviewState {
  readonly strategy: string;
  readonly strategies: readonly string[];
  /** This message and all after it stay as they are. */
  readonly upTo?: number | undefined;
  /** What the user wants to keep, or ''. */
  readonly instructions: string;
  /** It is being planned; or it is being applied, and cannot be changed. */
  readonly busy: false | 'planning' | 'applying';
  /** Why it cannot be applied, a sentence. */
  readonly problem?: string | undefined;
  /** The labels of buttons that cure a missing summary by the model. */
  readonly cures?: readonly string[] | undefined;
  /** A turn waits for the answer. */
  readonly asked: boolean;
  /** What "Not Now" postpones: a question, or an automatic compression. Absent if there would be neither. */
  readonly notNow?: 'ask' | 'automatic' | undefined;
  /** Absent until it was planned once. */
  readonly plan?: PreviewPlan | undefined;
}

/**
 * What a compression would do. `before`, `after` and `limit` (undefined while the window is unknown) are tokens of whole
 * requests; other figures are tokens of messages.
 */
export interface PreviewPlan {
  readonly before: number;
  readonly after: number;
  readonly limit: number | undefined;
  /** Their rows are blocks, in the order of the conversation. */
  readonly groups: readonly ListGroup<Fate>[];
  readonly summaries: readonly PreviewSummary[];
  /** Further sentences. */
  readonly remarks: readonly string[];
  /** How many raw messages there were; handles beyond them are invalid. */
  readonly transcriptLength: number;
}

/** A summary that would replace messages. */
export interface PreviewSummary {
  readonly from: number;
  readonly to: number;
  /** Its first line, which cannot be edited. */
  readonly head: string;
  /** Markdown. */
  readonly text: string;
  /** The current state in Karl's own lines, which cannot be edited. */
  readonly state: string;
  /** The text is the user's. */
  readonly edited: boolean;
}
