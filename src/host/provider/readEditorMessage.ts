import * as vscode from 'vscode';
import type { EditorMessage, EditorPart } from './editorMessage.ts';

/** Types of data that VS Code's own chat adds to messages: cache marks, figures, opaque states. */
const MARKS = new Set(['cache_control', 'stateful_marker', 'thinking', 'context_management', 'phase_data', 'usage']);

/** The part for images and other data; VS Code has had it since 1.106, and Karl runs from 1.105 on. */
interface DataPart {
  readonly mimeType: string;
  readonly data: Uint8Array;
}

const DataPart = (vscode as { readonly LanguageModelDataPart?: new (data: Uint8Array, mimeType: string) => DataPart })
  .LanguageModelDataPart;

/** A part with data; undefined if this VS Code has no such parts. */
export function makeDataPart(data: Uint8Array, mimeType: string): vscode.LanguageModelResponsePart | undefined {
  return DataPart === undefined
    ? undefined
    : (new DataPart(data, mimeType) as unknown as vscode.LanguageModelResponsePart);
}

/** Reads a message of VS Code's chat. Unknown parts become marks, which no model gets. */
export function readEditorMessage(message: vscode.LanguageModelChatRequestMessage): EditorMessage {
  return { role: roleOf(message.role), name: message.name ?? '', parts: message.content.map(readPart) };
}

/** VS Code sends 3 for system messages, which is not in the stable enum. */
function roleOf(role: number): EditorMessage['role'] {
  if (role === vscode.LanguageModelChatMessageRole.Assistant) return 'assistant';
  return role === vscode.LanguageModelChatMessageRole.User ? 'user' : 'system';
}

/** Reads a part of a message, or of a reply. */
export function readPart(part: unknown): EditorPart {
  if (part instanceof vscode.LanguageModelTextPart) return { kind: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return { kind: 'call', id: part.callId, name: part.name, input: part.input };
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    return { kind: 'result', callId: part.callId, parts: part.content.map(readPart) };
  }
  if (part instanceof vscode.LanguageModelPromptTsxPart) return { kind: 'text', text: JSON.stringify(part.value) };
  if (DataPart === undefined || !(part instanceof DataPart)) return { kind: 'mark' };
  return MARKS.has(part.mimeType) ? { kind: 'mark' } : { kind: 'data', mimeType: part.mimeType, data: part.data };
}
