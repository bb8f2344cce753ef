/** Messages as they are sent: OpenAI's chat-completions format with unknown fields, never rebuilt from parts. */

/** One part of a multi-part content (`text`, `image_url`, ...). Unknown part types pass through untouched. */
export interface ChatPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A function call made by the model. `arguments` is the text that the model wrote; it need not be JSON. */
export interface ChatToolCall {
  readonly id: string;
  readonly type?: string;
  readonly function: { readonly name: string; readonly arguments: string };
  readonly [field: string]: unknown;
}

/** One chat-completions message, with whatever other fields the server or client added. */
export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content?: string | readonly ChatPart[] | null;
  readonly tool_calls?: readonly ChatToolCall[];
  readonly tool_call_id?: string;
  readonly name?: string;
  readonly [field: string]: unknown;
}

/** The fields in which servers put reasoning, in the order in which they are looked for. */
const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const;

/** The model's reasoning in a message or in a delta of one, if its server reports it as text. */
export function readReasoning(fields: Readonly<Record<string, unknown>>): string | undefined {
  for (const field of REASONING_FIELDS) {
    const value = fields[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** Fields with this prefix are Karl's own: stored with the message, never sent. */
export const OWN_FIELD = 'karl_';

/** A message without Karl's own fields, except the one named `stays`. */
export function withoutOwn(message: ChatMessage, stays = ''): ChatMessage {
  const isOwn = (name: string): boolean => name.startsWith(OWN_FIELD) && name !== stays;
  if (!Object.keys(message).some(isOwn)) return message;
  return Object.fromEntries(Object.entries(message).filter(([name]) => !isOwn(name))) as ChatMessage;
}

/** A tool definition as it is sent with a request. */
export interface ChatTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: Record<string, unknown>;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** Token usage as a chat-completions server reports it. Absent figures are unknown, never 0. */
export interface Usage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly total_tokens?: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null;
  readonly [field: string]: unknown;
}

/** A deep copy of JSON-like data, which a caller's later changes do not affect. Other values stay as they are. */
export function copyData<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyData) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyData(item)])) as Value;
}
