/** An expected outcome as a value: `ok` with what was made, or an error that says why not. Bugs still throw. */
export type Result<Value, Problem> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Problem };

/** Wraps a success. */
export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

/** Wraps an expected failure. */
export function err<Problem>(error: Problem): { readonly ok: false; readonly error: Problem } {
  return { ok: false, error };
}

/** The words of an error, whatever was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A value of parsed JSON as text. `String` fails on an object that has a field of the name `toString`. */
export function asText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Whether two JSON-like values are equal. */
export function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The number of leading items that two lists share, by identity. */
export function countSame(ones: readonly unknown[], others: readonly unknown[]): number {
  if (ones === others) return ones.length;
  const most = Math.min(ones.length, others.length);
  let same = 0;
  while (same < most && ones[same] === others[same]) same += 1;
  return same;
}

/** For the default branch of an exhaustive `switch`: a value that cannot occur. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

/** Whether a value is an object and not a list, such as a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object without its undefined fields: an optional field whose value is unknown is absent. */
export function withoutUndefined<Fields extends object>(
  fields: {
    readonly [Name in keyof Fields]: Fields[Name] | undefined;
  },
): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

/** Groups items by a key, in the order in which the keys occur. As `Map.groupBy`, which Node 20 lacks. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Joins expressions with the same flags into one that matches any of them: a long alternation in readable pieces. */
export function anyOf(...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map((part) => part.source).join('|'), parts[0]?.flags);
}

/** The source of `anyOf` as a group within a larger expression. */
export function groupOf(...parts: readonly RegExp[]): string {
  return `(?:${anyOf(...parts).source})`;
}
