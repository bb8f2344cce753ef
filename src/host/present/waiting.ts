import { type Attachment, readAttachments } from '../../core/messages/attachments.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import type { UserContent } from '../../core/session/turnContext.ts';
import type { MessageEntry } from '../../protocol/entries.ts';
import { presentAttached } from './attachments.ts';
import type { PresentedConversation } from './presenter.ts';
import { cut, LONGEST_TEXT } from './rows.ts';

/** A message that was sent and is neither in the conversation nor in its queue yet. */
export interface WaitingMessage {
  readonly key: string;
  /** The conversation that it was written in, where one was open. */
  readonly of?: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The whole message, to be counted: the same object each time. */
  readonly wire: ChatMessage;
  /** The agent was busy when it was sent: it will be in the queue. */
  readonly isQueued: boolean;
}

/** The rows of messages that are not sent yet, after the last message. */
export function presentWaiting(
  waiting: readonly WaitingMessage[],
  { conversation, count }: Pick<PresentedConversation, 'conversation' | 'count'>,
): MessageEntry[] {
  const next = conversation.transcript.messages.length;
  return waiting
    .filter(({ isQueued }) => !isQueued)
    .map(({ key, text, attachments, wire }, index) => ({
      kind: 'message',
      key,
      id: next + index,
      role: 'user',
      text: cut(text, LONGEST_TEXT),
      truncated: false,
      ...(attachments.length > 0 && { attached: attachments.map(presentAttached) }),
      tokens: count(wire),
      sent: 'whole',
      pinned: false,
      streaming: false,
      unrecorded: true,
      interrupted: false,
    }));
}

/** What the queue shows of a message as it is sent. */
export function describeContent(content: UserContent): string {
  const { typed, attachments } = readAttachments(content);
  return describeQueued(typed, attachments);
}

/** What the queue shows of a message. */
export function describeQueued(text: string, attachments: readonly Attachment[]): string {
  return attachments.length === 0 ? text : `${text} (+ ${attachments.length})`;
}
