import { INVISIBLE } from '../../core/messages/fence.ts';
import type { ModelDelta } from '../../core/session/modelClient.ts';
import { type Fields, isFields } from './mergeFields.ts';

/** A part of a reply's content, of a type that a message may have. */
export type Part = Fields & { readonly type: string };

interface TextPart extends Part {
  readonly text: string;
}

/**
 * The parts of a content that is not a string. Some servers leave out the type of a text, or the list around a single
 * part; anything that is not a part (null, a number, a text without words) is left out.
 */
export function readParts(content: unknown): readonly Part[] {
  return (Array.isArray(content) ? content : [content]).flatMap((part: unknown): Part[] => {
    if (typeof part === 'string') return [{ type: 'text', text: part }];
    if (!isFields(part)) return [];
    const { type, text } = part;
    if (typeof type === 'string' && type !== 'text') return [{ ...part, type }];
    return typeof text === 'string' ? [{ ...part, type: 'text' }] : [];
  });
}

/** Whether a part is nothing but text: its text can then become ordinary string content. */
export function isPlainText(part: Part): part is TextPart {
  return part.type === 'text' && Object.keys(part).every((name) => name === 'type' || name === 'text');
}

/**
 * The deltas that show a part. Mistral: `{type: 'thinking', thinking: [{type: 'text', text}]}` and `{type: 'text',
 * text}`.
 */
export function partDeltas(part: Part): ModelDelta[] {
  if (part.type === 'thinking' && Array.isArray(part.thinking)) {
    const text = part.thinking.map((piece) => (isFields(piece) ? String(piece.text ?? '') : '')).join('');
    return text === '' ? [] : [{ type: 'reasoning', text }];
  }
  return typeof part.text === 'string' && part.text !== '' ? [{ type: 'text', text: part.text }] : [];
}

/** A visible character: neither white space nor of no width. */
const SEEN = new RegExp(`[^\\s${INVISIBLE}]`, 'u');

/** Whether a value of a delta adds to a reply: a text with a visible character, or anything that contains one. */
export function saysSomething(value: unknown): boolean {
  if (typeof value === 'string') return SEEN.test(value);
  if (Array.isArray(value)) return value.some(saysSomething);
  return isFields(value) && Object.entries(value).some(([name, inner]) => name !== 'type' && saysSomething(inner));
}
