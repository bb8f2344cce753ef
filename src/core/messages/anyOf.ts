/** Joins expressions with the same flags into one that matches any of them: a long alternation in readable pieces. */
export function anyOf(...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map((part) => part.source).join('|'), parts[0]?.flags);
}

/** The source of `anyOf` as a group within a larger expression. */
export function groupOf(...parts: readonly RegExp[]): string {
  return `(?:${anyOf(...parts).source})`;
}
