import { termsOf } from '../recall/terms.ts';

/** Shorter words stand near everything. Characters. */
const SHORTEST_WORD = 4;

/** The words and names of a text that tell something; in scripts without blanks a pair of characters is one. */
export function tellingWords(text: string): ReadonlySet<string> {
  return new Set(termsOf(text).filter((term) => term.length >= SHORTEST_WORD || /[\d\p{Lo}]/u.test(term)));
}

/** Of some words, the share that is among others, 0 to 1. */
export function share(wanted: ReadonlySet<string>, there: ReadonlySet<string>): number {
  let found = 0;
  for (const word of wanted) if (there.has(word)) found += 1;
  return found / Math.max(1, wanted.size);
}
