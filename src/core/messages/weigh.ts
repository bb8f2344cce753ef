/**
 * How deep a message's fields may nest. What providers send nests fewer than ten levels; a serialiser fails at some
 * thousand.
 */
export const DEEPEST_FIELD = 100;

/** How much a value holds, or which limit it breaks. */
export type Weight =
  /** `size`: the characters of its texts and names, plus one for each value. */
  | { readonly kind: 'fits'; readonly size: number }
  | { readonly kind: 'too-deep' }
  | { readonly kind: 'too-large' }
  /** It holds something that JSON cannot: a bigint, a function or a symbol. */
  | { readonly kind: 'not-json' };

const TOO_LARGE: Weight = { kind: 'too-large' };

const NOT_JSON = ['bigint', 'function', 'symbol'];

/**
 * Weighs a JSON-like value without recursion, and stops at the first limit that it exceeds, so that it never takes
 * longer than `largest` demands. A value that contains itself is too deep.
 */
export function weigh(value: unknown, largest: number): Weight {
  if (typeof value === 'string') return value.length < largest ? { kind: 'fits', size: value.length + 1 } : TOO_LARGE;
  let size = 0;
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: one, depth } = next;
    size += typeof one === 'string' ? one.length + 1 : 1;
    if (size > largest) return TOO_LARGE;
    if (NOT_JSON.includes(typeof one)) return { kind: 'not-json' };
    if (typeof one !== 'object' || one === null) continue;
    if (depth === DEEPEST_FIELD) return { kind: 'too-deep' };
    const inside = Array.isArray(one) ? one : Object.values(one);
    if (!Array.isArray(one)) for (const name of Object.keys(one)) size += name.length;
    if (size + inside.length > largest) return TOO_LARGE;
    for (const item of inside)
      if (typeof item === 'object' && item !== null) waiting.push({ value: item, depth: depth + 1 });
      else if (typeof item === 'string') size += item.length + 1;
      else if (NOT_JSON.includes(typeof item)) return { kind: 'not-json' };
      else size += 1;
    if (size > largest) return TOO_LARGE;
  }
  return { kind: 'fits', size };
}
