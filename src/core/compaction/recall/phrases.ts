/** Text in quotation marks (straight, typographic) or backticks, of two characters or more. */
const QUOTED = /"([^"]{2,})"|“([^”]{2,})”|„([^“”]{2,})[“”]|«([^»]{2,})»|`([^`]{2,})`/g;

/** The quoted phrases of a query, in the form of `phraseOf`. */
export function quotedPhrases(query: string): readonly string[] {
  return [...query.matchAll(QUOTED)].map((match) => phraseOf(match.slice(1).find((part) => part !== undefined) ?? ''));
}

/** A text in the form in which it is compared: case and white space do not count. */
export function phraseOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

/** True when a text has a phrase (of `phraseOf`) word for word. */
export function hasPhrase(text: string, phrase: string): boolean {
  const lower = text.toLowerCase();
  if (lower.includes(phrase)) return true;
  const blank = phrase.indexOf(' ');
  return blank > 0 && lower.includes(phrase.slice(0, blank)) && phraseOf(text).includes(phrase);
}
