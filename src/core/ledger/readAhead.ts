import type { Block } from '../messages/blocks.ts';
import type { Slicing } from '../steps.ts';
import { extractInSteps } from './createLedger.ts';
import type { Ledger } from './ledger.ts';

/** Reading goes on for about this long; the extractor under way is finished. Milliseconds. */
const BUDGET_MS = 4;

/**
 * Reads appended blocks ahead of a compaction, which then does not have to read a whole transcript. It does so later, so
 * that the request that brought them does not wait.
 */
export class ReadAhead {
  readonly #ledger: Ledger;
  readonly #slicing: Slicing;
  #isDue = false;

  constructor(ledger: Ledger, slicing: Slicing) {
    this.#ledger = ledger;
    this.#slicing = slicing;
  }

  /** Once everything that is waiting now has run, reads blocks that have not been read, for a few milliseconds. */
  readSoon(blocks: readonly Block[]): void {
    if (!this.#isDue) void this.#readLater(blocks);
  }

  async #readLater(blocks: readonly Block[]): Promise<void> {
    this.#isDue = true;
    await this.#slicing.pause();
    this.#isDue = false;
    try {
      readAhead(this.#ledger, blocks, this.#slicing);
    } catch {
      // A run reads the same blocks and reports what is wrong with them.
    }
  }
}

/** Reads blocks. One that takes longer than the time allowed, as the first ones of a process do, is left for a run. */
export function readAhead(ledger: Ledger, blocks: readonly Block[], clock: { elapsed(): number }): void {
  const started = clock.elapsed();
  for (let index = ledger.blocksRead; index < blocks.length; index += 1) {
    const block = blocks[index];
    if (block === undefined || (block.kind === 'tools' && block.open)) break;
    for (const _ of extractInSteps(block, blocks[index + 1])) if (clock.elapsed() - started > BUDGET_MS) return;
    ledger.update(blocks, index + 1);
  }
}
