/** An `@` with what was typed behind it, up to the caret. */
export interface Mention {
  /** Where the `@` stands. */
  readonly from: number;
  readonly typed: string;
}

/** The mention that is being typed; none inside of a word (`a@b.c`) or behind a space. */
export function mentionAt(text: string, caret: number): Mention | undefined {
  const found = /(?:^|[\s([{"'`])@([^\s@]{0,200})$/u.exec(text.slice(0, caret));
  if (found === null) return undefined;
  const typed = found[1] ?? '';
  return { from: caret - typed.length - 1, typed };
}

/** Puts a path in the place of what was typed; with a space behind it, where the caret goes. */
export function insertPath(
  text: string,
  { from, typed }: Mention,
  path: string,
): { readonly text: string; readonly caret: number } {
  const before = `${text.slice(0, from)}@${path} `;
  return { text: before + text.slice(from + 1 + typed.length).replace(/^ /, ''), caret: before.length };
}
