import type { ChatMessage } from '../messages/chat.ts';
import type { Message, MessageId, MessageRange } from '../messages/message.ts';
import { contentText } from '../messages/parse.ts';

/**
 * What is sent in place of each raw message of a range that is sent shortened, also where it is sent as it came. The
 * order is the same; a result without a call has nothing there.
 */
export function sentForms(
  raw: readonly Message[],
  sent: readonly ChatMessage[],
): ReadonlyMap<MessageId, { readonly wire: ChatMessage; readonly isShortened: boolean }> {
  const forms = new Map<MessageId, { wire: ChatMessage; isShortened: boolean }>();
  let next = 0;
  for (const message of raw) {
    const wire = sent[next];
    if (wire === undefined) break;
    if (wire.role !== message.wire.role || wire.tool_call_id !== message.wire.tool_call_id) continue;
    forms.set(message.id, { wire, isShortened: !isAsItCame(wire, message.wire) });
    next += 1;
  }
  return forms;
}

/**
 * How many messages of a range, or of a part of it, are shortened: the words before a result that is cut are sent in
 * full.
 */
export function countShortened(raw: readonly Message[], sent: readonly ChatMessage[], part?: MessageRange): number {
  const { from, to } = part ?? { from: 0, to: Number.POSITIVE_INFINITY };
  return [...sentForms(raw, sent)].filter(([id, { isShortened }]) => isShortened && from <= id && id <= to).length;
}

function isAsItCame(one: ChatMessage, other: ChatMessage): boolean {
  const [calls = [], others = []] = [one.tool_calls, other.tool_calls];
  return (
    one === other ||
    (contentText(one) === contentText(other) &&
      calls.every((call, index) => call.function.arguments === others[index]?.function.arguments))
  );
}
