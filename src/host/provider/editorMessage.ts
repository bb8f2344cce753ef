/** One part of a message of the editor's chat, without the editor's classes. */
export type EditorPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: 'result'; readonly callId: string; readonly parts: readonly EditorPart[] }
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array }
  /** Says nothing to a model: reasoning of an earlier reply, a mark for a provider's cache. */
  | { readonly kind: 'mark' };

/** A message of the editor's chat as a language-model provider receives it. */
export interface EditorMessage {
  readonly role: 'system' | 'user' | 'assistant';
  /** Empty where it has none. */
  readonly name: string;
  readonly parts: readonly EditorPart[];
}
