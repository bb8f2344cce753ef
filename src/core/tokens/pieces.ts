/**
 * The pre-tokenizers: they cut text into the pieces within which bytes are merged. Character classes follow the regular expressions of the public encodings, evaluated by
 * this JavaScript engine, so that `\s` and `\p{L}` mean exactly what they mean in js-tiktoken.
 */

/** `\p{Ll}` */
const LOWER = 0;
/** `\p{Lu}` and `\p{Lt}` */
const UPPER = 1;
/** `\p{Lm}` and `\p{Lo}`: letters without case. */
const CASELESS = 2;
/** `\p{M}`: marks that combine with a letter; not letters themselves. */
const MARK = 3;
/** `\p{N}` */
const NUMBER = 4;
/** `\s` without the line ends. */
const SPACE = 5;
/** `\r` and `\n` */
const LINE_END = 6;
/** Everything else: punctuation, symbols, control characters, lone surrogates. */
const OTHER = 7;
/** A byte of a character above U+007F; its class needs the whole character. */
const NON_ASCII = 8;
/** The class of the byte after the last one of a buffer. */
const END = 9;

/** Never part of UTF-8, so it can mark the end of a buffer. */
export const END_BYTE = 0xff;

/** Class of each UTF-8 byte; bytes from 0x80 on are NON_ASCII, the end mark is END. */
const BYTE_CLASS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === END_BYTE ? END : byte < 0x80 ? classify(byte) : NON_ASCII,
);

/** The classes of code points asked for so far, stored as class + 1; 0 is "not asked yet". */
let known: Uint8Array | undefined;

/** The class of a code point above U+007F. */
function classOf(codePoint: number): number {
  known ??= new Uint8Array(0x110000);
  const kept = known[codePoint] as number;
  if (kept !== 0) return kept - 1;
  const found = classify(codePoint);
  known[codePoint] = found + 1;
  return found;
}

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

/** The class of the character that starts at byte `at`; END after the last one. */
function classAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  const byteClass = BYTE_CLASS[lead] as number;
  return byteClass === NON_ASCII ? classOf(codePointAt(bytes, at, lead)) : byteClass;
}

function codePointAt(bytes: Uint8Array, at: number, lead: number): number {
  const second = (bytes[at + 1] as number) & 0x3f;
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second;
  const third = (bytes[at + 2] as number) & 0x3f;
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | (second << 6) | third;
  return ((lead & 0x07) << 18) | (second << 12) | (third << 6) | ((bytes[at + 3] as number) & 0x3f);
}

/** The position after the character that starts at byte `at`. */
function next(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0xc0) return at + 1;
  return at + (lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);
}

/** Sets of classes, a bit each. */
const LETTERS = (1 << LOWER) | (1 << UPPER) | (1 << CASELESS);
const UPPERS = (1 << UPPER) | (1 << CASELESS) | (1 << MARK);
const LOWERS = (1 << LOWER) | (1 << CASELESS) | (1 << MARK);
const SYMBOLS = (1 << OTHER) | (1 << MARK);

function isIn(classes: number, found: number): boolean {
  return ((classes >>> found) & 1) === 1;
}

/** The end of the run of characters of these classes that begins at `from`. */
function skip(bytes: Uint8Array, from: number, classes: number): number {
  let at = from;
  for (;;) {
    // Most are ASCII.
    while (isIn(classes, BYTE_CLASS[bytes[at] as number] as number)) at++;
    if (BYTE_CLASS[bytes[at] as number] !== NON_ASCII || !isIn(classes, classAt(bytes, at))) return at;
    at = next(bytes, at);
  }
}

/**
 * The end of the piece that starts at `start`, in UTF-8 bytes followed by END_BYTE; UNSURE when the text is `open` (more
 * may follow) and what follows could change the piece.
 */
export type PreTokenizer = (bytes: Uint8Array, start: number, open: boolean) => number;

export const UNSURE = -1;

/** An end found at `at`, unless the text goes on there. */
function settled(bytes: Uint8Array, at: number, open: boolean): number {
  return open && bytes[at] === END_BYTE ? UNSURE : at;
}

const APOSTROPHE = 0x27;
const BLANK = 0x20;
const SLASH = 0x2f;
const [D, E, L, M, R, S, T, V] = [0x64, 0x65, 0x6c, 0x6d, 0x72, 0x73, 0x74, 0x76];

/** The position after a contraction (`'s 't 'm 'd 're 've 'll`, any case) at `at`; `at` itself when there is none. */
function contractionEnd(bytes: Uint8Array, at: number, open: boolean): number {
  if (bytes[at] !== APOSTROPHE) return settled(bytes, at, open);
  const first = bytes[at + 1] as number;
  if (first === END_BYTE) return open ? UNSURE : at;
  const letter = first | 0x20;
  if (letter === S || letter === T || letter === M || letter === D) return at + 2;
  if (letter !== R && letter !== V && letter !== L) return at;
  const second = bytes[at + 2] as number;
  if (second === END_BYTE) return open ? UNSURE : at;
  return (second | 0x20) === (letter === L ? L : E) ? at + 3 : at;
}

/** The end of `\p{N}{1,3}`. */
function numberEnd(bytes: Uint8Array, start: number, open: boolean): number {
  let at = next(bytes, start);
  for (let count = 1; count < 3; count++) {
    if (classAt(bytes, at) !== NUMBER) return settled(bytes, at, open);
    at = next(bytes, at);
  }
  return at;
}

/** The end of `\s*[\r\n]+|\s+(?!\S)|\s+`: a run of white space leaves its last character to the next piece. */
function spaceEnd(bytes: Uint8Array, start: number, open: boolean): number {
  let at = start;
  let last = start;
  let lineEnd = 0;
  for (;;) {
    const found = classAt(bytes, at);
    if (found === END && open) return UNSURE;
    if (found !== SPACE && found !== LINE_END) {
      if (lineEnd > 0) return lineEnd;
      return found !== END && last > start ? last : at;
    }
    last = at;
    at = next(bytes, at);
    if (found === LINE_END) lineEnd = at;
  }
}

/** What differs between the encodings: the classes that make words, how these end, and a mark that may end symbols. */
interface Rules {
  readonly words: number;
  readonly wordEnd: PreTokenizer;
  readonly ending: number;
}

function pieceEnd(bytes: Uint8Array, start: number, open: boolean, { words, wordEnd, ending }: Rules): number {
  const first = classAt(bytes, start);
  if (isIn(LETTERS, first)) return wordEnd(bytes, start, open);
  if (first === NUMBER) return numberEnd(bytes, start, open);
  if (first === LINE_END) return spaceEnd(bytes, start, open);
  const behind = next(bytes, start);
  const second = classAt(bytes, behind);
  if (second === END && open) return UNSURE;
  if (isIn(words, second)) return wordEnd(bytes, behind, open);
  if (first === SPACE && !(bytes[start] === BLANK && isIn(SYMBOLS, second))) return spaceEnd(bytes, start, open);
  let at = skip(bytes, behind, SYMBOLS);
  while (BYTE_CLASS[bytes[at] as number] === LINE_END || bytes[at] === ending) at++;
  return settled(bytes, at, open);
}

/**
 * cl100k_base, by hand. Its pattern, with C = a contraction; marks are not letters here:
 *
 *     C | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n]* | \s*[\r\n]+ | \s+(?!\S) | \s+
 */
export const CL100K: PreTokenizer = (bytes, start, open) => {
  const contraction = bytes[start] === APOSTROPHE ? contractionEnd(bytes, start, open) : start;
  return contraction === start ? pieceEnd(bytes, start, open, CL100K_RULES) : contraction;
};

const CL100K_RULES: Rules = {
  words: LETTERS,
  wordEnd: (bytes, from, open) => settled(bytes, skip(bytes, from, LETTERS), open),
  ending: END_BYTE + 1,
};

/**
 * o200k_base, by hand. Its pattern, with U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}], L = [\p{Ll}\p{Lm}\p{Lo}\p{M}] and C = an
 * optional contraction:
 *
 *     [^\r\n\p{L}\p{N}]?U*L+C | [^\r\n\p{L}\p{N}]?U+L*C | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+
 */
export const O200K: PreTokenizer = (bytes, start, open) => {
  if (classAt(bytes, start) !== MARK) return pieceEnd(bytes, start, open, O200K_RULES);
  // A mark is the prefix of `U*L+` when that matches behind it; else it stands alone as L+ (followed by upper case only).
  const behind = next(bytes, start);
  const at = skip(bytes, behind, 1 << UPPER);
  const found = classAt(bytes, at);
  if (found === END && open) return UNSURE;
  return isIn(LOWERS, found) ? wordEndOfCases(bytes, behind, open) : contractionEnd(bytes, behind, open);
};

/** `U*L+C`, else `U+L*C`, from a letter or mark at `from`; the second can only match where the first cannot. */
const wordEndOfCases: PreTokenizer = (bytes, from, open) => {
  let at = from;
  let lastShared = UNSURE; // behind the last character that is in U and in L: where U* gives back to L+
  for (let found = classAt(bytes, at); isIn(UPPERS, found); found = classAt(bytes, at)) {
    at = next(bytes, at);
    if (found !== UPPER) lastShared = at;
  }
  const lowerEnd = skip(bytes, at, LOWERS);
  if (open && bytes[lowerEnd] === END_BYTE) return UNSURE;
  return contractionEnd(bytes, lowerEnd > at || lastShared === UNSURE ? lowerEnd : lastShared, open);
};

const O200K_RULES: Rules = { words: LETTERS | UPPERS, wordEnd: wordEndOfCases, ending: SLASH };
