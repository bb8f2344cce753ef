/** A compression before it is done: what it would do, and what the user changed of that. */
export interface PreviewState {
  readonly strategy: string;
  readonly strategies: readonly string[];
  /** This message and all after it stay as they are. */
  readonly upTo?: number | undefined;
  /** What the user wants kept, in the user's words; '' when nothing was said. */
  readonly instructions: string;
  /** It is being made, or made anew; or it is being applied, and nothing of it can be changed. */
  readonly busy: false | 'planning' | 'applying';
  /** Why it cannot be applied, in a sentence. */
  readonly problem?: string | undefined;
  /** What mends a summary that the model did not write: the words of a button each. */
  readonly cures?: readonly string[] | undefined;
  /** A turn waits for the answer. */
  readonly asked: boolean;
  /** What "Not Now" puts off: a question, or a compression that comes by itself. Absent where neither would come. */
  readonly notNow?: 'ask' | 'automatic' | undefined;
  /** What it would do; absent until it was made once. */
  readonly plan?: PreviewPlan | undefined;
}

/**
 * What a compression would do. `before`, `after` and `limit`, which is undefined while the window is unknown, are tokens
 * of whole requests, all others of messages.
 */
export interface PreviewPlan {
  readonly before: number;
  readonly after: number;
  readonly limit: number | undefined;
  readonly groups: readonly PreviewGroup[];
  readonly summaries: readonly PreviewSummary[];
  /** What else is to be known, in sentences. */
  readonly remarks: readonly string[];
  /** How many raw messages there were; a handle beyond them names nothing. */
  readonly transcriptLength: number;
}

/** Messages with the same outcome: `chosen` are those that the user keeps, `aside` those that the user sets aside. */
export interface PreviewGroup {
  readonly fate: 'summarized' | 'dropped' | 'shortened' | 'aside' | 'chosen' | 'kept';
  readonly tokens: number;
  /** Raw messages, as the divider counts them: those behind an earlier summary that stays are not among the kept. */
  readonly messages: number;
  /** In the order of the conversation. */
  readonly rows: readonly PreviewRowState[];
  /** Rows that are not listed. */
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
  /** What is left of one that is shortened. */
  readonly after?: number | undefined;
  /** Why it stays, in a few words; '' where the strategy would change it, or where there is no special reason. */
  readonly why: string;
  /** It stays: its box is checked. */
  readonly kept: boolean;
  /** Why that cannot be changed, in a sentence; absent when it can. */
  readonly fixed?: string | undefined;
}

/** A summary that would stand in the place of messages. */
export interface PreviewSummary {
  readonly from: number;
  readonly to: number;
  /** Its first line, which stays. */
  readonly head: string;
  /** Markdown. */
  readonly text: string;
  /** How things stand: Karl's own lines, which stay. */
  readonly state: string;
  /** The text is the user's. */
  readonly edited: boolean;
}
