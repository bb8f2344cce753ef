/** Words in quotes, straight, typographic or back ones, of two characters or more. */
const QUOTED = /"([^"]{2,})"|“([^”]{2,})”|„([^“”]{2,})[“”]|«([^»]{2,})»|`([^`]{2,})`/g;

/** What stands in quotes in a query, each as `phraseOf` has it. */
export function quotedPhrases(query: string): readonly string[] {
  return [...query.matchAll(QUOTED)].map((match) => phraseOf(match.slice(1).find((part) => part !== undefined) ?? ''));
}

/** A text as it is compared: case, and how blanks and lines break, do not count. */
export function phraseOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

/** True where a text has a phrase (of `phraseOf`) word for word. */
export function hasPhrase(text: string, phrase: string): boolean {
  const lower = text.toLowerCase();
  if (lower.includes(phrase)) return true;
  const blank = phrase.indexOf(' ');
  return blank > 0 && lower.includes(phrase.slice(0, blank)) && phraseOf(text).includes(phrase);
}
