import type { ChatMessage, ChatPart } from '../../core/messages/chat.ts';
import { contentText } from '../../core/messages/parse.ts';
import { parseJson } from '../../core/messages/parseJson.ts';
import type { EditorMessage, EditorPart } from '../provider/editorMessage.ts';

/**
 * Chat-completions messages as VS Code sends them to a model. There is no role for a prompt, which goes as the user's.
 * The results of one reply's calls are in one message. A message without content is left out. Pure.
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
    return { kind: 'call', id, name: called.name, input: inputOf(called.arguments) };
  });
  return [...contentOf(message), ...calls];
}

/** Arguments that are no JSON object are passed on as the text of a field of one. */
function inputOf(text: string): object {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { malformed: text };
}

function contentOf({ content }: ChatMessage): EditorPart[] {
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
