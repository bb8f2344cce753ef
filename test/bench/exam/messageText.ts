import type { ChatMessage } from '../../../src/engine.ts';

/** Characters for one token: the exam's targets are set with this, so that they do not depend on any counter. */
export const CHARACTERS_PER_TOKEN = 3.6;

/** What a message says. */
export function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => ('text' in part ? String(part.text) : '')).join('\n') : '';
}

/** The calls of a message, a line each. */
export function callsOf(message: ChatMessage): string {
  return (message.tool_calls ?? []).map((call) => `\n  CALL ${call.function.name} ${call.function.arguments}`).join('');
}

/** Messages as a reader of the exam sees them. */
export function printMessages(messages: readonly ChatMessage[]): string {
  return messages.map((message) => `=== ${message.role}\n${textOf(message)}${callsOf(message)}`).join('\n\n');
}

/** Tokens of messages, estimated. */
export function estimateTokens(messages: readonly ChatMessage[]): number {
  const characters = messages.reduce((sum, message) => sum + textOf(message).length + callsOf(message).length, 0);
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
