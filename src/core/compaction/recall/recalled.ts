import { describeUse } from '../../ledger/describe.ts';
import { readBlock } from '../../ledger/reading.ts';
import { type Block, findHolding } from '../../messages/blocks.ts';
import type { MessageId } from '../../messages/message.ts';
import type { Transcript } from '../../messages/transcript.ts';

/** Raw content behind a handle. */
export interface Recalled {
  readonly handle: string;
  /** What it is, in a few words: `user`, `npm test · exit 1 · 212 lines`. */
  readonly what: string;
  readonly text: string;
}

/** The answer to one recall request. */
export interface RecallAnswer {
  /** `opened`: each text is what is behind a handle; `searched`: excerpts, best first. */
  readonly kind: 'opened' | 'searched';
  /** A sentence on what was not found and what to try instead; always there when nothing was found. */
  readonly notice?: string;
  readonly found: readonly Recalled[];
}

/** The block that contains a message; undefined when there is no such message. */
export function blockOf({ blocks }: Transcript, id: MessageId): Block | undefined {
  return blocks[findHolding(blocks, id)];
}

/**
 * Says in a few words what a message is: who speaks or, for a call and its result, what the tool was used for and how
 * it went.
 */
export function describeMessage(block: Block, id: MessageId, call?: number): string {
  if (block.kind === 'system') return 'system';
  if (block.kind === 'user') return block.messages[0].by === 'client' ? 'client' : 'user';
  if (block.kind === 'assistant') return 'agent';
  if (block.kind === 'stray') return 'result without a call';
  const { uses } = readBlock(block);
  const use = id === block.range.from ? uses[call ?? -1] : uses.find(({ result }) => result?.at === id);
  if (use !== undefined) return oneLine(describeUse(use));
  return id === block.range.from ? 'agent' : 'result without a call';
}

/** What an agent or a client wrote, as part of a label: it ends neither the label nor its line. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]/gu, ' ')
    .replaceAll('[', '(')
    .replaceAll(']', ')');
}

/** An answer as texts with their handles; a notice becomes the first line, or a text of its own without a handle. */
export function recalledTexts({ kind, notice, found }: RecallAnswer): { handle: string; text: string }[] {
  const texts = found.map(({ handle, what, text }) => ({
    handle,
    text: kind === 'opened' ? text : `${what}\n${text}`,
  }));
  const [first] = texts;
  if (notice !== undefined && first !== undefined) first.text = `${notice}\n${first.text}`;
  return notice !== undefined && first === undefined ? [{ handle: '', text: notice }] : texts;
}
