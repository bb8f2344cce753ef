import type { ChatMessage, ChatPart } from '../../messages/chat.ts';

/** True when two messages say the same letter by letter. A comparison of texts costs a tenth of a fingerprint. */
export function isVerbatim(one: ChatMessage, other: ChatMessage): boolean {
  if (one === other) return true;
  const { role, name, tool_call_id: callId, tool_calls: calls = [] } = one;
  if (role !== other.role || name !== other.name || callId !== other.tool_call_id) return false;
  const others = other.tool_calls ?? [];
  return (
    calls.length === others.length &&
    isSameContent(one.content ?? '', other.content ?? '') &&
    calls.every(
      (call, index) =>
        call.id === others[index]?.id &&
        call.function.name === others[index].function.name &&
        call.function.arguments === others[index].function.arguments,
    )
  );
}

type Content = NonNullable<ChatMessage['content']>;

function isSameContent(one: Content, other: Content): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.length === other.length && one.every((part, index) => isSamePart(part, other[index]));
}

/** Parts that are no text are compared by fingerprint. */
function isSamePart(one: ChatPart, other: ChatPart | undefined): boolean {
  return one.type === 'text' && other?.type === 'text' && one.text === other.text;
}
