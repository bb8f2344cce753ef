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
  readonly groups: readonly PreviewGroup[];
  readonly summaries: readonly PreviewSummary[];
  /** Further sentences. */
  readonly remarks: readonly string[];
  /** How many raw messages there were; handles beyond them are invalid. */
  readonly transcriptLength: number;
}

/** Messages with the same outcome. The user keeps the `chosen` ones and sets the `aside` ones aside. */
export interface PreviewGroup {
  readonly fate: 'summarized' | 'dropped' | 'shortened' | 'aside' | 'chosen' | 'kept';
  readonly tokens: number;
  /** The number of raw messages, without those behind an earlier summary that stays. */
  readonly messages: number;
  /** In the order of the conversation. */
  readonly rows: readonly PreviewRowState[];
  /** How many rows are not listed. */
  readonly more: number;
}

/** One block: a message, or a call with its results. */
export interface PreviewRowState {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  /** The path that the label ends with. */
  readonly path?: string | undefined;
  readonly tokens: number;
  /** Tokens after shortening. */
  readonly after?: number | undefined;
  /** Why it stays, in a few words, or ''. */
  readonly why: string;
  /** It stays: its box is checked. */
  readonly kept: boolean;
  /** Why that cannot be changed, a sentence. */
  readonly fixed?: string | undefined;
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
