import type { ChatMessage, ChatPart, ChatToolCall } from '../../core/messages/chat.ts';
import type { EditorMessage, EditorPart } from './editorMessage.ts';

/**
 * What VS Code's chat sends, as chat-completions messages: results of tools become messages of their own, and images in
 * them follow in a user message, since a tool's message takes text only. A message without content is left out. Equal
 * messages give equal ones. Pure.
 */
export function toChatMessages(messages: readonly EditorMessage[]): ChatMessage[] {
  const all: ChatMessage[] = [];
  /** Images of the results so far: nothing may come between a call and its results. */
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

/** Begins the message with the images of tool results; read as one that a client made. */
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
    switch (part.kind) {
      case 'text':
        return [{ type: 'text', text: part.text }];
      case 'data':
        return [dataPart(part.mimeType, part.data)];
      default:
        return [];
    }
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
