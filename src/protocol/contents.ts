/** What fills the window, by where it comes from. All figures in counted tokens. */
export interface ContentsState {
  /** Largest first; what is set aside comes last and is not in the window. */
  readonly groups: readonly ContentGroup[];
  /** Tokens that a turn added on average lately, and how many more such turns fit until a compression is due. */
  readonly forecast?: { readonly perTurn: number; readonly turnsLeft: number };
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
  /** Of a file or tool, largest first. */
  readonly rows: readonly ContentRow[];
}
