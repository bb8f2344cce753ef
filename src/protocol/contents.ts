/** What fills the window, by source. All figures are tokens of the gauge. */
export interface ContentsState {
  /** Largest first; messages set aside come last and are not in the window. */
  readonly groups: readonly ContentGroup[];
  /** The history of tokens, oldest first. */
  readonly history: readonly HistoryPointState[];
  /** The newest record, if the user made it by hand: what it did, and the id that undoes it. */
  readonly last?: { readonly id: string; readonly text: string } | undefined;
  /** Tokens that a turn added on average lately, and how many more such turns fit until a compression is due. */
  readonly forecast?: { readonly perTurn: number; readonly turnsLeft: number } | undefined;
}

/** A request, or an event that changed the tokens of requests. */
export interface HistoryPointState {
  readonly kind: 'request' | 'compressed' | 'by-hand' | 'undone' | 'redone' | 'error' | 'model';
  /** ISO time. */
  readonly at: string;
  /** Tokens of a request after this point. */
  readonly tokens: number;
  /** Tokens before it, for a compression, an undo or the like. */
  readonly before?: number | undefined;
  /** The budget and the threshold at that time. */
  readonly limit: number;
  readonly trigger: number;
  /** A description. */
  readonly text: string;
  /** The raw message where it happened. */
  readonly message: number;
  /** How many messages come before the row of its compression or change. */
  readonly row?: number | undefined;
}

/** One source of what fills the window. */
export interface ContentGroup {
  readonly kind: 'instructions' | 'tools' | 'user' | 'files' | 'results' | 'replies' | 'summaries' | 'aside';
  readonly label: string;
  readonly tokens: number;
  /** Largest first. */
  readonly rows: readonly ContentRow[];
  /** How many rows are not listed. */
  readonly more: number;
  /** Drops every reading that is outdated. */
  readonly outdated?: RowAct | undefined;
}

/** What the user can do with messages: restore, shorten, drop. */
export type Act = 'restored' | 'shortened' | 'dropped';

/** An act that is possible. */
export interface RowAct {
  readonly act: Act;
  /** Numbers of the raw messages. */
  readonly ids: readonly number[];
  /** How much smaller every request becomes, approximately; after a restore, how much larger. */
  readonly tokens: number;
  /** How many messages are left for another act, since one act changes only those in `ids`. */
  readonly left?: number | undefined;
  /** How many things there are, if the act is not possible with all of them. */
  readonly of?: number | undefined;
}

/** A message, a call, or several messages of one file, tool or summary. */
export interface ContentRow {
  readonly key: string;
  readonly label: string;
  /** The path that the label ends with. */
  readonly path?: string | undefined;
  readonly tokens: number;
  /** Distinguishes rows with the same label: `message 12`. */
  readonly which?: string | undefined;
  /** `shortened`, `outdated`, `3 readings` or the like. */
  readonly note: string;
  /** The raw messages of the row; absent for a file or a tool with rows of its own. */
  readonly at?: { readonly from: number; readonly to: number } | undefined;
  /** Whether it is pinned; of several messages, whether all are. */
  readonly pinned: boolean;
  /** The messages of a file or a tool that its pin button pins, or unpins if all are pinned. */
  readonly pins?: readonly number[] | undefined;
  /** The acts on it, or on all of its rows; of one that is impossible, why, in one or two sentences. */
  readonly acts: Readonly<Partial<Record<Act, RowAct | string>>>;
  /** Drops the outdated readings of a file that has others too. */
  readonly outdated?: RowAct | undefined;
  /** The name of a tool that the user may leave out. */
  readonly tool?: string | undefined;
  /** The rows of a file, a tool or a summary; largest first. */
  readonly rows: readonly ContentRow[];
}
