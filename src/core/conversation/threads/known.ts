import type { ChatMessage } from '../../messages/chat.ts';
import type { MessageId } from '../../messages/message.ts';
import type { Steps } from '../../steps.ts';
import { type Fingerprint, fingerprintsInSteps } from './fingerprint.ts';

/** A message that the client has sent: its fingerprint, and its id in the transcript. */
export interface SentMessage {
  readonly print: Fingerprint;
  readonly id: MessageId;
}

/** Marks messages that only Karl and the model exchanged. */
const HIDDEN = 'karl_hidden';

/** Marks a message as one that the client never sees. */
export function markHidden(message: ChatMessage): ChatMessage {
  return { ...message, [HIDDEN]: true };
}

/** True for a message that the client never sees. */
export function isHidden(message: ChatMessage): boolean {
  return message[HIDDEN] === true;
}

/** Whether a message has the system or developer role. */
export function isPrompt({ role }: Pick<ChatMessage, 'role'>): boolean {
  return role === 'system' || role === 'developer';
}

/** How many messages at the beginning of a transcript or a request are its system prompt. */
export function promptLength(messages: readonly Pick<ChatMessage, 'role'>[]): number {
  const end = messages.findIndex((message) => !isPrompt(message));
  return end < 0 ? messages.length : end;
}

/** The ids of the messages of a transcript that its client knows: all but the prompt and the hidden ones. */
export function visibleIds(messages: readonly ChatMessage[]): readonly MessageId[] {
  const start = promptLength(messages);
  return messages.flatMap((message, id) => (id < start || isHidden(message) ? [] : [id]));
}

/** The messages of a transcript that its client knows, with fingerprints. */
export function* sentMessages(messages: readonly ChatMessage[]): Steps<SentMessage[]> {
  const ids = visibleIds(messages);
  const prints = yield* fingerprintsInSteps(ids.map((id) => asSent(messages, id)));
  return ids.map((id, index) => ({ id, print: prints[index] ?? 0 }));
}

/** A message of a transcript as the client got or sent it: without calls that Karl answered itself. */
export function asSent(messages: readonly ChatMessage[], id: MessageId): ChatMessage {
  const message = messages[id];
  if (message === undefined) throw new RangeError(`there is no message ${id}`);
  const { tool_calls: calls, ...rest } = message;
  const next = messages[id + 1];
  if (calls === undefined || next === undefined || !isHidden(next)) return message;
  const own = new Set<unknown>();
  for (let after = id + 1; isHidden(messages[after] ?? rest); after += 1) own.add(messages[after]?.tool_call_id);
  const sent = calls.filter((call) => !own.has(call.id));
  return sent.length === 0 ? rest : { ...rest, tool_calls: sent };
}
