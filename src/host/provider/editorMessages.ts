import * as vscode from 'vscode';
import { contentText, readInput } from '../../core/chat/parse.ts';
import type { ChatMessage, ChatPart, ChatToolCall } from '../../core/chat/wire.ts';

/** Types of data that VS Code's own chat adds to messages and no model gets: cache marks, figures, opaque states. */
const MARKS = new Set(['cache_control', 'stateful_marker', 'thinking', 'context_management', 'phase_data', 'usage']);

/** The part for images and other data; VS Code has had it since 1.106, and Karl runs from 1.105 on. */
interface DataPart {
  readonly mimeType: string;
  readonly data: Uint8Array;
}

const DataPart = (vscode as { readonly LanguageModelDataPart?: new (data: Uint8Array, mimeType: string) => DataPart })
  .LanguageModelDataPart;

/** A part with data; undefined if this VS Code has no such parts. The declarations are those of the oldest VS Code. */
export function makeDataPart(data: Uint8Array, mimeType: string): vscode.LanguageModelTextPart | undefined {
  return DataPart && (new DataPart(data, mimeType) as unknown as vscode.LanguageModelTextPart);
}

/** Begins the message with the images of tool results, and marks it as made by a client. */
const IMAGES_OPENING = 'Tool result: images';

/** Stands for an image that cannot be passed on. */
const IMAGE = '[image]';

/**
 * Translates messages of VS Code's chat into chat-completions messages. Tool results become messages of their own; their
 * images follow in a user message, since tool messages take only text. Unknown parts, and messages without content, are
 * left out.
 */
export function toChatMessages(messages: readonly vscode.LanguageModelChatRequestMessage[]): ChatMessage[] {
  const all: ChatMessage[] = [];
  /** Images of the results so far, held back because nothing may come between a call and its results. */
  let images: ChatPart[] = [];
  const showImages = () => {
    if (images.length > 0) all.push({ role: 'user', content: [{ type: 'text', text: IMAGES_OPENING }, ...images] });
    images = [];
  };
  for (const message of messages) {
    for (const part of message.content) {
      if (!(part instanceof vscode.LanguageModelToolResultPart)) continue;
      const content = contentOf(part.content);
      images.push(...content.filter(({ type }) => type === 'image_url'));
      all.push({ role: 'tool', tool_call_id: part.callId, content: textOf(content) });
    }
    const [content, calls] = [contentOf(message.content), callsIn(message.content)];
    if (content.length + calls.length === 0) continue;
    showImages();
    all.push(saidMessage(message, content, calls));
  }
  showImages();
  return all;
}

/** VS Code sends 3 for system messages, which is not in the stable enum. */
function saidMessage(
  { role, name = '' }: vscode.LanguageModelChatRequestMessage,
  content: readonly ChatPart[],
  calls: readonly ChatToolCall[],
): ChatMessage {
  const { Assistant, User } = vscode.LanguageModelChatMessageRole;
  if (role === Assistant)
    return { role: 'assistant', content: textOf(content), ...(calls.length > 0 && { tool_calls: calls }) };
  const isText = content.length === 1 && content[0]?.type === 'text';
  return {
    role: role === User ? 'user' : 'system',
    content: isText ? textOf(content) : content,
    ...(name !== '' && { name }),
  };
}

function callsIn(parts: readonly unknown[]): ChatToolCall[] {
  return parts.flatMap((part): ChatToolCall[] => {
    if (!(part instanceof vscode.LanguageModelToolCallPart)) return [];
    const text = JSON.stringify(part.input ?? {});
    return [{ id: part.callId, type: 'function', function: { name: part.name, arguments: text } }];
  });
}

function contentOf(parts: readonly unknown[]): ChatPart[] {
  return parts.flatMap((part): ChatPart[] => {
    if (part instanceof vscode.LanguageModelTextPart) return [{ type: 'text', text: part.value }];
    if (part instanceof vscode.LanguageModelPromptTsxPart) return [{ type: 'text', text: JSON.stringify(part.value) }];
    if (DataPart === undefined || !(part instanceof DataPart) || MARKS.has(part.mimeType)) return [];
    return [dataPart(part.mimeType, Buffer.from(part.data))];
  });
}

function dataPart(mimeType: string, data: Buffer): ChatPart {
  if (mimeType.startsWith('image/'))
    return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${data.toString('base64')}` } };
  const isText = /^text\/|[/+](?:json|xml|yaml)$/.test(mimeType);
  return { type: 'text', text: isText ? data.toString() : `[${mimeType} · ${data.length} bytes]` };
}

function textOf(parts: readonly ChatPart[]): string {
  return parts.map(({ text }) => (typeof text === 'string' ? text : IMAGE)).join('');
}

type MadePart = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart | vscode.LanguageModelToolResultPart;

/**
 * Translates chat-completions messages for a model of VS Code. There is no role for prompts, which become user messages.
 * The results of one reply's calls are in one message. Messages without content are left out.
 */
export function toEditorMessages(messages: readonly ChatMessage[]): vscode.LanguageModelChatMessage[] {
  const all: { readonly role: ChatMessage['role']; readonly parts: MadePart[] }[] = [];
  for (const message of messages) {
    const parts = partsOf(message);
    const last = all.at(-1);
    if (message.role === 'tool' && last?.role === 'tool') last.parts.push(...parts);
    else if (parts.length > 0) all.push({ role: message.role, parts });
  }
  const { Assistant, User } = vscode.LanguageModelChatMessageRole;
  return all.map(
    ({ role, parts }) => new vscode.LanguageModelChatMessage(role === 'assistant' ? Assistant : User, parts),
  );
}

function partsOf(message: ChatMessage): MadePart[] {
  if (message.role === 'tool') {
    const said = new vscode.LanguageModelTextPart(contentText(message));
    return [new vscode.LanguageModelToolResultPart(message.tool_call_id ?? '', [said])];
  }
  const { content, tool_calls: calls = [] } = message;
  const said: readonly ChatPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  return [
    ...said.flatMap((part) => {
      if (part.type === 'image_url') return [imageOf(part)];
      return typeof part.text === 'string' && part.text !== '' ? [new vscode.LanguageModelTextPart(part.text)] : [];
    }),
    ...calls.map(({ id, function: { name, arguments: args } }) => {
      return new vscode.LanguageModelToolCallPart(id, name, Object(readInput(args)));
    }),
  ];
}

/** Before VS Code 1.106, no model takes images. */
function imageOf({ image_url: image }: ChatPart): vscode.LanguageModelTextPart {
  const { url = '' }: { readonly url?: unknown } = Object(image);
  const [, mimeType, data] = /^data:(image\/[\w.+-]+);base64,(.*)$/s.exec(String(url)) ?? [];
  const made = mimeType && data !== undefined ? makeDataPart(Buffer.from(data, 'base64'), mimeType) : undefined;
  return made ?? new vscode.LanguageModelTextPart(IMAGE);
}
