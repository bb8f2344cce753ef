import type { MessageRange } from './message.ts';

/** The name of removed content by its position: `t41` is raw message 41, `t41-58` a range. No registry is needed. */
export function handleOf(range: MessageRange): string {
  return range.from === range.to ? `t${range.from}` : `t${range.from}-${range.to}`;
}

/** What a handle names; `lines` (`t13:100-165`) count from 1, both ends included. */
export interface NamedRange extends MessageRange {
  readonly lines?: { readonly from: number; readonly to: number };
}

/** Reads a handle, alone or at the beginning of a label (`[t41 npm test · exit 1]`); undefined if there is none. */
export function parseHandle(text: string): NamedRange | undefined {
  const match = /^\[?\s*t(\d{1,9})(?:-t?(\d{1,9}))?(?::(\d{1,9})(?:-(\d{1,9}))?)?(?![\w-])/.exec(text.trim());
  if (match === null) return undefined;
  const from = Number(match[1]);
  const to = match[2] === undefined ? from : Number(match[2]);
  if (to < from) return undefined;
  if (match[3] === undefined) return { from, to };
  const last = match[4] === undefined ? Number.MAX_SAFE_INTEGER : Number(match[4]);
  return { from, to, lines: { from: Math.max(1, Number(match[3])), to: last } };
}

/** A label in brackets: a handle, then words for the reader. */
const LABEL = /\[\s*(t\d{1,9}(?:-t?\d{1,9})?(?::\d{1,9}(?:-\d{1,9})?)?)(?![\w-])[^[\]]*\]/g;

/**
 * Reads all handles of a text that begins with one, without repetitions (`t12, t40 and t55-60`, `[t12 npm test] [t40]`,
 * `t12 npm test`, `t13:100-165`). Empty if the text begins with anything else.
 */
export function parseHandles(text: string): readonly NamedRange[] {
  const words = text.replace(LABEL, ' $1 ').split(/[\s,;]+/);
  const [first, ...rest] = words.filter((word) => word !== '').map(parseHandle);
  if (first === undefined) return [];
  const found = [first, ...rest.filter((range) => range !== undefined)];
  return [
    ...new Map(found.map((range) => [`${handleOf(range)}:${range.lines?.from}-${range.lines?.to}`, range])).values(),
  ];
}
