import { readAttachments } from './attachments.ts';
import { CLIENT_OPENINGS, CODEX_REQUEST, CONTEXT_ELEMENTS, OPENING_LENGTH, TYPED_ELEMENTS } from './clients.ts';
import { isFenced } from './fence.ts';
import { replyInMessage } from './reply.ts';
import type { ChatMessage, ChatPart } from './wire.ts';

/** Marks a message as written by the human, whatever it looks like. Stored but, like every `karl_` field, never sent. */
export const BY_HUMAN = 'karl_human';

/** Makes a message of the human's words. All code that takes in the human's words uses this. */
export function byHuman(content: string | readonly ChatPart[]): ChatMessage {
  return { role: 'user', content, [BY_HUMAN]: true };
}

/** Who wrote a message in the user's role. */
export type Writer = 'human' | 'client';

/** A message in the user's role, split into what the human typed and what a client added. */
interface UserText {
  /** Absent if a client wrote all of it. */
  readonly typed?: string;
  /** Everything else; may be empty. */
  readonly attached: string;
}

/** Who wrote a message in the user's role, as recorded or else by its shape. `text`: its readable text. */
export function writerOf(wire: ChatMessage, text: string): Writer {
  if (wire[BY_HUMAN] === true) return 'human';
  const start = text.trimStart();
  // Without an element at its beginning, a message has text of its own, which is the human's.
  if (!start.startsWith('<') || isFenced(start)) return isClientAlone(start) ? 'client' : 'human';
  return splitUserText(wire, text).typed === undefined ? 'client' : 'human';
}

/** Splits a user message into what the human typed and the rest: Karl's attachments, or the elements of clients. */
export function splitUserText(wire: ChatMessage, text: string): UserText {
  if (wire[BY_HUMAN] === true) {
    const { typed } = readAttachments(wire.content);
    return { typed, attached: text.slice(typed.length) };
  }
  const start = text.trimStart();
  if (isClientAlone(start)) return { attached: text };
  const reply = replyInMessage(start);
  if (reply !== undefined) return { typed: reply, attached: text.replace(reply, () => '').trim() };
  const context = CODEX_REQUEST.exec(start)?.[0];
  if (context !== undefined) return { typed: start.slice(context.length), attached: context };
  return text.includes('<') ? splitElements(text, start.startsWith('<')) : { typed: text, attached: '' };
}

/** True when a client wrote all of a message, as its first words show. */
function isClientAlone(start: string): boolean {
  if (start === '' || isFenced(start)) return true;
  const head = start.slice(0, OPENING_LENGTH);
  return CLIENT_OPENINGS.some(([, opening]) => opening.test(head)) && replyInMessage(start) === undefined;
}

/** Separates the elements of clients. Elements with typed words are unwrapped only if the message begins with an element. */
function splitElements(text: string, beginsWithOne: boolean): UserText {
  const isElement = (name: string) => CONTEXT_ELEMENTS.has(name) || (beginsWithOne && TYPED_ELEMENTS.has(name));
  const parts = topLevelParts(text, isElement);
  const words = parts.map(wordsIn);
  const attached = parts.flatMap((part, index) => (words[index] === undefined ? part.text : []));
  const typed = words.filter((said) => said !== undefined).join('\n');
  return {
    ...(attached.length < parts.length && { typed: beginsWithOne ? typed.trim() : typed }),
    attached: attached.join('').trim(),
  };
}

function wordsIn(part: Part): string | undefined {
  if (part.kind === 'element' && CONTEXT_ELEMENTS.has(part.name)) return undefined;
  const words = part.kind === 'text' ? part.text : part.inner;
  // A single word after a slash command is an option.
  const isOption = part.kind === 'element' && part.name === 'command-args' && !/\S\s+\S/.test(words);
  return words.trim() === '' || isOption ? undefined : words;
}

/** A part of a text that a client composed: an element, or the text between elements. */
type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'element'; readonly name: string; readonly inner: string; readonly text: string };

const OPEN = /<([A-Za-z][\w-]{1,40})(?:\s[^<>]{0,300})?>/g;
/** The most elements, and opening tags without a closing one, up to which a text is split. */
const MOST_ELEMENTS = 200;
const MOST_UNCLOSED = 20;

/**
 * The outermost elements of a text, and the text between them. Nothing inside an element (an attached file, a tool's
 * output) becomes a part. An opening tag without a closing one is text. `isElement` gets lower-case names.
 */
function topLevelParts(text: string, isElement: (name: string) => boolean): Part[] {
  const parts: Part[] = [];
  let from = 0;
  let elements = 0;
  let unclosed = 0;
  OPEN.lastIndex = 0;
  for (let open = OPEN.exec(text); open !== null; open = OPEN.exec(text)) {
    if (elements >= MOST_ELEMENTS || unclosed >= MOST_UNCLOSED) break;
    const [, tag = ''] = open;
    const name = tag.toLowerCase();
    if (!isElement(name)) continue;
    const start = open.index;
    const innerStart = OPEN.lastIndex;
    const close = closing(text, tag, innerStart);
    if (close === undefined) {
      unclosed += 1;
      continue;
    }
    if (start > from) parts.push({ kind: 'text', text: text.slice(from, start) });
    elements += 1;
    const inner = text.slice(innerStart, close.start);
    parts.push({ kind: 'element', name, inner, text: text.slice(start, close.end) });
    from = close.end;
    OPEN.lastIndex = from;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

/** Finds the end of the element that was opened before `from`, skipping nested elements of the same name. */
function closing(text: string, name: string, from: number): { start: number; end: number } | undefined {
  const tag = new RegExp(`<(/?)${name}(?:\\s[^<>]{0,300})?>`, 'g');
  tag.lastIndex = from;
  let depth = 1;
  let last: { start: number; end: number } | undefined;
  for (let match = tag.exec(text); match !== null; match = tag.exec(text)) {
    depth += match[1] === '' ? 1 : -1;
    if (match[1] !== '') last = { start: match.index, end: tag.lastIndex };
    if (depth === 0) return last;
  }
  return last;
}
