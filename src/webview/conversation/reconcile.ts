import type { EntryState } from '../../protocol/entries.ts';

/** Reuses the objects of unchanged rows from the last snapshot, so that their elements are not drawn again. */
export function reuseUnchanged(before: readonly EntryState[], after: readonly EntryState[]): readonly EntryState[] {
  const known = new Map(before.map((entry) => [entry.key, entry]));
  return after.map((entry) => {
    const earlier = known.get(entry.key);
    return earlier && isSame(earlier, entry) ? earlier : entry;
  });
}

function isSame(one: EntryState, other: EntryState): boolean {
  const [fields, others]: Record<string, unknown>[] = [{ ...one }, { ...other }];
  if (fields === undefined || others === undefined) return false;
  const names = Object.keys(fields);
  return names.length === Object.keys(others).length && names.every((name) => isEqual(fields[name], others[name]));
}

/** Values of a snapshot are plain data. */
function isEqual(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));
}

/** Keeps the whole texts of unchanged rows; those of changed rows are outdated. */
export function keepExpanded(
  expanded: ReadonlyMap<string, readonly string[]>,
  before: readonly EntryState[] = [],
  now: readonly EntryState[],
): ReadonlyMap<string, readonly string[]> {
  const same = new Set(before);
  const kept = new Set(now.filter((entry) => same.has(entry)).map(({ key }) => key));
  for (const entry of now) if (entry.kind === 'compressions') for (const run of entry.runs) kept.add(`s${run.id}`);
  return new Map([...expanded].filter(([key]) => kept.has(key)));
}

/** The raw messages that a row shows, first and last; `undefined` for a row of compressions. */
export function messagesOf(entry: EntryState): { readonly from: number; readonly to: number } | undefined {
  switch (entry.kind) {
    case 'message':
      return { from: entry.id, to: entry.id };
    case 'call':
      return { from: entry.call, to: entry.result ?? entry.call };
    case 'summary':
      return { from: entry.from, to: entry.to };
    case 'compressions':
      return undefined;
  }
}
