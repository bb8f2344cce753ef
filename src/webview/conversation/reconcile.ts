import type { EntryState } from '../../protocol/entries.ts';

/** The options of a property that holds a part of the snapshot: an equal part of a newer one is not drawn again. */
export const ofSnapshot = {
  attribute: false,
  hasChanged: (value: unknown, before: unknown): boolean => JSON.stringify(value) !== JSON.stringify(before),
} as const;

/** Keeps the whole texts of unchanged rows; those of changed rows are outdated. */
export function keepExpanded(
  expanded: ReadonlyMap<string, readonly string[]>,
  before: readonly EntryState[],
  now: readonly EntryState[],
): ReadonlyMap<string, readonly string[]> {
  const known = new Set(before.map((entry) => JSON.stringify(entry)));
  const keyOf = (entry: EntryState) => (entry.kind === 'compression' ? `s${entry.run.id}` : entry.key);
  const same = now.filter((entry) => entry.kind === 'compression' || known.has(JSON.stringify(entry)));
  const kept = new Set(same.map(keyOf));
  return new Map([...expanded].filter(([key]) => kept.has(key)));
}
