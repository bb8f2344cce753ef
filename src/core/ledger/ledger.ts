import type { Block } from '../messages/blocks.ts';
import type { MessageId } from '../messages/message.ts';
import type { Steps } from '../steps.ts';
import type { Fact } from './fact.ts';

/** Facts of a transcript. Incremental: each block is read once, when it is complete. */
export interface Ledger {
  /**
   * Reads the blocks that are new or have changed since the last call. `blocks` is the whole transcript, of which the
   * first `upTo` are read (default: all). The cost depends only on the new blocks.
   */
  update(blocks: readonly Block[], upTo?: number): void;
  /** How many blocks have been read. */
  readonly blocksRead: number;
  /** Prepares facts and changes in steps: they are then returned at once, until more is read. */
  settle(): Steps<void>;
  /** All facts in transcript order, superseded ones marked. */
  facts(): readonly Fact[];
  /** The messages that changed files, in order. */
  changes(): readonly MessageId[];
}
