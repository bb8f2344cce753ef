import * as z from 'zod/mini';
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
  z.object({
    ...base,
    kind: z.enum(['compressed', 'by-hand', 'undone', 'redone']),
    before: count,
    after: count,
    /** The id of the record; records undone or redone with it share its point. Absent in points of an older Karl. */
    of: z.optional(z.string().check(z.maxLength(100))),
  }),
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
  switch (event.type) {
    case 'request-answered': {
      const { model, tokens, limit } = event;
      const isOther = history.model !== undefined && history.model !== model;
      const change: HistoryPoint[] = isOther ? [{ kind: 'model', at, messages, model }] : [];
      return {
        points: withPoints(history, ...change, { kind: 'request', at, messages, tokens, limit, trigger }),
        model,
      };
    }
    case 'compaction-ended':
      return event.result.kind === 'compacted'
        ? withChange(history, 'compressed', { ...event, compaction: event.result.compaction }, moment)
        : history;
    case 'compaction-by-hand':
      return withChange(history, 'by-hand', event, moment);
    case 'compaction-undone':
      return withChange(history, 'undone', event, moment);
    case 'compaction-redone':
      return withChange(history, 'redone', event, moment);
    case 'model-error':
      if (event.error.kind === 'cancelled') return history;
      return { ...history, points: withPoints(history, { kind: 'error', at, messages, error: event.error.kind }) };
    default:
      return history;
  }
}

type ChangeKind = Extract<HistoryPoint, { readonly before: number }>['kind'];

type Changed = Omit<Extract<KarlEvent, { readonly type: 'compaction-undone' | 'compaction-redone' }>, 'type'>;

/** Records that are undone or redone with one older record share one point. */
function withChange(
  history: TokenHistory,
  kind: ChangeKind,
  { compaction, with: of = compaction.id, tokensBefore, tokensAfter }: Changed,
  { at, messages }: HistoryMoment,
): TokenHistory {
  const last = history.points.at(-1);
  const isSame = last?.kind === kind && last.of === of;
  const point = { kind, at, messages, before: isSame ? last.before : tokensBefore, after: tokensAfter, of } as const;
  const points = isSame ? [...history.points.slice(0, -1), point] : withPoints(history, point);
  return { ...history, points };
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
  const points = entries.map(({ compaction: { id, at, transcriptLength, strategy, receipt } }): HistoryPoint => {
    const kind = strategy === 'manual' ? 'by-hand' : 'compressed';
    return { kind, at, messages: transcriptLength, before: receipt.tokensBefore, after: receipt.tokensAfter, of: id };
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
