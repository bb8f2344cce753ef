/**
 * Cuts text between tokens, never inside a path, word, number or identifier, since half of one looks like another. Prefers
 * a nearby line end. Nothing is left of a text that is one endless token.
 */

const NEAR = 0.6;

/** At most `limit` characters from the start; cuts at a line end if there is one in the last part of them. */
export function cutHead(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit <= 0) return '';
  const line = text.lastIndexOf('\n', limit);
  if (line > limit * NEAR) return text.slice(0, line);
  let end = limit;
  while (end > 0 && !isBetweenTokens(text, end)) end -= 1;
  return text.slice(0, end);
}

/** At most `limit` characters from the end; cuts at a line start if there is one in the first part of them. */
export function cutTail(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit <= 0) return '';
  const start = text.length - limit;
  const line = text.indexOf('\n', start);
  if (line >= 0 && line - start < limit * (1 - NEAR)) return text.slice(line + 1);
  let from = start;
  while (from < text.length && !isBetweenTokens(text, from)) from += 1;
  return text.slice(from);
}

/** The start of a text, with a mark where it was cut; for one endless token, only its length. */
export function quoteHead(text: string, limit: number): string {
  const shown = cutHead(text, limit);
  if (shown.trim() === '' && text.trim() !== '') return `(${text.length} characters without a break)`;
  return shown.length < text.length ? `${shown.trimEnd()}…` : shown;
}

const OUTSIDE = 0;
const INSIDE = 1;
/** Part of a token only between two of its characters: the comma of 1,234, the apostrophe of don't. */
const JOINING = 2;
/** Scripts without spaces between words, and symbols: any whole character is a place to cut. */
const SPACELESS = 3;

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === ',' || character === "'") return JOINING;
  return /[\s"`()[\]{}<>;|]/.test(character) || code < 32 ? OUTSIDE : INSIDE;
});
const WORD = /[\p{L}\p{M}\p{N}]/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const LATIN_ACCENTED_TO_HANGUL = /[\u00c0-\u2fff\uac00-\ud7af]/;

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII[code] ?? OUTSIDE;
  const character = text[at] ?? '';
  if (UNSPACED.test(character)) return SPACELESS;
  return LATIN_ACCENTED_TO_HANGUL.test(character) && WORD.test(character) ? INSIDE : SPACELESS;
}

function isBetweenTokens(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const isLowSurrogate = unit >= 0xdc00 && unit <= 0xdfff;
  if (isLowSurrogate || /\p{M}/u.test(text[at] ?? '')) return false;
  const before = kindAt(text, at - 1);
  const after = kindAt(text, at);
  if (before === JOINING) return !(after === INSIDE && kindAt(text, at - 2) === INSIDE);
  if (after === JOINING) return !(before === INSIDE && kindAt(text, at + 1) === INSIDE);
  return before !== INSIDE || after !== INSIDE;
}
