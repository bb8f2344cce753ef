import type { EntryState } from '../../protocol/entries.ts';

/** Reuses the objects of unchanged rows from the last snapshot, so that their elements are not drawn again. */
export function reuseUnchanged(before: readonly EntryState[], after: readonly EntryState[]): readonly EntryState[] {
  const known = new Map(before.map((entry) => [entry.key, entry]));
  return after.map((entry) => {
    const earlier = known.get(entry.key);
    return earlier && JSON.stringify(earlier) === JSON.stringify(entry) ? earlier : entry;
  });
}

/** A part of the newest snapshot; if it has not changed, the object from the last one, which is not drawn again. */
export function latest<Part>(before: Part | undefined, after: Part): Part {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after) ? before : after;
}

/** Keeps the whole texts of unchanged rows; those of changed rows are outdated. */
export function keepExpanded(
  expanded: ReadonlyMap<string, readonly string[]>,
  before: readonly EntryState[],
  now: readonly EntryState[],
): ReadonlyMap<string, readonly string[]> {
  const same = new Set(before);
  const kept = new Set(now.filter((entry) => same.has(entry)).map(({ key }) => key));
  for (const entry of now) if (entry.kind === 'compression') kept.add(`s${entry.run.id}`);
  return new Map([...expanded].filter(([key]) => kept.has(key)));
}
