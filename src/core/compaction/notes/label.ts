import { describeBlock, describeBlocks } from '../../ledger/describe.ts';
import type { Block } from '../../messages/blocks.ts';
import { handleOf } from '../../messages/handle.ts';
import type { MessageRange } from '../../messages/message.ts';

const LABEL_CHARACTERS = 160;

/** `[t11-30 20 messages · changed … · read …]`: the handle of a range and a label that says what is behind it. */
export function labelRange(range: MessageRange, blocks: readonly Block[], characters = LABEL_CHARACTERS): string {
  const [only] = blocks;
  return `[${handleOf(range)} ${blocks.length === 1 && only !== undefined ? describeBlock(only) : describeBlocks(blocks, characters)}]`;
}
