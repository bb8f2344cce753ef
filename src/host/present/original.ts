import { t } from '../../core/language.ts';
import { handleOf } from '../../core/messages/handle.ts';
import type { Message, MessageRange } from '../../core/messages/message.ts';
import { contentText } from '../../core/messages/parse.ts';
import { type Item, type SentMessage, sentBlocks } from './sent.ts';
import { noteText } from './summaryText.ts';
import { findToolName } from './toolName.ts';

function speakerOf(role: Message['role'], toolName: string | undefined): string {
  switch (role) {
    case 'system':
      return t('System prompt');
    case 'user':
      return t('User');
    case 'assistant':
      return t('Assistant');
    case 'tool':
      return toolName === undefined ? t('Tool result') : t('Tool result of {0}', toolName);
  }
}

/** The messages of a range as they came, each under its handle and speaker. What is beyond the transcript is left out. */
export function writeOriginal(messages: readonly Message[], { from, to }: MessageRange): string {
  return messages
    .slice(from, to + 1)
    .map((message) => writeMessage({ message, sent: 'whole' }, messages))
    .join('\n\n');
}

/** A view as the model reads it: messages whole or shortened under their handles, and what stands for the others. */
export function writeView(items: readonly Item[], messages: readonly Message[]): string {
  return items
    .flatMap((item) => {
      if (item.kind === 'replaced' && item.replacement.by.kind !== 'shortened')
        return item.messages.length === 0
          ? []
          : [`[${handleOf(item.range)}] ${t('Summary')}\n\n${noteText(item.messages)}`];
      return sentBlocks(item).flatMap((block) => block.messages.map((one) => writeMessage(one, messages)));
    })
    .join('\n\n');
}

function writeMessage({ message, wire }: SentMessage, messages: readonly Message[]): string {
  const speaker = speakerOf(message.role, findToolName(message.id, messages));
  const calls = message.role === 'assistant' ? message.calls : [];
  const parts = [
    wire === undefined ? message.text : contentText(wire),
    ...calls.map((call, index) => {
      const given = wire?.tool_calls?.[index]?.function.arguments ?? call.arguments;
      return `${t('Call of {0}', call.name)}\n${given}`;
    }),
  ];
  return `[t${message.id}] ${speaker}\n\n${parts.filter((part) => part !== '').join('\n\n')}`;
}
