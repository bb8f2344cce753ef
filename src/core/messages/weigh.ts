/** How deep a message's fields may nest, levels. What providers send nests less than ten; a writer ends at some thousand. */
export const DEEPEST_FIELD = 100;

/** How much a value holds, or which limit it breaks. */
export type Weight =
  /** `size`: characters of its texts and names, and one for each value. */
  { readonly kind: 'fits'; readonly size: number } | { readonly kind: 'too-deep' } | { readonly kind: 'too-large' };

const TOO_LARGE: Weight = { kind: 'too-large' };

/**
 * Weighs a JSON-like value without recursion, and stops at the first limit that it breaks: never longer than `largest`
 * demands. A value that contains itself is too deep.
 */
export function weigh(value: unknown, largest: number): Weight {
  if (typeof value === 'string') return value.length < largest ? { kind: 'fits', size: value.length + 1 } : TOO_LARGE;
  let size = 0;
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: one, depth } = next;
    size += typeof one === 'string' ? one.length + 1 : 1;
    if (size > largest) return TOO_LARGE;
    if (typeof one !== 'object' || one === null) continue;
    if (depth === DEEPEST_FIELD) return { kind: 'too-deep' };
    const inside = Array.isArray(one) ? one : Object.values(one);
    if (!Array.isArray(one)) for (const name of Object.keys(one)) size += name.length;
    if (size + inside.length > largest) return TOO_LARGE;
    for (const item of inside)
      if (typeof item === 'object' && item !== null) waiting.push({ value: item, depth: depth + 1 });
      else size += typeof item === 'string' ? item.length + 1 : 1;
    if (size > largest) return TOO_LARGE;
  }
  return { kind: 'fits', size };
}
