/** What fills the window, by where it comes from. All figures in tokens as the gauge shows them. */
export interface ContentsState {
  /** Largest first; what is set aside comes last and is not in the window. */
  readonly groups: readonly ContentGroup[];
  /** What happened to the tokens so far, oldest first. */
  readonly history: readonly HistoryPointState[];
  /** The newest record, when the user made it by hand: what it did, and the id that undoes it. */
  readonly last?: { readonly id: string; readonly text: string };
  /** Tokens that a turn added on average lately, and how many more such turns fit until a compression is due. */
  readonly forecast?: { readonly perTurn: number; readonly turnsLeft: number };
}

/** A request, or something that happened to the tokens of requests. */
export interface HistoryPointState {
  readonly kind: 'request' | 'compressed' | 'by-hand' | 'undone' | 'redone' | 'error' | 'model';
  /** ISO time. */
  readonly at: string;
  /** Of a request from then on. */
  readonly tokens: number;
  /** The same before a compression, an undo or the like. */
  readonly before?: number;
  /** The budget then, and from where on a compression was due. */
  readonly limit: number;
  readonly trigger: number;
  /** What it was, in words. */
  readonly text: string;
  /** The raw message where it happened. */
  readonly message: number;
}

/** One source. */
export interface ContentGroup {
  readonly kind: 'instructions' | 'tools' | 'user' | 'files' | 'results' | 'replies' | 'summaries' | 'aside';
  readonly label: string;
  readonly tokens: number;
  /** Largest first. */
  readonly rows: readonly ContentRow[];
  /** Rows that are not listed. */
  readonly more: number;
  /** Drops every reading that is outdated. */
  readonly outdated?: RowAct;
}

/** Something that the user can do with messages: drop, shorten, restore. */
export interface RowAct {
  readonly act: 'dropped' | 'shortened' | 'restored';
  /** Numbers of the raw messages. */
  readonly ids: readonly number[];
  /** What every request has less from then on, tokens, about; of a restore: what it has more. */
  readonly tokens: number;
  /** How many more there are: one act changes no more than `ids`, and the next goes on with these. */
  readonly left?: number;
}

/** A message, a call, or several of one file or tool. */
export interface ContentRow {
  readonly key: string;
  readonly label: string;
  readonly tokens: number;
  /** Words that tell it from others: `shortened`, `outdated`, `3 readings`. */
  readonly note: string;
  /** The raw messages that it is, of a single one. */
  readonly at?: { readonly from: number; readonly to: number };
  readonly pinned: boolean;
  /** What can be done with it; of a file or tool, with all of its rows. */
  readonly acts: readonly RowAct[];
  /** Drops the readings that are outdated, where others are not. */
  readonly outdated?: RowAct;
  /** Of a file or tool, largest first. */
  readonly rows: readonly ContentRow[];
}
