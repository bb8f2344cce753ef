import type { ListGroup, Source } from './list.ts';

/** What fills the window, by source. All figures are tokens of the gauge. */
export interface ContentsState {
  /** Largest first, and so are their rows; messages set aside come last and are not in the window. */
  readonly groups: readonly ListGroup<Source>[];
  /** The history of tokens, oldest first. */
  readonly history: readonly HistoryPointState[];
  /** The newest record, if the user made it by hand: what it did, and the id that undoes it. */
  readonly last?: { readonly id: string; readonly text: string } | undefined;
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
