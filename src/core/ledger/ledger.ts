import type { Block } from '../messages/blocks.ts';
import type { MessageRange } from '../messages/message.ts';
import type { Fact } from './fact.ts';

/** Facts of a transcript. Incremental: each block is read once, when it is complete. */
export interface Ledger {
  /** Reads the blocks that are new or have grown since the last call. `blocks` is the whole transcript. */
  update(blocks: readonly Block[]): void;
  /** How many blocks have been read. */
  readonly blocksRead: number;
  /** Facts whose message lies in `range` (default: everywhere), in transcript order, superseded ones marked. */
  facts(range?: MessageRange): readonly Fact[];
}

/** How much is read in one step, characters: a millisecond or two. */
const STEP = 12_000;

/** Reads the next few unread blocks. True when nothing is left to read. */
export function readStep(ledger: Ledger, blocks: readonly Block[]): boolean {
  let characters = 0;
  for (let index = ledger.blocksRead; index < blocks.length; index += 1) {
    for (const message of blocks[index]?.messages ?? []) characters += message.text.length;
    if (characters < STEP) continue;
    const read = ledger.blocksRead;
    ledger.update(blocks.slice(0, index + 1));
    return ledger.blocksRead <= read;
  }
  ledger.update(blocks);
  return true;
}
