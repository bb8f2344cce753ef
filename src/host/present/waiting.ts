import type { MessageEntry } from '../../protocol/entries.ts';
import type { PresentedConversation } from './presenter.ts';
import { cut, LONGEST_TEXT } from './rows.ts';

/** The row of a message that is not sent yet, after the last message. */
export function presentWaiting(
  text: string,
  { conversation, count }: Pick<PresentedConversation, 'conversation' | 'count'>,
): MessageEntry {
  return {
    kind: 'message',
    key: 'waiting',
    id: conversation.transcript.messages.length,
    role: 'user',
    text: cut(text, LONGEST_TEXT),
    truncated: false,
    tokens: count({ role: 'user', content: text }),
    sent: 'whole',
    pinned: false,
    streaming: false,
    unrecorded: true,
    interrupted: false,
  };
}
