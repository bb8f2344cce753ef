import type { ChatMessage } from '../../../src/core/messages/chat.ts';

/** The messages of a request as a probe reads them. */
export interface ReadMessage {
  readonly role: ChatMessage['role'];
  /** Text and call arguments, arguments without their JSON escapes; normalised by `normalize`. */
  readonly lines: readonly string[];
  /** True when the source has this very message: nothing in it is new. */
  readonly raw: boolean;
}

/** A request made ready to be asked for many facts. */
export interface ReadView {
  readonly messages: readonly ReadMessage[];
  /** Everything in one line: for values that run over several. */
  readonly flat: string;
  readonly lines: readonly { readonly text: string; readonly raw: boolean }[];
}

/** Reads the messages of a request. `source` are the raw messages that it was made from. */
export function readView(view: readonly ChatMessage[], source: readonly ChatMessage[]): ReadView {
  const known = new Set(source.map((message) => JSON.stringify(message)));
  const messages = view.map((message) => ({
    role: message.role,
    lines: messageTexts(message).flatMap((text) => normalize(text).split('\n')),
    raw: known.has(JSON.stringify(message)),
  }));
  const lines = messages.flatMap((message) => message.lines.map((text) => ({ text, raw: message.raw })));
  return { messages, lines, flat: flatten(lines.map(({ text }) => text).join('\n')) };
}

/** NFC, forward slashes, single blanks; lines stay, also those of quoted JSON, however often it was quoted. */
export function normalize(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\\+(["'])/g, '$1')
    .replace(/\\+[nt]/g, '\n')
    .replace(/\\+/g, '/')
    .replace(/[^\S\n]+/g, ' ');
}

/** The same on one line. */
export function flatten(text: string): string {
  return normalize(text).replace(/\s+/g, ' ').trim();
}

/** What one message says: its text, and the strings of its calls' arguments. */
export function messageTexts(message: ChatMessage): string[] {
  const texts: string[] = [];
  if (typeof message.content === 'string') texts.push(message.content);
  else for (const part of message.content ?? []) if (typeof part.text === 'string') texts.push(part.text);
  for (const call of message.tool_calls ?? [])
    texts.push(call.function.name, ...argumentTexts(call.function.arguments));
  return texts.flatMap((text) => (text.startsWith('{') ? [text, ...argumentTexts(text)] : [text]));
}

function argumentTexts(source: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(source);
  } catch (error) {
    // The model wrote no JSON: its text is read as it is.
    if (error instanceof SyntaxError) return [source];
    throw error;
  }
  const texts: string[] = [];
  collect(parsed, texts);
  return texts;
}

function collect(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const item of value) collectItem(item, texts);
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) collect(inner, texts);
}

/** An item of a list is one line: what its fields say, they say of each other. */
function collectItem(item: unknown, texts: string[]): void {
  const fields: unknown[] = typeof item === 'object' && item !== null ? Object.values(item) : [];
  if (fields.length > 1 && fields.every((field) => typeof field !== 'object')) texts.push(fields.join(' · '));
  else collect(item, texts);
}
