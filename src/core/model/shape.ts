import type { ChatMessage, ChatPart } from '../chat/wire.ts';
import type { ModelProfile } from './profile.ts';

/**
 * Adapts messages to the model's server: the role of the system prompt and, if the profile demands it, alternating roles
 * (joins adjacent user texts and adjacent assistant texts). Returns the same array if there is nothing to adapt.
 */
export function shapeForProfile(messages: readonly ChatMessage[], profile: ModelProfile): readonly ChatMessage[] {
  const named = profile.systemRole === undefined ? messages : renameSystem(messages, profile.systemRole);
  return profile.roles === 'alternating' ? alternateRoles(named) : named;
}

function renameSystem(messages: readonly ChatMessage[], role: 'system' | 'developer' | 'user'): readonly ChatMessage[] {
  return messages.map((message) =>
    (message.role === 'system' || message.role === 'developer') && message.role !== role
      ? { ...message, role }
      : message,
  );
}

/** Joins adjacent texts of one role, for chat templates that refuse two messages of one role in a row. */
export function alternateRoles(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const result: ChatMessage[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    const joinable = message.role === 'user' || (message.role === 'assistant' && message.tool_calls === undefined);
    if (last !== undefined && joinable && last.role === message.role && last.tool_calls === undefined) {
      result[result.length - 1] = { ...last, content: joinContent(last.content, message.content) };
      continue;
    }
    if (message.role === 'assistant' && (last === undefined || last.role === 'system' || last.role === 'developer')) {
      result.push({ role: 'user', content: '[the conversation continues]' });
    }
    result.push(message);
  }
  return result;
}

function joinContent(first: ChatMessage['content'], second: ChatMessage['content']): string | readonly ChatPart[] {
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  return [...toParts(first), ...toParts(second)];
}

function toParts(content: ChatMessage['content']): readonly ChatPart[] {
  if (content === null || content === undefined) return [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
