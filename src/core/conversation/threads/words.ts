import type { ChatMessage } from '../../messages/chat.ts';
import { splitUserText, writerOf } from '../../messages/human.ts';
import { contentText } from '../../messages/parse.ts';
import { fingerprintsOf } from './fingerprint.ts';

/** True for a message that the human wrote, by the same rule as in sessions. */
export function isHuman(message: ChatMessage): boolean {
  return message.role === 'user' && writerOf(message, contentText(message)) === 'human';
}

/** What the human typed in a message, on one line; '' when a client made all of it. */
export function typedWords(message: ChatMessage): string {
  return (splitUserText(message, contentText(message)).typed ?? '').replace(/\s+/gu, ' ').trim();
}

/**
 * True when two messages at one place say different things: other words of the human, other calls or another text of
 * the model. Text that clients put around the human's words, results, and a text that was only cut do not count.
 */
export function isReworded(known: ChatMessage, now: ChatMessage): boolean {
  if (known.role === 'user') return typedWords(known) !== typedWords(now);
  if (known.role !== 'assistant') return false;
  const [one, other] = [contentText(known).trim(), contentText(now).trim()];
  return callsPrint(known) !== callsPrint(now) || !(one.includes(other) || other.includes(one));
}

function callsPrint({ tool_calls: calls }: ChatMessage): number | undefined {
  return calls === undefined ? undefined : fingerprintsOf([{ role: 'assistant', tool_calls: calls }])[0];
}

/** A run of letters and digits as servers draw them at random: nobody else produces the same one. */
const DRAWN = /(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{9,}/i;

/** True when both have a call with the same randomly drawn id: one is a copy of the other. */
export function isCopy(known: ChatMessage, now: ChatMessage): boolean {
  const ids = new Set(known.tool_calls?.map((call) => call.id));
  return now.tool_calls?.some(({ id, function: { name } }) => ids.has(id) && DRAWN.test(id.replace(name, ''))) === true;
}

/** The human's first words, as a title for a thread. */
export function titleOf(messages: readonly ChatMessage[]): string {
  const first = messages.find(isHuman) ?? messages.find(({ role }) => role === 'user');
  if (first === undefined) return '';
  return (typedWords(first) || contentText(first).replace(/\s+/gu, ' ').trim()).slice(0, 80);
}
