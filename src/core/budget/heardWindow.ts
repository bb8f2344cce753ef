import type { LearnedWindow } from './budget.ts';

/** What errors taught about a model's window. `agreed`: a second error, about another request, stated the same. */
export interface HeardWindow {
  readonly window: LearnedWindow;
  readonly agreed: boolean;
}

/**
 * Takes note of a window that an error stated. A single error may be misread or quoted. The same words are taken for
 * the same error again, which confirms nothing. A different limit starts over, since the server may have been
 * restarted.
 */
export function hearWindow(before: HeardWindow | undefined, window: LearnedWindow): HeardWindow {
  if (before === undefined || before.window.tokens !== window.tokens) return { window, agreed: false };
  return { window, agreed: before.agreed || before.window.words !== window.words };
}
