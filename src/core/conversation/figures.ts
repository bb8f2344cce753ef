import * as z from 'zod/mini';
import { triggerTokens, type WindowSource } from '../model/budget.ts';
import type { TokenCount } from '../tokens/counter.ts';
import type { Conversation } from './conversation.ts';

/**
 * How full a conversation was at one moment, and how often it was compressed. Tokens; milliseconds since 1970.
 * JSON-safe.
 */
export interface ConversationFigures {
  readonly at: number;
  readonly model: string;
  readonly used: number;
  readonly usedSource: TokenCount['source'];
  /** The most that may be used. */
  readonly limit: number;
  readonly window: number;
  readonly windowSource: WindowSource;
  readonly reserve: number;
  /** The figure at which the next compression starts. */
  readonly trigger: number;
  /** Without changes by hand. */
  readonly compressions: number;
  readonly last?: { readonly at: number; readonly before: number; readonly after: number };
}

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
    trigger: triggerTokens(conversation.thresholds(), budget),
    compressions: compactions.length,
    ...(last !== undefined && {
      last: { at: last.at, before: last.receipt.tokensBefore, after: last.receipt.tokensAfter },
    }),
  };
}

const tokens = z.number();

const shape = z.object({
  at: z.number(),
  model: z.string(),
  used: tokens,
  usedSource: z.enum(['reported', 'counted', 'estimated']),
  limit: tokens,
  window: tokens,
  windowSource: z.enum(['unknown', 'profile', 'server', 'error', 'setting']),
  reserve: tokens,
  trigger: tokens,
  compressions: z.number(),
  last: z.exactOptional(z.object({ at: z.number(), before: tokens, after: tokens })),
});

/** Figures that were stored; undefined for anything else. */
export function parseFigures(value: unknown): ConversationFigures | undefined {
  const parsed = shape.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
