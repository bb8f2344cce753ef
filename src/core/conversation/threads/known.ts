import type { ChatMessage } from '../../messages/chat.ts';
import type { MessageId } from '../../messages/message.ts';
import type { Steps } from '../../steps.ts';
import { type Fingerprint, fingerprintsInSteps } from './fingerprint.ts';

/** A message that the client has sent: its fingerprint, and its id in the transcript. */
export interface Known {
  readonly print: Fingerprint;
  readonly id: MessageId;
  /**
   * Whether the fingerprint is that of the transcript's message, that is, whether the client has not cleared or changed
   * it since.
   */
  readonly isRaw: boolean;
}

/** Marks messages that only Karl and the model exchanged. Fields with this prefix are never sent. */
const HIDDEN = 'karl_hidden';

/** Marks a message as one that the client never sees. */
export function hide(message: ChatMessage): ChatMessage {
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

/** The messages of a transcript that its client knows: all but the prompt and the hidden ones. */
export function* knownOf(messages: readonly ChatMessage[]): Steps<Known[]> {
  const start = promptLength(messages);
  const ids = messages.flatMap((message, id) => (id < start || isHidden(message) ? [] : [id]));
  const prints = yield* fingerprintsInSteps(ids.map((id) => asSent(messages, id)));
  return ids.map((id, index) => ({ id, print: prints[index] ?? 0, isRaw: true }));
}

/** The message as the client got it: without calls that Karl answered itself. */
function asSent(messages: readonly ChatMessage[], id: MessageId): ChatMessage {
  const message = messages[id];
  if (message === undefined) throw new RangeError(`there is no message ${id}`);
  if (message.tool_calls === undefined) return message;
  const own = new Set(hiddenAfter(messages, id).map((result) => result.tool_call_id));
  const { tool_calls: calls, ...rest } = message;
  const sent = calls.filter((call) => !own.has(call.id));
  return sent.length === 0 ? rest : { ...rest, tool_calls: sent };
}

/** The hidden messages directly after one. */
export function hiddenAfter(messages: readonly ChatMessage[], id: MessageId): readonly ChatMessage[] {
  let end = id + 1;
  for (let next = messages[end]; next !== undefined && isHidden(next); next = messages[end]) end += 1;
  return messages.slice(id + 1, end);
}
