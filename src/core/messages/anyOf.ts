/**
 * One expression that matches any of its parts: a long alternation in readable pieces. It takes the flags of the first
 * part; the others must have the same.
 */
export function anyOf(...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map((part) => part.source).join('|'), parts[0]?.flags);
}

/** The same as a source text, for a group within a larger expression. */
export function groupOf(...parts: readonly RegExp[]): string {
  return `(?:${anyOf(...parts).source})`;
}
