import { describeBlock, describeUse } from '../../ledger/describe.ts';
import { readBlock } from '../../ledger/read/reading.ts';
import type { Block } from '../../messages/blocks.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import { fence } from '../../messages/fence.ts';
import { handleOf } from '../../messages/handle.ts';
import type { Message } from '../../messages/message.ts';
import { contentText } from '../../messages/parse.ts';
import { maskMessage } from '../rungs/mask.ts';
import { MASKED, shortenWritten } from '../shorten.ts';
import { droppedLine } from './withEdits.ts';

/** A message of a block as the user's *Shorten* leaves it; undefined when it cannot become shorter. */
export function shortenedForm(message: Message, block: Block): ChatMessage | undefined {
  if (message.role !== 'user') return maskMessage(message, MASKED);
  const content = shortenWritten(contentText(message.wire), handleOf(block.range), MASKED.head + MASKED.tail);
  return content === undefined ? undefined : { ...message.wire, content };
}

/**
 * What the user's *Drop* sends in place of a message of a block: of a result a line with the number, of all else a line
 * for the whole block. `mark`: the id of the record. The block is read once.
 */
export function droppedForms(block: Block, mark: string): (message: Message) => ChatMessage {
  let uses: ReturnType<typeof readBlock>['uses'] | undefined;
  return (message) => {
    if (block.kind === 'tools' && message.role === 'tool') {
      uses ??= readBlock(block, undefined).uses;
      const use = uses.find(({ result }) => result?.at === message.id);
      return { ...message.wire, content: droppedLine(message.id, use === undefined ? '' : describeUse(use)) };
    }
    const label = block.kind === 'user' ? 'a message of the user' : describeBlock(block);
    return fence(mark, `[${handleOf(block.range)} dropped by the user: ${label}]`);
  };
}
