import type { Block } from '../messages/blocks.ts';
import type { MessageId } from '../messages/message.ts';
import type { Steps } from '../steps.ts';
import type { Fact } from './fact.ts';

/** Facts of a transcript. Incremental: each block is read once, when it is complete. */
export interface Ledger {
  /**
   * Reads the blocks that are new or have grown since the last call. `blocks` is the whole transcript; of it the first
   * `upTo` are read, all when absent. The work is that of the new blocks.
   */
  update(blocks: readonly Block[], upTo?: number): void;
  /** How many blocks have been read. */
  readonly blocksRead: number;
  /** Makes facts and changes ready in steps: they then are given at once, until more is read. */
  settle(): Steps<void>;
  /** All facts in transcript order, superseded ones marked. */
  facts(): readonly Fact[];
  /** The messages that changed files, in order. */
  changes(): readonly MessageId[];
}
