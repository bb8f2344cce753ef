import type { ChatMessage, ChatPart, ChatToolCall } from '../../core/messages/chat.ts';
import { contentText } from '../../core/messages/parse.ts';
import { readInput } from '../../core/messages/parseJson.ts';

/** One part of a message of the editor's chat, without the editor's classes. */
export type EditorPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: 'result'; readonly callId: string; readonly parts: readonly EditorPart[] }
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array }
  /** Not for a model: reasoning of an earlier reply, a mark for a provider's cache. */
  | { readonly kind: 'mark' };

/** A message of the editor's chat as a language-model provider receives it. */
export interface EditorMessage {
  readonly role: 'system' | 'user' | 'assistant';
  /** Empty if it has none. */
  readonly name: string;
  readonly parts: readonly EditorPart[];
}

/**
 * Translates messages of VS Code's chat into chat-completions messages. Tool results become messages of their own; their
 * images follow in a user message, since tool messages take only text. Messages without content are left out. Pure.
 */
export function toChatMessages(messages: readonly EditorMessage[]): ChatMessage[] {
  const all: ChatMessage[] = [];
  /** Images of the results so far, held back because nothing may come between a call and its results. */
  let images: ChatPart[] = [];
  const showImages = () => {
    if (images.length > 0) all.push({ role: 'user', content: [{ type: 'text', text: IMAGES_OPENING }, ...images] });
    images = [];
  };
  for (const message of messages) {
    const results = message.parts.filter((part) => part.kind === 'result');
    for (const { callId, parts } of results) {
      const content = contentOf(parts);
      images.push(...content.filter(isImage));
      all.push({ role: 'tool', tool_call_id: callId, content: content.map(textOf).join('') });
    }
    const rest = message.parts.filter((part) => part.kind !== 'result' && part.kind !== 'mark');
    if (rest.length === 0) continue;
    showImages();
    all.push(message.role === 'assistant' ? assistantMessage(rest) : saidMessage(message, rest));
  }
  showImages();
  return all;
}

/** Begins the message with the images of tool results, and marks it as made by a client. */
const IMAGES_OPENING = 'Tool result: images';

function assistantMessage(parts: readonly EditorPart[]): ChatMessage {
  const calls = parts.flatMap((part): ChatToolCall[] => {
    if (part.kind !== 'call') return [];
    const text = JSON.stringify(part.input ?? {});
    return [{ id: part.id, type: 'function', function: { name: part.name, arguments: text } }];
  });
  const content = contentOf(parts).map(textOf).join('');
  return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) };
}

function saidMessage({ role, name }: EditorMessage, parts: readonly EditorPart[]): ChatMessage {
  const content = contentOf(parts);
  const [first] = content;
  const isText = content.length === 1 && first?.type === 'text';
  return { role, content: isText ? textOf(first) : content, ...(name !== '' && { name }) };
}

function contentOf(parts: readonly EditorPart[]): ChatPart[] {
  return parts.flatMap((part): ChatPart[] => {
    if (part.kind === 'text') return [{ type: 'text', text: part.text }];
    return part.kind === 'data' ? [dataPart(part.mimeType, part.data)] : [];
  });
}

function dataPart(mimeType: string, data: Uint8Array): ChatPart {
  if (mimeType.startsWith('image/')) {
    return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${toBase64(data)}` } };
  }
  const isText = /^text\/|[/+](?:json|xml|yaml)$/.test(mimeType);
  return { type: 'text', text: isText ? new TextDecoder().decode(data) : `[${mimeType} · ${data.length} bytes]` };
}

function toBase64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

function isImage(part: ChatPart): boolean {
  return part.type === 'image_url';
}

function textOf(part: ChatPart): string {
  return typeof part.text === 'string' ? part.text : '[image]';
}

/**
 * Translates chat-completions messages for a model of VS Code. There is no role for prompts, which become user messages.
 * The results of one reply's calls are in one message. Messages without content are left out. Pure.
 */
export function toEditorMessages(messages: readonly ChatMessage[]): EditorMessage[] {
  const all: { role: EditorMessage['role']; name: string; parts: EditorPart[] }[] = [];
  let isResults = false;
  for (const message of messages) {
    const parts = partsOf(message);
    if (parts.length === 0) continue;
    const last = all.at(-1);
    const continues = isResults && message.role === 'tool';
    isResults = message.role === 'tool';
    if (continues && last !== undefined) last.parts.push(...parts);
    else all.push({ role: message.role === 'assistant' ? 'assistant' : 'user', name: '', parts });
  }
  return all;
}

function partsOf(message: ChatMessage): EditorPart[] {
  if (message.role === 'tool') {
    const parts = [{ kind: 'text', text: contentText(message) } as const];
    return [{ kind: 'result', callId: message.tool_call_id ?? '', parts }];
  }
  const calls = (message.tool_calls ?? []).map(({ id, function: called }): EditorPart => {
    return { kind: 'call', id, name: called.name, input: readInput(called.arguments) };
  });
  return [...saidParts(message), ...calls];
}

function saidParts({ content }: ChatMessage): EditorPart[] {
  const parts: readonly ChatPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  return parts.flatMap((part): EditorPart[] => {
    if (part.type === 'image_url') return [imageOf(part)];
    return typeof part.text === 'string' && part.text !== '' ? [{ kind: 'text', text: part.text }] : [];
  });
}

/** Stands for an image that cannot be passed on. */
const IMAGE = '[image]';

function imageOf({ image_url: image }: ChatPart): EditorPart {
  const { url = '' }: { readonly url?: unknown } = Object(image);
  const [, mimeType, data] = /^data:(image\/[\w.+-]+);base64,(.*)$/s.exec(String(url)) ?? [];
  if (mimeType === undefined || data === undefined) return { kind: 'text', text: IMAGE };
  return { kind: 'data', mimeType, data: Buffer.from(data, 'base64') };
}
