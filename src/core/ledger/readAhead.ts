import type { Block } from '../messages/blocks.ts';
import { extractInSteps } from './createLedger.ts';
import type { Ledger } from './ledger.ts';

/** Reading goes on for about this long, one extractor more at most. Milliseconds. */
const BUDGET_MS = 4;

/**
 * Reads blocks that are not yet read, as far as a few milliseconds go: called with every append, so that a compaction
 * need not read a whole transcript. A block that takes longer, as the first ones of a process do, is left for later.
 */
export function readAhead(ledger: Ledger, blocks: readonly Block[], clock: { elapsed(): number }): void {
  const started = clock.elapsed();
  for (let index = ledger.blocksRead; index < blocks.length; index += 1) {
    const block = blocks[index];
    if (block === undefined || (block.kind === 'tools' && block.open)) break;
    for (const _ of extractInSteps(block, blocks[index + 1])) if (clock.elapsed() - started > BUDGET_MS) return;
    ledger.update(blocks, index + 1);
  }
}
