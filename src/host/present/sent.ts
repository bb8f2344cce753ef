import type { RecordedReplacement } from '../../core/compaction/compaction.ts';
import { sentForms } from '../../core/compaction/shorten.ts';
import { type Block, blockMessages } from '../../core/messages/blocks.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import type { Message } from '../../core/messages/message.ts';
import type { ViewItem } from '../../core/messages/view.ts';
import type { SentState } from '../../protocol/entries.ts';

/** A raw message and what the next request has of it. */
export interface SentMessage {
  readonly message: Message;
  readonly sent: SentState;
  /** What is sent in its place; only of a message that is shortened, or dropped alone. */
  readonly wire?: ChatMessage;
}

/** A block and what the next request has of each of its messages, in order. */
export interface SentBlock {
  readonly block: Block;
  readonly messages: readonly SentMessage[];
}

/** A stretch of the view. */
export type Item = ViewItem<RecordedReplacement>;

/** What the next request has of every message of one stretch: decided by the records, never by a text. */
export function sentBlocks(item: Item): readonly SentBlock[] {
  if (item.kind === 'whole') return [allOf(item.block, 'whole')];
  switch (item.replacement.by.kind) {
    case 'shortened':
      return shortenedBlocks(item.blocks, item.messages).map((block) => withDropped(block, item.replacement.dropped));
    case 'note':
      return item.blocks.map((block) => allOf(block, 'summarized'));
    default:
      return item.blocks.map((block) => allOf(block, 'dropped'));
  }
}

function allOf(block: Block, sent: SentState): SentBlock {
  return { block, messages: blockMessages(block).map((message) => ({ message, sent })) };
}

function shortenedBlocks(blocks: readonly Block[], wires: readonly ChatMessage[]): readonly SentBlock[] {
  const forms = sentForms(blocks.flatMap(blockMessages), wires);
  return blocks.map((block) => ({
    block,
    messages: blockMessages(block).map((message): SentMessage => {
      const form = forms.get(message.id);
      if (form === undefined) return { message, sent: 'dropped' };
      return form.isShortened ? { message, sent: 'shortened', wire: form.wire } : { message, sent: 'whole' };
    }),
  }));
}

/** In place of each result that the user dropped, a line is sent: it counts as dropped. */
function withDropped({ block, messages }: SentBlock, dropped: ReadonlySet<number> = new Set()): SentBlock {
  const of = (one: SentMessage): SentMessage => (dropped.has(one.message.id) ? { ...one, sent: 'dropped' } : one);
  return { block, messages: messages.map(of) };
}
