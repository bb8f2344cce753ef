import * as z from 'zod/mini';
import { triggerTokens } from '../model/budget.ts';
import type { Conversation } from './conversation.ts';

const tokens = z.number();

const shape = z.object({
  at: z.number(),
  model: z.string(),
  used: tokens,
  usedSource: z.enum(['reported', 'counted', 'estimated']),
  /** The most that may be used. */
  limit: tokens,
  window: tokens,
  windowSource: z.enum(['unknown', 'profile', 'server', 'error', 'setting']),
  reserve: tokens,
  /** The figure at which the next compression starts. */
  trigger: tokens,
  /** Without changes by hand. */
  compressions: z.number(),
  last: z.optional(z.object({ at: z.number(), before: tokens, after: tokens })),
});

/**
 * How full a conversation was at one moment, and how often it was compressed. Tokens; milliseconds since 1970.
 * JSON-safe.
 */
export type ConversationFigures = Readonly<z.infer<typeof shape>>;

/** The figures of a conversation now. */
export function figuresOf(conversation: Conversation, at: number): ConversationFigures {
  const budget = conversation.budget();
  const { used, limit, window, windowSource, reserve } = budget;
  const compactions = conversation.compactions().filter(({ strategy }) => strategy !== 'manual');
  const last = compactions.at(-1);
  return {
    at,
    model: conversation.profile().id,
    used: used.tokens,
    usedSource: used.source,
    limit,
    window,
    windowSource,
    reserve,
    trigger: triggerTokens(conversation.settings.thresholds, budget),
    compressions: compactions.length,
    last: last && { at: last.at, before: last.receipt.tokensBefore, after: last.receipt.tokensAfter },
  };
}

/** Figures that were stored; undefined for anything else. */
export function parseFigures(value: unknown): ConversationFigures | undefined {
  return shape.safeParse(value).data;
}
