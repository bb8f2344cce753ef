import type { Message, MessageRange } from '../../core/messages/message.ts';
import { findToolName } from './messages.ts';

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
    .map((message) => writeMessage(message, findToolName(message.id, messages)))
    .join('\n\n');
}

function writeMessage(message: Message, toolName: string | undefined): string {
  const speaker = `${SPEAKERS[message.role]}${toolName === undefined ? '' : ` of ${toolName}`}`;
  const calls = message.role === 'assistant' ? message.calls : [];
  const parts = [message.text, ...calls.map((call) => `Call of ${call.name}\n${call.arguments}`)];
  return `[t${message.id}] ${speaker}\n\n${parts.filter((part) => part !== '').join('\n\n')}`;
}
