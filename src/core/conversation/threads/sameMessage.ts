import type { ChatMessage, ChatPart } from '../../messages/chat.ts';
import { parseJson } from '../../messages/parseJson.ts';

/**
 * The field by which clients mark messages for their provider's prompt cache. Marks move with each request, so the
 * transcript has none.
 */
const MARK = 'cache_control';

/** The message without marks; the same object when it has none. */
export function withoutMarks(message: ChatMessage): ChatMessage {
  const { content } = message;
  const hasMarkedPart = typeof content === 'object' && content?.some((part) => MARK in part) === true;
  if (message[MARK] === undefined && !hasMarkedPart) return message;
  const { [MARK]: _, ...rest } = message;
  const parts = hasMarkedPart ? { content: content.map(({ [MARK]: __, ...part }) => part) } : {};
  return { ...rest, ...parts } as ChatMessage;
}

/**
 * Whether two messages say the same: role, name, text and other parts, calls with ids, the call of a result. Differences
 * without a meaning do not count: a text as a string or as parts, white space at line ends, how the arguments of a call
 * are written, cache marks, unknown fields.
 */
export function isSameMessage(one: ChatMessage, other: ChatMessage): boolean {
  return one === other || isVerbatim(one, other) || canonical(one) === canonical(other);
}

/** The usual case, without making anything. */
function isVerbatim(one: ChatMessage, other: ChatMessage): boolean {
  const [calls, others] = [one.tool_calls ?? [], other.tool_calls ?? []];
  return (
    one.role === other.role &&
    one.name === other.name &&
    one.tool_call_id === other.tool_call_id &&
    typeof one.content !== 'object' &&
    one.content === other.content &&
    calls.length === others.length &&
    calls.every(
      (call, index) =>
        call.id === others[index]?.id &&
        call.function.name === others[index].function.name &&
        call.function.arguments === others[index].function.arguments,
    )
  );
}

/** What a message says, as one text. */
function canonical({ role, name, content, tool_calls: calls = [], tool_call_id: callId }: ChatMessage): string {
  const said = typeof content === 'string' ? [content] : (content ?? []).map(partText);
  return JSON.stringify([
    role === 'developer' ? 'system' : role,
    role === 'user' ? (name ?? '') : '',
    said.filter((part) => part !== '').map(withoutLineEnds),
    calls.map((call) => [call.id, call.function.name, inOrder(argumentsOf(call.function.arguments))]),
    callId ?? '',
  ]);
}

/** The text of a part, or the part itself as JSON: an image. */
function partText({ [MARK]: _, ...part }: ChatPart): string {
  return typeof part.text === 'string' && part.type === 'text' ? part.text : JSON.stringify(inOrder(part));
}

/** Joined line by line, since an expression for white space before a line end takes too long on much white space. */
function withoutLineEnds(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}

function argumentsOf(text: string): unknown {
  return text.trim() === '' ? {} : (parseJson(text) ?? text);
}

/** A JSON value with the keys of its objects in order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, inOrder(item)]),
  );
}
