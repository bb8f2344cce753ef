import { err, ok, type Result } from '../result.ts';

/** One replacement in a file. */
export interface TextEdit {
  readonly old_text: string;
  readonly new_text: string;
  /** Every place; otherwise the text must be there exactly once. */
  readonly all?: boolean | null | undefined;
}

/** The most line comparisons made to explain why a text was not found. */
const MOST_COMPARED = 10_000_000;

/** The numbers of lines that a change adds and removes. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Applies all replacements in order, or none and says why, for the model. Keeps the file's line ends. */
export function applyEdits(text: string, edits: readonly TextEdit[]): Result<string, string> {
  const crlf = text.includes('\r\n');
  let edited = toLf(text);
  for (const [index, edit] of edits.entries()) {
    const [from, to] = [toLf(edit.old_text), toLf(edit.new_text)];
    const name = edits.length === 1 ? 'old_text' : `old_text of edit ${index + 1}`;
    if (from === to) return err(`${name} and its new_text are the same: nothing would change.`);
    // Not `replaceAll`, which interprets patterns such as `$&` in the replacement.
    const parts = from === '' ? [edited] : edited.split(from);
    if (parts.length === 1) return err(`${name} is not in the file${describeNear(edited, from)}`);
    if (parts.length > 2 && edit.all !== true)
      return err(
        `${name} is in the file ${parts.length - 1} times. Give more of the lines around it, or set "all" to change each.`,
      );
    edited = parts.join(to);
  }
  return ok(crlf ? edited.replaceAll('\n', '\r\n') : edited);
}

/** Counts the lines from the first to the last that differ. */
export function countChangedLines(before: string, after: string): LineCounts {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return { added: now.length - start - end, removed: old.length - start - end };
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = toLf(text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Finds the place that differs in white space only, the most common mistake of models. */
function describeNear(text: string, part: string): string {
  const wanted = part.split('\n').map((line) => line.trim());
  while (wanted[0] === '') wanted.shift();
  while (wanted.at(-1) === '') wanted.pop();
  const lines = text.split('\n').map((line) => line.trim());
  const isSought = wanted.length > 0 && wanted.length * lines.length <= MOST_COMPARED;
  const at = isSought ? lines.findIndex((_, index) => wanted.every((line, k) => lines[index + k] === line)) : -1;
  return at < 0
    ? '. Read the lines that you want to change again: they may have changed.'
    : `, but line ${at + 1} has it with different white space. Copy the lines exactly as they are, without their numbers.`;
}
