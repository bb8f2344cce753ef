import { readInput } from '../../core/chat/parse.ts';
import type { ChatMessage, ChatToolCall } from '../../core/chat/wire.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How many replies have their fields kept. */
const MOST_KEPT = 1_000;

/**
 * Keeps the fields of replies that VS Code's chat drops (reasoning, thought signatures), since some servers refuse a
 * request without them. They are restored to the same message of the same conversation while the window is open.
 */
export class ReplyFields {
  /** The fields of a reply that VS Code does not keep, and those of each of its calls; oldest first. */
  readonly #kept = new Map<string, { readonly message: Fields; readonly calls: readonly Fields[] }>();

  /** Keeps the fields of a reply. `hint`: the conversation, if it is known. */
  keep(reply: ChatMessage, hint: string | undefined): void {
    const message = otherFields(reply, ['role', 'content', 'tool_calls']);
    const calls = (reply.tool_calls ?? []).map((call) => otherFields(call, ['id', 'type', 'function']));
    if ([message, ...calls].every((fields) => Object.keys(fields).length === 0)) return;
    const key = keyOf(reply, hint);
    this.#kept.delete(key);
    this.#kept.set(key, { message, calls });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** The messages of a request, with the fields that belong to them. */
  restore(messages: readonly ChatMessage[], hint: string | undefined): ChatMessage[] {
    return messages.map((message) => {
      const kept = message.role === 'assistant' ? this.#kept.get(keyOf(message, hint)) : undefined;
      if (kept === undefined) return message;
      const calls = message.tool_calls?.map((call, index): ChatToolCall => ({ ...kept.calls[index], ...call }));
      return { ...kept.message, ...message, ...(calls !== undefined && { tool_calls: calls }) };
    });
  }
}

function otherFields(value: object, known: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !known.includes(name)));
}

/** Identifies a reply by what VS Code returns of it: its text and its calls. */
function keyOf({ content, tool_calls: calls = [] }: ChatMessage, hint: string | undefined): string {
  const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
  return JSON.stringify([
    hint,
    text,
    calls.map(({ id, function: { name, arguments: args } }) => [id, name, readInput(args)]),
  ]);
}
