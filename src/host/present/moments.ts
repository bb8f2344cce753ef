import type { Compaction } from '../../core/compaction/compaction.ts';
import type { CompactionEntry } from '../../core/conversation/compactedView.ts';
import { formatMoment } from '../../core/language.ts';
import type { MomentState } from '../../protocol/entries.ts';

/** How finely the compressions and changes of a conversation must be written, by id; absent where minutes do. */
export type Precisions = ReadonlyMap<string, 'second' | 'millisecond'>;

const MINUTE_MS = 60_000;
const SECOND_MS = 1000;

/** Tells apart what ran in the same minute, and in the same second. */
export function precisionsOf(history: readonly CompactionEntry[]): Precisions {
  const [minutes, seconds] = [countBy(history, MINUTE_MS), countBy(history, SECOND_MS)];
  return new Map(
    history.flatMap(({ compaction: { id, at } }) => {
      if (minutes.get(Math.floor(at / MINUTE_MS)) === 1) return [];
      return [[id, seconds.get(Math.floor(at / SECOND_MS)) === 1 ? 'second' : 'millisecond'] as const];
    }),
  );
}

function countBy(history: readonly CompactionEntry[], ms: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { compaction } of history) {
    const key = Math.floor(compaction.at / ms);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** When a compression ran, for the view. */
export function presentMoment({ id, at }: Compaction, precisions: Precisions): MomentState {
  const precision = precisions.get(id);
  return { at: new Date(at).toISOString(), ...(precision !== undefined && { precision }) };
}

/** When a compression ran, in words that no other of its conversation has. */
export function nameMoment({ id, at }: Compaction, history: readonly CompactionEntry[]): string {
  return formatMoment(at, precisionsOf(history).get(id));
}
