import type { ChatMessage, ChatPart, ChatTool, ChatToolCall } from '../../../core/messages/chat.ts';
import { type Fields, isFields } from '../../openai/mergeFields.ts';

/** What a model said, in chat completions; `others`: parts that these do not have. */
interface Said {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly ChatToolCall[];
  readonly others: readonly ChatPart[];
}

/** The message of a model. */
export function modelMessage({ text, thought, calls, others }: Said): ChatMessage {
  return {
    role: 'assistant',
    content: others.length > 0 ? [{ type: 'text', text }, ...others] : text || null,
    ...(thought !== '' && { reasoning_content: thought }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Parts as the content of a message: a text alone is no list, and nothing an empty text. */
export function contentOf(parts: readonly ChatPart[]): string | ChatPart[] {
  const [only = { type: 'text', text: '' }] = parts;
  return parts.length < 2 && typeof only.text === 'string' ? only.text : [...parts];
}

/** The texts of parts; what has none is left out. */
export function textOf(parts: unknown, between = ''): string {
  if (!Array.isArray(parts)) return '';
  return parts.flatMap((part) => (isFields(part) && typeof part.text === 'string' ? [part.text] : [])).join(between);
}

/** A function that a model may call. */
export function functionTool(name: string, description: unknown, parameters: Fields): ChatTool {
  const about = typeof description === 'string' ? { description } : {};
  return { type: 'function', function: { name, ...about, parameters } };
}
