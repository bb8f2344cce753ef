import {
  BYTE_CLASS,
  CASELESS,
  classAt,
  contractionEnd,
  END,
  fastNumberEnd,
  fastSpaceEnd,
  generalContractionEnd,
  generalNumberEnd,
  generalSpaceEnd,
  isApostrophe,
  isBlank,
  LINE_END,
  LOWER,
  MARK,
  NUMBER,
  next,
  OTHER,
  type PreTokenizer,
  SPACE,
  UNSURE,
  UPPER,
} from './pieces.ts';

/**
 * The pre-tokenizer of cl100k_base, by hand. Its pattern, with C = a contraction; marks are not letters here:
 *
 *     C | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n]* | \s*[\r\n]+ | \s+(?!\S) | \s+
 */
export const CL100K: PreTokenizer = { fast: fastCl100k, general: generalCl100k };

function fastCl100k(bytes: Uint8Array, start: number): number {
  const first = BYTE_CLASS[bytes[start] as number] as number;
  switch (first) {
    case LOWER:
    case UPPER:
      return fastWordEnd(bytes, start + 1);
    case NUMBER:
      return fastNumberEnd(bytes, start);
    case LINE_END:
      return fastSpaceEnd(bytes, start);
    case SPACE:
    case OTHER: {
      const second = BYTE_CLASS[bytes[start + 1] as number] as number;
      if (second <= UPPER) {
        const contraction = isApostrophe(bytes, start) ? contractionEnd(bytes, start) : start;
        return contraction === start ? fastWordEnd(bytes, start + 2) : contraction;
      }
      if (second > OTHER) return UNSURE;
      if (first === OTHER) return fastOtherEnd(bytes, start + 1, NOTHING);
      if (second === OTHER && isBlank(bytes, start)) return fastOtherEnd(bytes, start + 2, NOTHING);
      return fastSpaceEnd(bytes, start);
    }
    default:
      return UNSURE;
  }
}

function fastWordEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while ((BYTE_CLASS[bytes[at] as number] as number) <= UPPER) at++;
  return (BYTE_CLASS[bytes[at] as number] as number) > OTHER ? UNSURE : at;
}

function generalCl100k(bytes: Uint8Array, start: number, open: boolean): number {
  const contraction = generalContractionEnd(bytes, start, open);
  if (contraction !== start) return contraction;
  const first = classAt(bytes, start);
  switch (first) {
    case LOWER:
    case UPPER:
    case CASELESS:
      return wordEnd(bytes, start, open);
    case NUMBER:
      return generalNumberEnd(bytes, start, open);
    case LINE_END:
      return generalSpaceEnd(bytes, start, open);
    default: {
      const behind = next(bytes, start);
      const second = classAt(bytes, behind);
      if (second === END && open) return UNSURE;
      if (second <= CASELESS) return wordEnd(bytes, behind, open);
      if (first !== SPACE) return otherEnd(bytes, behind, open, NOTHING);
      if ((second === OTHER || second === MARK) && isBlank(bytes, start)) return otherEnd(bytes, behind, open, NOTHING);
      return generalSpaceEnd(bytes, start, open);
    }
  }
}

function wordEnd(bytes: Uint8Array, from: number, open: boolean): number {
  let at = from;
  let found = classAt(bytes, at);
  while (found <= CASELESS) {
    at = next(bytes, at);
    found = classAt(bytes, at);
  }
  return found === END && open ? UNSURE : at;
}

/**
 * The pre-tokenizer of o200k_base, by hand. Its pattern, with U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}],
 * L = [\p{Ll}\p{Lm}\p{Lo}\p{M}] and C = an optional contraction:
 *
 *     [^\r\n\p{L}\p{N}]?U*L+C | [^\r\n\p{L}\p{N}]?U+L*C | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+
 */
export const O200K: PreTokenizer = { fast: fastO200k, general: generalO200k };

function fastO200k(bytes: Uint8Array, start: number): number {
  const first = BYTE_CLASS[bytes[start] as number] as number;
  switch (first) {
    case LOWER:
      return fastLowerEnd(bytes, start + 1);
    case UPPER:
      return fastUpperEnd(bytes, start + 1);
    case NUMBER:
      return fastNumberEnd(bytes, start);
    case LINE_END:
      return fastSpaceEnd(bytes, start);
    case SPACE:
    case OTHER: {
      const second = BYTE_CLASS[bytes[start + 1] as number] as number;
      if (second === LOWER) return fastLowerEnd(bytes, start + 2);
      if (second === UPPER) return fastUpperEnd(bytes, start + 2);
      if (second > OTHER) return UNSURE;
      if (first === OTHER) return fastOtherEnd(bytes, start + 1, SLASH);
      if (second === OTHER && isBlank(bytes, start)) return fastOtherEnd(bytes, start + 2, SLASH);
      return fastSpaceEnd(bytes, start);
    }
    default:
      return UNSURE;
  }
}

function fastLowerEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (BYTE_CLASS[bytes[at] as number] === LOWER) at++;
  return fastCasedEnd(bytes, at);
}

function fastUpperEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (BYTE_CLASS[bytes[at] as number] === UPPER) at++;
  while (BYTE_CLASS[bytes[at] as number] === LOWER) at++;
  return fastCasedEnd(bytes, at);
}

function fastCasedEnd(bytes: Uint8Array, at: number): number {
  if ((BYTE_CLASS[bytes[at] as number] as number) > OTHER) return UNSURE;
  return isApostrophe(bytes, at) ? contractionEnd(bytes, at) : at;
}

function generalO200k(bytes: Uint8Array, start: number, open: boolean): number {
  const first = classAt(bytes, start);
  switch (first) {
    case LOWER:
    case UPPER:
    case CASELESS:
      return casedEnd(bytes, start, open);
    case MARK:
      return markEnd(bytes, start, open);
    case NUMBER:
      return generalNumberEnd(bytes, start, open);
    case LINE_END:
      return generalSpaceEnd(bytes, start, open);
    default: {
      const behind = next(bytes, start);
      const second = classAt(bytes, behind);
      if (second === END && open) return UNSURE;
      if (second <= MARK) return casedEnd(bytes, behind, open);
      if (first === OTHER) return otherEnd(bytes, behind, open, SLASH);
      if (second === OTHER && isBlank(bytes, start)) return otherEnd(bytes, behind, open, SLASH);
      return generalSpaceEnd(bytes, start, open);
    }
  }
}

/** `U*L+C`, else `U+L*C`, from a letter or mark at `from`; the second can only match where the first cannot. */
function casedEnd(bytes: Uint8Array, from: number, open: boolean): number {
  let at = from;
  let lastShared = UNSURE; // behind the last character that is in U and in L: where U* gives back to L+
  for (;;) {
    const found = classAt(bytes, at);
    if (found === END && open) return UNSURE;
    if (found === LOWER) return lowerEnd(bytes, at, open);
    if (found > MARK) break;
    at = next(bytes, at);
    if (found !== UPPER) lastShared = at;
  }
  return generalContractionEnd(bytes, lastShared === UNSURE ? at : lastShared, open);
}

function lowerEnd(bytes: Uint8Array, from: number, open: boolean): number {
  let at = from;
  for (;;) {
    const found = classAt(bytes, at);
    if (found === END && open) return UNSURE;
    if (found > MARK || found === UPPER) return generalContractionEnd(bytes, at, open);
    at = next(bytes, at);
  }
}

/** A mark is the prefix of `U*L+` when that matches behind it; else it stands alone as L+ (followed by upper case only). */
function markEnd(bytes: Uint8Array, start: number, open: boolean): number {
  const behind = next(bytes, start);
  let at = behind;
  for (;;) {
    const found = classAt(bytes, at);
    if (found === END && open) return UNSURE;
    if (found === LOWER || found === CASELESS || found === MARK) return casedEnd(bytes, behind, open);
    if (found !== UPPER) return generalContractionEnd(bytes, behind, open);
    at = next(bytes, at);
  }
}

/** The byte that may follow in a run of line ends: a slash (o200k_base), or none. */
const SLASH = 0x2f;
const NOTHING = -1;

/** End of ` ?[^\s\p{L}\p{N}]+[\r\n/]*` within ASCII, behind its first character. */
function fastOtherEnd(bytes: Uint8Array, from: number, among: number): number {
  let at = from;
  while (BYTE_CLASS[bytes[at] as number] === OTHER) at++;
  if ((BYTE_CLASS[bytes[at] as number] as number) > OTHER) return UNSURE;
  while (BYTE_CLASS[bytes[at] as number] === LINE_END || bytes[at] === among) at++;
  return BYTE_CLASS[bytes[at] as number] === END ? UNSURE : at;
}

/** Like `fastOtherEnd`, for any character. */
function otherEnd(bytes: Uint8Array, from: number, open: boolean, among: number): number {
  let at = from;
  let found = classAt(bytes, at);
  while (found === OTHER || found === MARK) {
    at = next(bytes, at);
    found = classAt(bytes, at);
  }
  while (found === LINE_END || bytes[at] === among) found = classAt(bytes, ++at);
  return found === END && open ? UNSURE : at;
}
