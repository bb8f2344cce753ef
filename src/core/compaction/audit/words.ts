import { termsOf } from '../recall/terms.ts';

/** Shorter words occur near everything. Characters. */
const SHORTEST_WORD = 4;

/** The significant words and names of a text; in scripts without spaces each pair of characters counts as a word. */
export function tellingWords(text: string): ReadonlySet<string> {
  return new Set(termsOf(text).filter((term) => term.length >= SHORTEST_WORD || /[\d\p{Lo}]/u.test(term)));
}

/** The share of `wanted` that is in `there`, 0 to 1. */
export function share(wanted: ReadonlySet<string>, there: ReadonlySet<string>): number {
  let found = 0;
  for (const word of wanted) if (there.has(word)) found += 1;
  return found / Math.max(1, wanted.size);
}
