import type { Encoding } from './counter.ts';
import { SLACK } from './rankTable.ts';

/**
 * The pre-tokenizers of the public encodings, by hand: they cut text into the pieces within which bytes are merged.
 * With U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}], L = [\p{Ll}\p{Lm}\p{Lo}\p{M}] and C = a contraction (`'s 't 'm 'd 're 've
 * 'll`, any case), their patterns are
 *
 *     o200k_base:  [^\r\n\p{L}\p{N}]?U*L+C? | [^\r\n\p{L}\p{N}]?U+L*C? | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n/]* | S
 *     cl100k_base: C | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n]* | S
 *     S:           \s*[\r\n]+ | \s+(?!\S) | \s+
 *
 * They work on classes of bytes: each byte has the class of its character. For cl100k_base all letters count as lower
 * case and marks as no letters: then the first pattern matches what the second does, except for contractions and the
 * slash. Classes are found with this JavaScript engine's regular expressions, so that `\s` and `\p{L}` mean exactly
 * what they mean in js-tiktoken.
 */
const [LOWER, CASELESS, MARK, UPPER, NUMBER, SPACE, LINE_END, OTHER] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
/** A byte of a character above U+007F. */
const LONGER = 8;
/** The class of the byte after the last one, which is never part of UTF-8. */
const END = 9;
const END_BYTE = 0xff;

/** For each encoding, the class that takes the place of each class. */
const MEANT: Readonly<Record<Encoding, readonly number[]>> = {
  o200k_base: [LOWER, CASELESS, MARK, UPPER, NUMBER, SPACE, LINE_END, OTHER],
  cl100k_base: [LOWER, LOWER, OTHER, LOWER, NUMBER, SPACE, LINE_END, OTHER],
};

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (/\p{Ll}/u.test(character)) return LOWER;
  if (/[\p{Lu}\p{Lt}]/u.test(character)) return UPPER;
  if (/\p{L}/u.test(character)) return CASELESS;
  if (/\p{M}/u.test(character)) return MARK;
  if (/\p{N}/u.test(character)) return NUMBER;
  if (/[\r\n]/u.test(character)) return LINE_END;
  return /\s/u.test(character) ? SPACE : OTHER;
}

/** The classes of code points asked for so far, stored as class + 1; 0 is "not asked yet". Made when it is needed. */
let known: Uint8Array | undefined;

function classOf(codePoint: number): number {
  known ??= new Uint8Array(0x110000);
  const kept = known[codePoint] as number;
  if (kept !== 0) return kept - 1;
  const found = classify(codePoint);
  known[codePoint] = found + 1;
  return found;
}

const APOSTROPHE = 0x27;
const BLANK = 0x20;
const SLASH = 0x2f;

/** In place of a position: more text could change where the piece ends. */
export const UNSURE = -1;

/** The class of each byte, as far as it alone tells. */
const BYTE_CLASSES: Readonly<Record<Encoding, Uint8Array>> = {
  o200k_base: byteClasses(MEANT.o200k_base),
  cl100k_base: byteClasses(MEANT.cl100k_base),
};

function byteClasses(meant: readonly number[]): Uint8Array {
  const classes = Uint8Array.from({ length: 0x100 }, (_, code) =>
    code < 0x80 ? (meant[classify(code)] as number) : LONGER,
  );
  classes[END_BYTE] = END;
  return classes;
}

const encoder = new TextEncoder();
/** Below this length a loop is quicker than a call of the encoder. */
const SMALL = 64;
/** The most UTF-8 bytes for one UTF-16 unit. */
const BYTES_PER_UNIT = 3;

/** UTF-8 bytes waiting to be counted, from `start` to `end`, followed by END_BYTE. */
export class ByteBuffer {
  bytes: Uint8Array;
  /** The class of each byte that belongs to a character above U+007F. */
  classes: Uint8Array;
  view: DataView;
  start = 0;
  end = 0;
  readonly #meant: readonly number[];
  readonly byteClasses: Uint8Array;
  readonly isO200k: boolean;

  constructor(capacity: number, encoding: Encoding) {
    this.bytes = new Uint8Array(capacity);
    this.classes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
    this.#meant = MEANT[encoding];
    this.byteClasses = BYTE_CLASSES[encoding];
    this.isO200k = encoding === 'o200k_base';
    this.bytes[0] = END_BYTE;
  }

  get length(): number {
    return this.end - this.start;
  }

  clear(): void {
    this.start = 0;
    this.end = 0;
    this.bytes[0] = END_BYTE;
  }

  /** Adds a text; a lone surrogate becomes U+FFFD, as with other encoders. */
  append(text: string): void {
    this.#makeRoom(text.length * BYTES_PER_UNIT);
    const from = this.end;
    if (text.length > SMALL || !this.#appendAscii(text)) {
      const { written } = encoder.encodeInto(text, this.bytes.subarray(from));
      this.end += written;
      if (written > text.length) this.#classifyLonger(from);
    }
    this.bytes[this.end] = END_BYTE;
  }

  #appendAscii(text: string): boolean {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) return false;
      this.bytes[this.end + index] = code;
    }
    this.end += text.length;
    return true;
  }

  /** Finds the classes of longer characters from `from` on. */
  #classifyLonger(from: number): void {
    const { bytes, classes, end } = this;
    for (let at = from; at < end; ) {
      const lead = bytes[at] as number;
      if (lead < 0x80) at++;
      else {
        const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        let codePoint = lead & (0xff >> (length + 1));
        for (let next = 1; next < length; next++) codePoint = (codePoint << 6) | ((bytes[at + next] as number) & 0x3f);
        const found = this.#meant[classOf(codePoint)] as number;
        for (const behind = at + length; at < behind; at++) classes[at] = found;
      }
    }
  }

  #makeRoom(size: number): void {
    if (this.end + size + SLACK <= this.bytes.length) return;
    const { bytes, classes } = this;
    const needed = this.length + size + SLACK;
    if (needed > bytes.length) {
      this.bytes = new Uint8Array(Math.max(needed, bytes.length * 2));
      this.classes = new Uint8Array(this.bytes.length);
      this.view = new DataView(this.bytes.buffer);
    }
    this.bytes.set(bytes.subarray(this.start, this.end));
    this.classes.set(classes.subarray(this.start, this.end));
    this.end -= this.start;
    this.start = 0;
  }
}

function classAt({ bytes, classes, byteClasses }: ByteBuffer, at: number): number {
  const found = byteClasses[bytes[at] as number] as number;
  return found === LONGER ? (classes[at] as number) : found;
}

/** The end of the piece from `start` on. `open`: UNSURE where text after the last byte could change it. */
export function pieceEnd(text: ByteBuffer, start: number, open: boolean): number {
  const { bytes } = text;
  const first = classAt(text, start);
  if (first <= UPPER) return first === MARK ? markEnd(text, start, open) : wordEnd(text, start, open);
  if (first === NUMBER) return numberEnd(text, start, open);
  if (first !== LINE_END) {
    if (!text.isO200k && bytes[start] === APOSTROPHE) {
      const contraction = contractionEnd(bytes, start, open);
      if (contraction !== start) return contraction;
    }
    const behind = characterEnd(bytes, start);
    const second = classAt(text, behind);
    if (second <= UPPER) return wordEnd(text, behind, open);
    if (second === END && open) return UNSURE;
    if (first === OTHER || (second === OTHER && bytes[start] === BLANK)) return otherEnd(text, behind, open);
  }
  return spaceEnd(text, start, open);
}

/** `U*L+C?`, else `U+L*C?`, from a letter or mark on; the second can only match where the first cannot. */
function wordEnd(text: ByteBuffer, start: number, open: boolean): number {
  let at = start;
  let shared = 0; // behind the last character that is in U and in L: where U* gives back to L+
  let found = classAt(text, at);
  for (; found !== LOWER && found <= UPPER; found = classAt(text, ++at)) if (found !== UPPER) shared = at + 1;
  const isCased = found === LOWER;
  while (found < UPPER) found = classAt(text, ++at);
  if (found === END && open) return UNSURE;
  const end = isCased || shared === 0 ? at : shared;
  return text.isO200k && text.bytes[end] === APOSTROPHE ? contractionEnd(text.bytes, end, open) : end;
}

/** A mark is the prefix of `U*L+` when that matches behind it; else it stands alone as L+, before upper case. */
function markEnd(text: ByteBuffer, start: number, open: boolean): number {
  const { bytes } = text;
  const behind = characterEnd(bytes, start);
  let at = behind;
  while (classAt(text, at) === UPPER) at++;
  const found = classAt(text, at);
  if (found < UPPER) return wordEnd(text, behind, open);
  if (found === END && open) return UNSURE;
  return bytes[behind] === APOSTROPHE ? contractionEnd(bytes, behind, open) : behind;
}

/** `[^\s\p{L}\p{N}]*[\r\n/]*` */
function otherEnd(text: ByteBuffer, start: number, open: boolean): number {
  let at = start;
  let found = classAt(text, at);
  while (found === OTHER || found === MARK) found = classAt(text, ++at);
  while (found === LINE_END || (text.isO200k && text.bytes[at] === SLASH)) found = classAt(text, ++at);
  return found === END && open ? UNSURE : at;
}

function characterEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (isContinuation(bytes, at)) at++;
  return at;
}

function isContinuation(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] as number) & 0xc0) === 0x80;
}

/** The position behind a contraction whose apostrophe is at `start`; `start` itself when it is none. */
function contractionEnd(bytes: Uint8Array, start: number, open: boolean): number {
  if (bytes[start + 1] === END_BYTE) return open ? UNSURE : start;
  const first = String.fromCharCode((bytes[start + 1] as number) | 0x20);
  if ('stmd'.includes(first)) return start + 2;
  const wanted = first === 'l' ? 0x6c : first === 'r' || first === 'v' ? 0x65 : undefined;
  if (wanted === undefined) return start;
  if (bytes[start + 2] === END_BYTE) return open ? UNSURE : start;
  return ((bytes[start + 2] as number) | 0x20) === wanted ? start + 3 : start;
}

/** `S`. A run of white space leaves its last character to the piece that follows. */
function spaceEnd(text: ByteBuffer, start: number, open: boolean): number {
  let at = start;
  let lineEnd = 0;
  let found = classAt(text, at);
  for (; found === SPACE || found === LINE_END; found = classAt(text, at)) {
    at++;
    if (found === LINE_END) lineEnd = at;
  }
  if (found === END && open) return UNSURE;
  if (lineEnd > 0) return lineEnd;
  if (found === END) return at;
  let last = at - 1;
  while (isContinuation(text.bytes, last)) last--;
  return last > start ? last : at;
}

/** `\p{N}{1,3}` */
function numberEnd(text: ByteBuffer, start: number, open: boolean): number {
  let at = start;
  for (let left = 3; left > 0 && classAt(text, at) === NUMBER; left--) {
    at = characterEnd(text.bytes, at);
    if (text.bytes[at] === END_BYTE && open && left > 1) return UNSURE;
  }
  return at;
}
