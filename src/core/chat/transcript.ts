import { type Block, SingleBlock, type ToolsBlock } from './blocks.ts';
import type { Message, MessageId, ToolMessage } from './message.ts';

/** A transcript that is only read. */
export type ReadTranscript = Pick<Transcript, 'messages' | 'blocks'>;

/**
 * The raw conversation: append-only, never edited, the single source of truth.
 *
 * Blocks are updated as messages arrive. Only an open last block ever changes, since a compaction may have replaced a
 * closed one; a result that comes after every call is answered becomes a stray block. Results are the tool messages
 * directly after their calls, so ids need to be unique only within a block (calls with the same id take results in order).
 */
export class Transcript {
  readonly #messages: Message[] = [];
  readonly #blocks: Block[] = [];

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  /** The id that the next appended message must carry. */
  get nextId(): MessageId {
    return this.#messages.length;
  }

  /** Copies another transcript into this empty one. The lists stay the same objects, since readers keep them. */
  beginWith({ messages, blocks }: ReadTranscript): void {
    for (const message of messages) this.#messages.push(message);
    for (const block of blocks) this.#blocks.push(block);
  }

  /** Appends one message; its id must be `nextId`. */
  append(message: Message): void {
    if (message.id !== this.#messages.length) {
      throw new Error(`message id ${message.id} appended at position ${this.#messages.length}`);
    }
    this.#messages.push(message);
    const last = this.#blocks.at(-1);
    if (message.role === 'tool' && last?.kind === 'tools' && last.open) {
      this.#blocks[this.#blocks.length - 1] = takeResult(last, message);
      return;
    }
    if (last?.kind === 'tools' && last.open) this.#blocks[this.#blocks.length - 1] = { ...last, open: false };
    this.#blocks.push(newBlock(message));
  }
}

function newBlock(message: Message): Block {
  switch (message.role) {
    case 'system':
      return new SingleBlock('system', message);
    case 'user':
      return new SingleBlock('user', message);
    case 'tool':
      return new SingleBlock('stray', message);
    case 'assistant': {
      if (message.calls.length === 0) return new SingleBlock('assistant', message);
      const range = { from: message.id, to: message.id };
      return { kind: 'tools', range, messages: [message], open: true, unanswered: message.calls, strays: [] };
    }
  }
}

function takeResult(block: ToolsBlock, result: ToolMessage): ToolsBlock {
  const range = { from: block.range.from, to: result.id };
  const index = block.unanswered.findIndex((call) => call.id === result.callId);
  if (index < 0) return { ...block, range, strays: [...block.strays, result] };
  const unanswered = block.unanswered.filter((_, position) => position !== index);
  return { ...block, range, messages: [...block.messages, result], unanswered, open: unanswered.length > 0 };
}
