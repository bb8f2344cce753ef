import type { TokenCount } from './counter.ts';

/** The sum of counts; it is an estimate if one of them is. */
export function addCounts(counts: Iterable<TokenCount>): TokenCount {
  let tokens = 0;
  let source: TokenCount['source'] = 'counted';
  for (const count of counts) {
    tokens += count.tokens;
    if (count.source === 'estimated') source = 'estimated';
  }
  return { tokens, source };
}
