import { type Fields, isFields } from '../fields.ts';

/** The only strings that arrive in pieces inside list entries (reasoning details, content parts). */
const PIECED_IN_ENTRIES = new Set(['text', 'summary', 'thinking', 'content', 'arguments']);

/** Strings at the top of a delta that are repeated rather than continued. */
export const WHOLE_AT_TOP: ReadonlySet<string> = new Set([
  'role',
  'id',
  'name',
  'type',
  'object',
  'model',
  'tool_call_id',
]);

/**
 * Merges one field of a delta into the target, with work proportional to the delta: continues strings, merges objects and
 * list entries with the same `index` and `type`, and replaces everything else; `null` changes nothing. Keeps copies, so
 * deltas never change.
 */
export function mergeTopField(target: Fields, name: string, incoming: unknown): void {
  mergeField(target, name, incoming, !WHOLE_AT_TOP.has(name));
}

function mergeField(target: Fields, name: string, incoming: unknown, isPieced: boolean): void {
  // Assigning this name would change the object's prototype.
  if (incoming === null || incoming === undefined || name === '__proto__') return;
  const existing = target[name];
  if (Array.isArray(incoming)) target[name] = mergeEntries(Array.isArray(existing) ? existing : [], incoming);
  else if (isFields(incoming)) target[name] = mergeEntry(isFields(existing) ? existing : {}, incoming);
  else if (isPieced && typeof incoming === 'string' && typeof existing === 'string') target[name] = existing + incoming;
  else target[name] = incoming;
}

function mergeEntry(existing: Fields, incoming: Fields): Fields {
  for (const [name, value] of Object.entries(incoming)) mergeField(existing, name, value, PIECED_IN_ENTRIES.has(name));
  return existing;
}

/** Merges list entries; one without an index continues the last one if both are text of the same type. */
export function mergeEntries(existing: unknown[], incoming: readonly unknown[]): unknown[] {
  for (const entry of incoming) {
    const before = isFields(entry) ? findContinued(existing, entry) : undefined;
    if (isFields(entry) && before !== undefined) mergeEntry(before, entry);
    else existing.push(isFields(entry) ? remembered(existing, mergeEntry({}, entry)) : entry);
  }
  return existing;
}

/** The numbered entries of each list. */
const NUMBERED = new WeakMap<readonly unknown[], Map<string, Fields>>();

function remembered(entries: readonly unknown[], entry: Fields): Fields {
  if (typeof entry.index !== 'number') return entry;
  const known = NUMBERED.get(entries) ?? new Map<string, Fields>();
  NUMBERED.set(entries, known.set(numberOf(entry), entry));
  return entry;
}

function numberOf({ index, type }: Fields): string {
  return `${String(index)} ${JSON.stringify(type)}`;
}

function findContinued(entries: readonly unknown[], entry: Fields): Fields | undefined {
  if (typeof entry.index === 'number') return NUMBERED.get(entries)?.get(numberOf(entry));
  const last = entries.at(-1);
  const continues =
    isFields(last) && last.type === entry.type && (typeof entry.text === 'string' || Array.isArray(entry.thinking));
  return continues ? last : undefined;
}
