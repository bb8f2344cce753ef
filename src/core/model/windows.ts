import * as z from 'zod/mini';
import { type Phrase, phrase } from '../phrase.ts';
import { err, ok, type Result } from '../result.ts';
import type { LearnedWindow } from './budget.ts';

/** A window that errors stated. `agreed`: a second error, about another request, stated the same. */
export interface HeardWindow {
  readonly window: LearnedWindow;
  readonly agreed: boolean;
}

/**
 * Notes a window that an error stated. A single error may be misread or quoted, and the same words may be the same error
 * again, which confirms nothing; without words the limit was measured. A different limit starts over, since the server
 * may have been restarted.
 */
export function hearWindow(before: HeardWindow | undefined, window: LearnedWindow): HeardWindow {
  if (before === undefined || before.window.tokens !== window.tokens) return { window, agreed: false };
  return { window, agreed: before.agreed || window.words === undefined || before.window.words !== window.words };
}

/** Limits of a window that the user sets. Tokens. */
export const LEAST_SET_WINDOW = 1_000;
export const MOST_SET_WINDOW = 100_000_000;

const setWindow = z.int().check(z.gte(LEAST_SET_WINDOW), z.lte(MOST_SET_WINDOW));

/** What the setting allows. */
export const setWindows = z.record(z.string().check(z.minLength(1)), setWindow);

/** The window that the user has set for a model; undefined when there is none. */
export function findSetWindow(model: string, windows: z.infer<typeof setWindows>): LearnedWindow | undefined {
  const tokens = Object.hasOwn(windows, model) ? windows[model] : undefined;
  return tokens === undefined ? undefined : { tokens, source: 'setting' };
}

const WHOLE_NUMBER = /^(?:\d+|\d{1,3}(?:[ ,._'\u00a0\u202f]\d{3})+)$/;

/** Reads what the user typed: tokens, or undefined for nothing, which removes the setting. */
export function readTypedWindow(text: string): Result<number | undefined, Phrase> {
  const typed = text.trim();
  if (typed === '') return ok(undefined);
  const tokens = setWindow.safeParse(WHOLE_NUMBER.test(typed) ? Number(typed.replaceAll(/\D/g, '')) : undefined);
  if (tokens.success) return ok(tokens.data);
  return err(phrase('window.typed', LEAST_SET_WINDOW, MOST_SET_WINDOW));
}
