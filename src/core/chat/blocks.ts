import type {
  AssistantMessage,
  Message,
  MessageId,
  MessageRange,
  SystemMessage,
  ToolCall,
  ToolMessage,
  UserMessage,
} from './message.ts';

/**
 * The smallest unit that may be replaced. Blocks cover the transcript without gaps.
 *
 * `tools` is an assistant message with all results that directly follow it. Calls whose result did not come before the
 * next message are `unanswered` (the view gives them a marked result); `open` is true only for the last block of a
 * transcript, while its calls are running. A tool result without a call is a `stray`: it is never sent, and the view
 * names it by its handle.
 */
export type Block =
  | SingleBlock<'system', SystemMessage>
  | SingleBlock<'user', UserMessage>
  | SingleBlock<'assistant', AssistantMessage>
  | ToolsBlock
  | SingleBlock<'stray', ToolMessage>;

/** A block of one message. It computes the rest on demand: a long conversation has a hundred thousand blocks. */
export class SingleBlock<Kind extends string, Only extends Message> {
  readonly kind: Kind;
  readonly message: Only;

  constructor(kind: Kind, message: Only) {
    this.kind = kind;
    this.message = message;
  }

  get range(): MessageRange {
    return { from: this.message.id, to: this.message.id };
  }

  get messages(): readonly [Only] {
    return [this.message];
  }
}

/** Tool calls with all their results, which no plan may split. */
export interface ToolsBlock {
  readonly kind: 'tools';
  readonly range: MessageRange;
  readonly messages: readonly [AssistantMessage, ...ToolMessage[]];
  readonly open: boolean;
  readonly unanswered: readonly ToolCall[];
  readonly strays: readonly ToolMessage[];
}

/** True when `inner` lies within `outer`. */
export function contains(outer: MessageRange, inner: MessageRange): boolean {
  return outer.from <= inner.from && inner.to <= outer.to;
}

/** True when any of some messages is in a range. */
export function holdsAny({ from, to }: MessageRange, ids: ReadonlySet<MessageId>): boolean {
  if (ids.size > 0) for (let id = from; id <= to; id += 1) if (ids.has(id)) return true;
  return false;
}

/** The index of the range that contains a message, among adjacent ranges in order; -1 when there is none. */
export function findHolding(ranged: readonly { readonly range: MessageRange }[], id: MessageId): number {
  let low = 0;
  for (let high = ranged.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((ranged[middle]?.range.to ?? id) < id) low = middle + 1;
    else high = middle;
  }
  return (ranged[low]?.range.from ?? id + 1) <= id ? low : -1;
}

/** The number of raw messages in a range. */
export function rangeLength(range: MessageRange): number {
  return range.to - range.from + 1;
}

/** Every raw message of a block, strays included, in order. */
export function blockMessages(block: Block): readonly Message[] {
  if (block.kind !== 'tools' || block.strays.length === 0) return block.messages;
  return [...block.messages, ...block.strays].sort((left, right) => left.id - right.id);
}
