import type { ListGroup, Source } from './list.ts';

/** What fills the window, by source. All figures are tokens of the gauge. */
export interface ContentsState {
  /** Largest first, and so are their rows; then come messages set aside, which are not in the window, and the history, newest first. */
  readonly groups: readonly ListGroup<Source>[];
  /** The history of tokens, oldest first. */
  readonly chart: readonly ChartPoint[];
  /** The newest record, if the user made it by hand: what it did, and the id that undoes it. */
  readonly last?: { readonly id: string; readonly text: string } | undefined;
  /** What a turn adds, and how many more turns fit before a compression is due. */
  readonly forecast?: string | undefined;
}

/** A request, or an event that changed the tokens of requests. */
export interface ChartPoint {
  /** Tokens of the request; before and after, for a compression, an undo or the like; none, for an error. */
  readonly tokens: readonly number[];
  /** The budget and the threshold at that time. */
  readonly limit: number;
  readonly trigger: number;
}
