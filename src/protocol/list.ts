/** What fills the window: its source; `aside` for what is not in it, and `history` for the requests so far. */
export type Source =
  | 'instructions'
  | 'tools'
  | 'user'
  | 'files'
  | 'results'
  | 'replies'
  | 'summaries'
  | 'aside'
  | 'history';

/** What a compression does to messages. `aside` and `chosen`: what the user sets aside and keeps. */
export type Fate = 'summarized' | 'dropped' | 'shortened' | 'aside' | 'chosen' | 'kept';

/** Messages with the same source or the same fate. */
export interface ListGroup<Kind extends Source | Fate = Source | Fate> {
  readonly kind: Kind;
  readonly label: string;
  /** `30 messages` or the like. */
  readonly note?: string | undefined;
  readonly tokens: number;
  readonly rows: readonly ListRow[];
  /** How many rows are not listed. */
  readonly more: number;
  /** It is unfolded at first. */
  readonly open?: boolean | undefined;
  /** Drops every reading that is outdated. */
  readonly outdated?: RowAct | undefined;
}

/** A message, a call, a block, or several messages of one file, tool or summary. */
export interface ListRow {
  readonly key: string;
  readonly label: string;
  /** The path that the label ends with. */
  readonly path?: string | undefined;
  readonly tokens: number;
  /** Tokens after shortening. */
  readonly after?: number | undefined;
  /** `shortened`, `outdated`, `3 readings`, why it stays, or the like; '' for nothing. */
  readonly note: string;
  /** The raw messages of the row; absent for a file or a tool with rows of its own, and for a definition. */
  readonly at?: { readonly from: number; readonly to: number } | undefined;
  /** Whether it is pinned; of several messages, whether all are. */
  readonly pinned?: boolean | undefined;
  /** The messages that its pin button pins, or unpins if all are pinned; absent where nothing can be pinned. */
  readonly pins?: readonly number[] | undefined;
  /** The acts on it, or on all of its rows; of one that is impossible, why, a sentence. */
  readonly acts?: RowActs | undefined;
  /** The name of a tool that the user may leave out. */
  readonly tool?: string | undefined;
  /** The box with which the user keeps it: whether it is checked, and why that cannot be changed, a sentence. */
  readonly box?: { readonly kept: boolean; readonly fixed?: string | undefined } | undefined;
  /** The rows of a file, a tool or a summary; largest first. */
  readonly rows?: readonly ListRow[] | undefined;
}

/** What the user can do with messages: restore, shorten, drop. */
export type Act = 'restored' | 'shortened' | 'dropped';

/** The acts on a row. */
export type RowActs = Readonly<Partial<Record<Act, RowAct | string>>>;

/** An act that is possible. */
export interface RowAct {
  readonly act: Act;
  /** Numbers of the raw messages. */
  readonly ids: readonly number[];
  /** How much smaller every request becomes, approximately; after a restore, how much larger. */
  readonly tokens: number;
  /** How many things there are, if the act does not change all of them. */
  readonly of?: number | undefined;
}
