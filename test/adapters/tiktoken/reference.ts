import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { createExactCounter, findRanks } from '../../../src/adapters/tiktoken/ranks.ts';
import type { Encoding } from '../../../src/core/tokens/counter.ts';
import type { ExactCounter } from '../../../src/core/tokens/exactCounter.ts';

export const ENCODINGS: readonly Encoding[] = ['o200k_base', 'cl100k_base'];

/** The counter under test, with an empty cache. */
export function exactCounter(encoding: Encoding = 'o200k_base'): ExactCounter {
  return createExactCounter(encoding, findRanks());
}

const references = new Map<Encoding, Tiktoken>();

/** The count of js-tiktoken. Quadratic for long pieces, so only for inputs that it can handle. */
export function referenceCount(encoding: Encoding, text: string): number {
  const reference = references.get(encoding) ?? new Tiktoken(encoding === 'o200k_base' ? o200k : cl100k);
  references.set(encoding, reference);
  return reference.encode(text, [], []).length;
}
