import type { ChatMessage, ChatPart } from '../../messages/chat.ts';

/** True when two messages are identical apart from cache marks. Comparing texts costs a tenth of a fingerprint. */
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

function isSamePart({ cache_control: _, ...one }: ChatPart, other: ChatPart | undefined): boolean {
  return other !== undefined && isSameData(one, withoutMark(other));
}

function withoutMark({ cache_control: _, ...part }: ChatPart): Omit<ChatPart, 'cache_control'> {
  return part;
}

function isSameData(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [entries, others] = [Object.entries(one), Object.entries(other)];
  return (
    entries.length === others.length &&
    entries.every(([name, value], index) => name === others[index]?.[0] && isSameData(value, others[index][1]))
  );
}
