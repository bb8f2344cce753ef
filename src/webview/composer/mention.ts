/** An `@` with what was typed after it, up to the caret. */
export interface Mention {
  /** Where the `@` is. */
  readonly from: number;
  readonly typed: string;
}

/** The mention that is being typed; none inside a word (`a@b.c`) or after a space. */
export function mentionAt(text: string, caret: number): Mention | undefined {
  const found = /(?:^|[\s([{"'`])@([^\s@]{0,200})$/u.exec(text.slice(0, caret));
  if (found === null) return undefined;
  const typed = found[1] ?? '';
  return { from: caret - typed.length - 1, typed };
}

/** Replaces what was typed by a path and a space, after which the caret goes. */
export function insertPath(
  text: string,
  { from, typed }: Mention,
  path: string,
): { readonly text: string; readonly caret: number } {
  const before = `${text.slice(0, from)}@${path} `;
  return { text: before + text.slice(from + 1 + typed.length).replace(/^ /, ''), caret: before.length };
}
