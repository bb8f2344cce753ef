import { type Block, blockMessages } from '../../core/chat/blocks.ts';
import { unfence } from '../../core/chat/fence.ts';
import type { Message, ToolCall, ToolMessage } from '../../core/chat/message.ts';
import { contentText } from '../../core/chat/parse.ts';
import type { Transcript } from '../../core/chat/transcript.ts';
import type { ViewItem } from '../../core/chat/view.ts';
import type { ChatMessage } from '../../core/chat/wire.ts';
import type { RecordedReplacement } from '../../core/compaction/compaction.ts';
import { sentForms } from '../../core/compaction/shorten.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { SentState } from '../../protocol/entries.ts';

/** What is shown of a conversation. */
export type ShownConversation = {
  readonly transcript: Pick<Transcript, 'messages' | 'blocks'>;
  readonly settings: Pick<Conversation['settings'], 'thresholds' | 'tools'>;
} & Pick<Conversation, 'items' | 'history' | 'pins' | 'byHand' | 'profile' | 'budget' | 'usage' | 'heldBack'> &
  Pick<Conversation, 'tokensOf' | 'viewTokens' | 'toolTokens'>;

/** A raw message and how much of it the next request has. */
export interface SentMessage {
  readonly message: Message;
  readonly sent: SentState;
  /** The form that is sent; only for a shortened message, or one that was dropped alone. */
  readonly wire?: ChatMessage;
}

/** A block and how much of each of its messages the next request has, in order. */
export interface SentBlock {
  readonly block: Block;
  readonly messages: readonly SentMessage[];
}

/** An item of the view. */
export type Item = ViewItem<RecordedReplacement>;

/** How much of each message of an item the next request has. Derived from the records, never from a text. */
export function sentBlocks(item: Item): readonly SentBlock[] {
  if (item.kind === 'whole') return [allOf(item.block, 'whole')];
  switch (item.replacement.by.kind) {
    case 'shortened':
      return shortenedBlocks(item);
    case 'note':
      return item.blocks.map((block) => allOf(block, 'summarized'));
    default:
      return item.blocks.map((block) => allOf(block, item.replacement.by.isTold ? 'summarized' : 'dropped'));
  }
}

/** A block whose messages are all sent in the same way. */
export function allOf(block: Block, sent: SentState): SentBlock {
  return { block, messages: blockMessages(block).map((message) => ({ message, sent })) };
}

function shortenedBlocks({ blocks, messages, replacement }: Extract<Item, { kind: 'replaced' }>): readonly SentBlock[] {
  const forms = sentForms(blocks.flatMap(blockMessages), messages);
  // For each result that the user dropped, a line is sent.
  const { dropped } = replacement;
  return blocks.map((block) => ({
    block,
    messages: blockMessages(block).map((message): SentMessage => {
      const form = forms.get(message.id);
      if (form === undefined) return { message, sent: 'dropped' };
      const sent = dropped?.has(message.id) ? 'dropped' : form.isShortened ? 'shortened' : 'whole';
      return { message, sent, ...(form.isShortened && { wire: form.wire }) };
    }),
  }));
}

/** A call, the message that makes it, its place there, and its result if there is one. */
export interface SentCall {
  readonly call: ToolCall;
  readonly of: SentMessage;
  readonly index: number;
  readonly result?: (SentMessage & { readonly message: ToolMessage }) | undefined;
}

/** The calls of a block, in order. Of two calls with the same id, the first one has the first result. */
export function callsIn({ messages }: Pick<SentBlock, 'messages'>): readonly SentCall[] {
  const results = messages.filter((one): one is NonNullable<SentCall['result']> => one.message.role === 'tool');
  return messages.flatMap((of) => {
    const calls = of.message.role === 'assistant' ? of.message.calls : [];
    return calls.map((call, index): SentCall => {
      const at = results.findIndex(({ message }) => message.callId === call.id);
      return { call, of, index, result: at < 0 ? undefined : results.splice(at, 1)[0] };
    });
  });
}

/** The text of Karl's messages without their fences. */
export function noteText(messages: readonly ChatMessage[]): string {
  return messages
    .map(contentText)
    .map((content) => unfence(content) ?? content)
    .join('\n\n');
}
