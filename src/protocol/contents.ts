/** What fills the window, by where it comes from. All figures in tokens as the gauge shows them. */
export interface ContentsState {
  /** Largest first; what is set aside comes last and is not in the window. */
  readonly groups: readonly ContentGroup[];
  /** What happened to the tokens so far, oldest first. */
  readonly history: readonly HistoryPointState[];
  /** The newest record, when the user made it by hand: what it did, and the id that undoes it. */
  readonly last?: { readonly id: string; readonly text: string } | undefined;
  /** Tokens that a turn added on average lately, and how many more such turns fit until a compression is due. */
  readonly forecast?: { readonly perTurn: number; readonly turnsLeft: number } | undefined;
}

/** A request, or something that happened to the tokens of requests. */
export interface HistoryPointState {
  readonly kind: 'request' | 'compressed' | 'by-hand' | 'undone' | 'redone' | 'error' | 'model';
  /** ISO time. */
  readonly at: string;
  /** Tokens of a request from then on. */
  readonly tokens: number;
  /** Those before it, for a compression, an undo or the like. */
  readonly before?: number | undefined;
  /** The budget then, and from how many tokens on a compression was due. */
  readonly limit: number;
  readonly trigger: number;
  /** What it was, in words. */
  readonly text: string;
  /** The raw message where it happened. */
  readonly message: number;
  /** How many messages come before the row of the compression or change that it is about. */
  readonly row?: number | undefined;
  /** A compression that is not in effect. */
  readonly isUndone?: boolean;
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
  readonly outdated?: RowAct | undefined;
}

/** Something that the user can do with messages: drop, shorten, restore. */
export interface RowAct {
  readonly act: 'dropped' | 'shortened' | 'restored';
  /** Numbers of the raw messages. */
  readonly ids: readonly number[];
  /** By how many tokens, about, every request is smaller from then on; after a restore, larger. */
  readonly tokens: number;
  /** How many messages are left for the next act: one act changes only those in `ids`. */
  readonly left?: number | undefined;
  /** How many things there are, where it cannot be done with all of them. */
  readonly of?: number | undefined;
}

/** Something that cannot be done with a message of the window, nor with any of several. */
export interface RefusedAct {
  readonly act: Exclude<RowAct['act'], 'restored'>;
  /** In one sentence or two. */
  readonly why: string;
}

/** A message, a call, or several messages of one file, tool or summary. */
export interface ContentRow {
  readonly key: string;
  readonly label: string;
  /** The path that the label ends with. */
  readonly path?: string | undefined;
  readonly tokens: number;
  /** Which one it is of several rows with the same label: `message 12`. */
  readonly which?: string | undefined;
  /** What is special about it: `shortened`, `outdated`, `3 readings`. */
  readonly note: string;
  /** The raw messages of the row; absent when it has rows of its own for a file or a tool. */
  readonly at?: { readonly from: number; readonly to: number } | undefined;
  /** Whether it is pinned; of several messages, whether all are. */
  readonly pinned: boolean;
  /** The messages of a file or a tool that a pin pins, or, when all are pinned, that its end unpins. */
  readonly pins?: readonly number[] | undefined;
  /** What can be done with it, and with all of its rows where it has some. */
  readonly acts: readonly RowAct[];
  readonly refused?: readonly RefusedAct[] | undefined;
  /** Drops the outdated readings of a file that has others too. */
  readonly outdated?: RowAct | undefined;
  /** The tool whose definition it is, which the user may leave out. */
  readonly tool?: string | undefined;
  /** The rows of a file, a tool or a summary; largest first. */
  readonly rows: readonly ContentRow[];
}
