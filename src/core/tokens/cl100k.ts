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
export const CL100K: PreTokenizer = { fast, general };

function fast(bytes: Uint8Array, start: number): number {
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
      if (first === OTHER) return fastOtherEnd(bytes, start + 1);
      if (second === OTHER && isBlank(bytes, start)) return fastOtherEnd(bytes, start + 2);
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

function fastOtherEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (BYTE_CLASS[bytes[at] as number] === OTHER) at++;
  if ((BYTE_CLASS[bytes[at] as number] as number) > OTHER) return UNSURE;
  while (BYTE_CLASS[bytes[at] as number] === LINE_END) at++;
  return BYTE_CLASS[bytes[at] as number] === END ? UNSURE : at;
}

function general(bytes: Uint8Array, start: number, open: boolean): number {
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
      if (first !== SPACE) return otherEnd(bytes, behind, open);
      if ((second === OTHER || second === MARK) && isBlank(bytes, start)) return otherEnd(bytes, behind, open);
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

function otherEnd(bytes: Uint8Array, from: number, open: boolean): number {
  let at = from;
  let found = classAt(bytes, at);
  while (found === OTHER || found === MARK) {
    at = next(bytes, at);
    found = classAt(bytes, at);
  }
  while (found === LINE_END) found = classAt(bytes, ++at);
  return found === END && open ? UNSURE : at;
}
