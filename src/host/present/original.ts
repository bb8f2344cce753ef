import { handleOf } from '../../core/messages/handle.ts';
import type { Message, MessageRange } from '../../core/messages/message.ts';
import { contentText } from '../../core/messages/parse.ts';
import { type Item, type SentMessage, sentBlocks } from './sent.ts';
import { noteText } from './summaryText.ts';
import { findToolName } from './toolName.ts';

const SPEAKERS: Readonly<Record<Message['role'], string>> = {
  system: 'System prompt',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool result',
};

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
        return item.messages.length === 0 ? [] : [`[${handleOf(item.range)}] Summary\n\n${noteText(item.messages)}`];
      return sentBlocks(item).flatMap((block) => block.messages.map((one) => writeMessage(one, messages)));
    })
    .join('\n\n');
}

function writeMessage({ message, wire }: SentMessage, messages: readonly Message[]): string {
  const toolName = findToolName(message.id, messages);
  const speaker = `${SPEAKERS[message.role]}${toolName === undefined ? '' : ` of ${toolName}`}`;
  const calls = message.role === 'assistant' ? message.calls : [];
  const parts = [
    wire === undefined ? message.text : contentText(wire),
    ...calls.map((call, index) => {
      const given = wire?.tool_calls?.[index]?.function.arguments ?? call.arguments;
      return `Call of ${call.name}\n${given}`;
    }),
  ];
  return `[t${message.id}] ${speaker}\n\n${parts.filter((part) => part !== '').join('\n\n')}`;
}
