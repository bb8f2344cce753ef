import { contentText } from '../../../core/chat/parse.ts';
import type { ChatMessage, ChatPart, ChatTool, ChatToolCall } from '../../../core/chat/wire.ts';
import type { AnswerChunk, ModelDelta, ModelReply, ModelRequest } from '../../../core/model/modelClient.ts';
import { type Fields, isFields } from '../../fields.ts';
import { TOOL_FIELDS } from '../../openai/requestBody.ts';

/** Called with what chat completions cannot express, in a few words. */
export type Losses = (what: string) => void;

/** Makes the events of the client's API from a reply as it arrives. */
export abstract class ReplyEvents {
  /** The events that were not sent yet. */
  readonly events: AnswerChunk[] = [];
  #hasBegun = false;

  abstract take(delta: ModelDelta): void;
  abstract end(reply: ModelReply): void;

  /** Begins the answer with an event, unless it has begun. */
  protected begin(first: () => AnswerChunk): void {
    if (!this.#hasBegun) this.events.push(first());
    this.#hasBegun = true;
  }
}

/** A message without parts that chat completions do not have. Text parts become one string, which every server takes. */
function plainMessage(message: ChatMessage, lose: Losses): ChatMessage {
  const { content, role, tool_calls } = message;
  if (typeof content !== 'object' || content === null) return message;
  const parts = content.filter(({ type }) => type === 'text' || type === 'image_url');
  for (const part of content) if (!parts.includes(part)) lose(`content of the type ${part.type}`);
  if (role !== 'assistant' && parts.some(({ type }) => type === 'image_url')) return { ...message, content: parts };
  const text = parts.map((part) => part.text ?? '').join('\n');
  // What is left of a message must not be empty.
  const rest = tool_calls === undefined ? contentText(message) : null;
  return { ...message, content: text === '' ? rest : text };
}

/**
 * A request in chat completions, with these fields. What has no place there is left out and reported. A later system
 * message becomes a user message: the chat templates of many models refuse one.
 */
export function inChat(request: ModelRequest, fields: Readonly<Fields>, lose: Losses): ModelRequest {
  const tools = request.tools.filter(({ type }) => type === 'function');
  for (const { type } of request.tools) if (type !== 'function') lose(`tools of the type ${type}`);
  const messages = request.messages.map((message, at): ChatMessage => {
    if (message.role !== 'system' && message.role !== 'developer') return plainMessage(message, lose);
    if (at === 0) return plainMessage({ ...message, role: 'system' }, lose);
    return { role: 'user', content: `<system-reminder>\n${contentText(message)}\n</system-reminder>` };
  });
  const usable = Object.entries({ ...fields, ...request.fields }).filter(
    ([name, value]) => value !== undefined && (tools.length > 0 || !TOOL_FIELDS.includes(name)),
  );
  return { ...request, messages, tools, fields: Object.fromEntries(usable) };
}

/** A field's value where it is of a type; undefined otherwise. */
export function ofType<Type extends 'string' | 'number' | 'boolean'>(type: Type, value: unknown): unknown {
  return typeof value === type ? value : undefined;
}

/** Reports the fields of a request that are set and have no counterpart in chat completions. */
export function loseFields(body: Readonly<Fields>, names: readonly string[], lose: Losses): void {
  for (const name of names) if (body[name] !== undefined && body[name] !== null) lose(`the field ${name}`);
}

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

/** Parts as the content of a message: a single text is a string, and no part an empty string. */
export function contentOf(parts: readonly ChatPart[]): string | ChatPart[] {
  const [only = { type: 'text', text: '' }] = parts;
  return parts.length < 2 && typeof only.text === 'string' ? only.text : [...parts];
}

/** The texts of parts, joined; parts without text are left out. */
export function textOf(parts: unknown, between = ''): string {
  if (!Array.isArray(parts)) return '';
  return parts.flatMap((part) => (isFields(part) && typeof part.text === 'string' ? [part.text] : [])).join(between);
}

/** A function that a model may call. */
export function functionTool(name: string, description: unknown, parameters: Fields): ChatTool {
  const about = typeof description === 'string' ? { description } : {};
  return { type: 'function', function: { name, ...about, parameters } };
}
