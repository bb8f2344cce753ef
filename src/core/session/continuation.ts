import { findFault } from '../chat/parse.ts';
import type { Transcript } from '../chat/transcript.ts';
import type { ChatMessage } from '../chat/wire.ts';
import type { UserContent } from './turnContext.ts';

/** Marks a reply that broke off. Fields with the prefix `karl_` stay in the transcript and are never sent. */
export const INTERRUPTED_FIELD = 'karl_interrupted';

/** Continues after a reply that broke off. Recognised as written by a client, not by the human. */
export const CONTINUE = '[Request interrupted] Continue where the last reply broke off.';

/** The result of calls whose turn ended before their results were recorded. */
export const NOT_RECORDED = 'did not finish: the session stopped before a result was recorded';

/**
 * The message for the part of a reply, `text`, that had arrived when a session died; undefined if the conversation has
 * gone on since, or no reply is due. `after`: the number of messages before it.
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
 * The messages to append before an interrupted turn can go on; undefined if the last reply is complete or nothing was ever
 * asked. Servers refuse requests that end with a reply or with calls without results.
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

/** Reads the stored queue of an earlier session, without anything that is no valid user message. */
export function readQueued(stored: unknown): readonly UserContent[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(
    (content: unknown): content is UserContent => findFault({ role: 'user', content }) === undefined,
  );
}
