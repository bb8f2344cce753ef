/**
 * One expression of which any part may match: a long alternation in named or at least readable parts. It has the flags
 * of the first part; the others have the same.
 */
export function anyOf(...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map((part) => part.source).join('|'), parts[0]?.flags);
}

/** The same as a group of a larger expression. */
export function groupOf(...parts: readonly RegExp[]): string {
  return `(?:${anyOf(...parts).source})`;
}
