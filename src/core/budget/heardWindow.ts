import type { LearnedWindow } from './budget.ts';

/** What errors taught of a model's window. `agreed`: a second error, of another request, stated the same. */
export interface HeardWindow {
  readonly window: LearnedWindow;
  readonly agreed: boolean;
}

/**
 * Takes what an error taught. One alone may be misread or quoted; the same words again are the same error again, and
 * agree with nothing. A limit that differs starts anew: the server may have been.
 */
export function hearWindow(before: HeardWindow | undefined, window: LearnedWindow): HeardWindow {
  if (before === undefined || before.window.tokens !== window.tokens) return { window, agreed: false };
  return { window, agreed: before.agreed || before.window.words !== window.words };
}
