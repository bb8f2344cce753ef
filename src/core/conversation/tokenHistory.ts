import * as z from 'zod/mini';
import type { Receipt } from '../compaction/compaction.ts';
import type { KarlEvent } from '../events/event.ts';
import type { CompactionEntry } from './compactedView.ts';

const count = z.number().check(z.nonnegative());
/** When, in milliseconds since 1970, and how many raw messages there were then. */
const base = { at: count, messages: z.int().check(z.nonnegative()) };

/**
 * One event in the history of a conversation's tokens, without message text. Tokens are those of the whole request.
 */
const point = z.discriminatedUnion('kind', [
  /** `limit`: the budget; `trigger`: the figure at which a compression was due. */
  z.object({ ...base, kind: z.literal('request'), tokens: count, limit: count, trigger: count }),
  z.object({ ...base, kind: z.enum(['compressed', 'by-hand', 'undone', 'redone']), before: count, after: count }),
  z.object({ ...base, kind: z.literal('error'), error: z.string().check(z.maxLength(100)) }),
  z.object({ ...base, kind: z.literal('model'), model: z.string().check(z.maxLength(300)) }),
]);

/** One point of a token history. */
export type HistoryPoint = Readonly<z.infer<typeof point>>;

/** The history of a conversation's tokens, oldest first. JSON-safe. */
export interface TokenHistory {
  readonly points: readonly HistoryPoint[];
  /** The model of the newest request. */
  readonly model?: string | undefined;
}

/**
 * The most points that are kept: beyond that, every second request in the older half is dropped.
 */
export const MOST_POINTS = 400;

/** The state of a conversation at the time of an event. */
export interface HistoryMoment extends Pick<HistoryPoint, 'at' | 'messages'> {
  /** The tokens at which a compression is due. */
  readonly trigger: number;
}

/** Adds an event to the history; returns it unchanged if the event is not about tokens. */
export function noteEvent(history: TokenHistory, event: KarlEvent, moment: HistoryMoment): TokenHistory {
  const { at, messages, trigger } = moment;
  const add = (...points: readonly HistoryPoint[]): TokenHistory => ({
    ...history,
    points: withPoints(history, ...points),
  });
  const change = (
    kind: 'compressed' | 'by-hand' | 'undone' | 'redone',
    { tokensBefore: before, tokensAfter: after }: Pick<Receipt, 'tokensBefore' | 'tokensAfter'>,
  ): TokenHistory => add({ kind, at, messages, before, after });
  switch (event.type) {
    case 'request-answered': {
      const { model, tokens, limit } = event;
      const isOther = history.model !== undefined && history.model !== model;
      const other: HistoryPoint[] = isOther ? [{ kind: 'model', at, messages, model }] : [];
      return { ...add(...other, { kind: 'request', at, messages, tokens, limit, trigger }), model };
    }
    case 'compaction-ended':
      return event.result.kind === 'compacted' ? change('compressed', event) : history;
    case 'compaction-by-hand':
      return change('by-hand', event);
    case 'compaction-undone':
      return change('undone', event);
    case 'compaction-redone':
      return change('redone', event);
    case 'model-error':
      return event.error.kind === 'cancelled' ? history : add({ kind: 'error', at, messages, error: event.error.kind });
    default:
      return history;
  }
}

function withPoints({ points }: TokenHistory, ...added: readonly HistoryPoint[]): readonly HistoryPoint[] {
  const all = [...points, ...added];
  if (all.length <= MOST_POINTS) return all;
  const half = Math.floor(all.length / 2);
  let requests = 0;
  const older = all.slice(0, half).filter(({ kind }) => {
    if (kind !== 'request') return true;
    requests += 1;
    return requests % 2 === 1;
  });
  // If hardly any are requests, drop the oldest points.
  return [...older, ...all.slice(half)].slice(-MOST_POINTS);
}

/** A history made from the records alone, for a conversation without a recorded one. */
export function historyOf(entries: readonly CompactionEntry[]): TokenHistory {
  const points = entries.map(({ compaction: { at, transcriptLength, strategy, receipt } }): HistoryPoint => {
    const kind = strategy === 'manual' ? 'by-hand' : 'compressed';
    return { kind, at, messages: transcriptLength, before: receipt.tokensBefore, after: receipt.tokensAfter };
  });
  return { points: points.slice(-MOST_POINTS) };
}

/** A stored history without points that are malformed or beyond the transcript; undefined if it is no history. */
export function parseTokenHistory(stored: unknown, length: number): TokenHistory | undefined {
  const { points, model }: { points?: unknown; model?: unknown } = Object(stored);
  if (!Array.isArray(points)) return undefined;
  const kept = points.slice(-MOST_POINTS).flatMap((value) => {
    const parsed = point.safeParse(value);
    return parsed.success && parsed.data.messages <= length ? [parsed.data] : [];
  });
  return { points: kept, model: typeof model === 'string' ? model : undefined };
}
