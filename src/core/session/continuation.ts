import type { ChatMessage } from '../messages/chat.ts';
import type { Transcript } from '../messages/transcript.ts';
import { CONTINUE, INTERRUPTED_FIELD } from './interrupted.ts';

/** The result of calls whose turn ended before their results were recorded. */
const NOT_RECORDED = 'not run to its end: the session stopped before a result was recorded';

/**
 * The message for what had arrived of a reply, `text`, when a session ended without a word; undefined when the
 * conversation has gone on since, or no reply is due. `after`: how many messages were before it.
 */
export function interruptedReply(
  { blocks, messages }: Pick<Transcript, 'blocks' | 'messages'>,
  { after, text }: { readonly after: number; readonly text: string },
): ChatMessage | undefined {
  const last = blocks.at(-1);
  const isDue = last?.kind === 'user' || (last?.kind === 'tools' && !last.open);
  if (!isDue || messages.length !== after || text.trim() === '') return undefined;
  return { role: 'assistant', content: text, [INTERRUPTED_FIELD]: true };
}

/**
 * What must be appended before an interrupted turn can go on; undefined when the last reply is complete, or nothing was
 * ever asked. Servers refuse a request that ends with a reply, or with calls that have no result.
 */
export function planContinuation(transcript: Pick<Transcript, 'blocks'>): readonly ChatMessage[] | undefined {
  const block = transcript.blocks.at(-1);
  if (block === undefined || block.kind === 'system') return undefined;
  if (block.kind === 'tools' && block.open) {
    return block.unanswered.map((call) => ({ role: 'tool', tool_call_id: call.id, content: NOT_RECORDED }));
  }
  if (block.kind !== 'assistant') return [];
  return block.messages[0].wire[INTERRUPTED_FIELD] === true ? [{ role: 'user', content: CONTINUE }] : undefined;
}
