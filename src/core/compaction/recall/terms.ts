/**
 * A run of letters and digits, with the characters that join the parts of a name: `src/a.ts`, `foo.bar`, `no-verify`,
 * `max_tokens`.
 */
const NAME = /[\p{L}\p{M}\p{N}_$]+(?:[-./\\:@#+]+[\p{L}\p{M}\p{N}_$]+)*/gu;
const PATH_JOINT = /[/\\:@#+]+/;
const WORD_JOINT = /[-._$]+/;
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const ASCII_ONLY = /^[\x20-\x7e]*$/;
const JOINED = /[^\p{L}\p{M}\p{N}]/u;

/** A longer run is not a name that somebody would search for (base64, a minified line). Characters. */
const LONGEST_TERM = 80;

/**
 * Inflected forms of a word begin alike in most languages, so of a longer plain word only this many letters count.
 * (Truncation at 5 or 6 does about as well as a stemmer for each language: McNamee and Mayfield 2004.)
 */
const WORD_BEGINNING = 6;

/** One word or name of a query: it matches where its whole occurs, or all of its parts. */
export interface Wanted {
  /** As it was written. */
  readonly text: string;
  readonly whole: string;
  /** Empty for a plain word. */
  readonly parts: readonly string[];
}

/** The terms under which a text can be found: names both whole and in parts, case folded. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [name] of text.matchAll(NAME)) {
    if (name.length > LONGEST_TERM) continue;
    const parts = partsOf(name);
    const whole = wholeOf(name, parts);
    if (parts.length === 0 || !isSpaceless(name)) terms.push(whole);
    // A name that somebody writes in small letters looks like a plain word, so it is also indexed by its beginning.
    if (parts.length > 0 && fold(name) !== whole) terms.push(fold(name));
    for (const part of parts) terms.push(part);
  }
  return terms.filter(isTerm);
}

/** The words and names of a query, without repetitions. */
export function wantedOf(query: string): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const [name] of query.matchAll(NAME)) {
    const parts = partsOf(name);
    const whole = wholeOf(name, parts);
    if (name.length <= LONGEST_TERM && isTerm(whole)) wanted.set(whole, { text: name, whole, parts });
  }
  return [...wanted.values()];
}

function wholeOf(name: string, parts: readonly string[]): string {
  return parts.length > 0 ? name.toLowerCase() : fold(name);
}

function partsOf(name: string): string[] {
  if (isSpaceless(name)) return pairs(name);
  const parts = new Set<string>();
  for (const segment of name.split(PATH_JOINT)) {
    if (segment !== name) parts.add(fold(segment));
    for (const word of segment.split(WORD_JOINT)) {
      if (word !== name) parts.add(fold(word));
      const humps = word.split(HUMP);
      if (humps.length > 1) for (const hump of humps) parts.add(fold(hump));
    }
  }
  parts.delete('');
  return [...parts].filter(isTerm);
}

/** Scripts without spaces between words are searched by pairs of characters. */
function pairs(text: string): string[] {
  const characters = [...text];
  if (characters.length === 1) return [];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`.toLowerCase());
}

function isSpaceless(text: string): boolean {
  return !ASCII_ONLY.test(text) && SPACELESS.test(text);
}

function fold(word: string): string {
  const lower = word.toLowerCase();
  return lower.length <= WORD_BEGINNING || /\p{N}/u.test(lower) || JOINED.test(lower)
    ? lower
    : lower.slice(0, WORD_BEGINNING);
}

/** Single Latin letters are no terms; digits are, and characters that are words by themselves. */
function isTerm(term: string): boolean {
  return term.length > 1 || (term !== '' && !/[a-z_$]/.test(term));
}
