import type { ViewState } from '../protocol/viewState.ts';
import { formatTokens } from './format.ts';

/** Longer replies are announced by their beginning, characters: the rest is read where it stands. */
const LONGEST = 2000;

/**
 * What a screen reader is told, politely, when `next` follows `shown`: replies that are finished and compressions that
 * ended. Empty when there is nothing to tell, as when another conversation is opened or earlier messages are loaded.
 */
export function announce(shown: ViewState | undefined, next: ViewState): string {
  if (shown?.conversation === undefined || shown.conversation.id !== next.conversation?.id) return '';
  const newest = Math.max(-1, ...shown.messages.filter(({ streaming }) => !streaming).map(({ id }) => id));
  const replies = next.messages
    .filter(({ id, role, text, streaming }) => role === 'assistant' && !streaming && id > newest && text.trim() !== '')
    .map(({ text }) => text.trim().slice(0, LONGEST).toWellFormed());
  const known = new Set(shown.summaries.map(({ id }) => id));
  const compressions = next.summaries
    .filter(({ id }) => !known.has(id))
    .map(({ before, after }) => `Compressed from ${formatTokens(before)} to ${formatTokens(after)} tokens.`);
  return [...compressions, ...replies].join('\n');
}
