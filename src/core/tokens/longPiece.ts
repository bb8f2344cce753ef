import type { Merger } from './merge.ts';
import { equalBytes, LONGEST_TOKEN } from './rankTable.ts';

/** Bytes merged at once. A piece longer than this is merged window by window. */
export const WINDOW = 4096;
/** How many tokens at a window's right edge are counted again, since what follows may change them. */
const UNSETTLED = 8;

/** A merged window: the ends of its tokens. */
interface Window {
  readonly from: number;
  readonly length: number;
  readonly ends: Int32Array;
}

interface Bytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/**
 * Counts the tokens of a piece of any length in memory that does not grow with it.
 *
 * The seam between two windows is exact, not approximate: the encoding of A followed by the encoding of B is the
 * encoding of AB if, and only if, the last token of A and the first token of B, merged alone, stay these two tokens
 * (every two neighbours of an encoding have that property, and a sequence in which all have it is an encoding; shown
 * in the README of github/rust-gems, crate `bpe`). So the right edge of each window is given back, the next window starts
 * there, and when the seam fails the test, it moves left by a token.
 */
export function countLongPiece(
  merger: Merger,
  source: Bytes,
  { start, end, window = WINDOW }: { start: number; end: number; window?: number },
): number {
  for (let width = window; ; width *= 2) {
    const tokens = countByWindows(merger, source, { start, end, window: width });
    if (tokens !== undefined) return tokens;
  }
}

/** `undefined` when no seam within a window passed the test: then the windows must be wider. */
function countByWindows(
  merger: Merger,
  { bytes, view }: Bytes,
  { start, end, window }: { start: number; end: number; window: number },
): number | undefined {
  let settled = 0; // tokens whose end is at or before `from`
  let from = start;
  let last: Window = { from: start, length: 0, ends: new Int32Array(0) };
  let before: number[] = []; // starts of the settled tokens at which a seam can still be, the last one last
  for (;;) {
    const to = Math.min(from + window, end);
    if (!(to - from === last.length && equalBytes(view, from, view, last.from, last.length))) {
      const count = merger.merge(bytes, view, from, to);
      last = { from, length: to - from, ends: merger.ends.slice(0, count) };
    }
    const shift = from - last.from; // a window with the bytes of the one before has its tokens
    const count = last.ends.length;
    const endOf = (token: number): number => (last.ends[token] as number) + shift;
    if (from > start) {
      const left = before.at(-1) as number; // never empty: a window settles at least one token
      if (!isSeam(merger, { bytes, view }, { left, seam: from, right: endOf(0) })) {
        if (before.length === 1) return undefined;
        before.pop();
        settled--;
        from = left;
        continue;
      }
    }
    if (to === end) return settled + count;
    const keep = Math.max(1, count - UNSETTLED);
    before = [from];
    for (let token = 0; token < keep - 1; token++) before.push(endOf(token));
    settled += keep;
    from = endOf(keep - 1);
  }
}

/** True when the two tokens remain two tokens when their bytes alone are merged. */
function isSeam(merger: Merger, source: Bytes, at: { left: number; seam: number; right: number }): boolean {
  if (at.right - at.left > 2 * LONGEST_TOKEN) throw new Error('a token longer than the longest token');
  const count = merger.merge(source.bytes, source.view, at.left, at.right);
  return count === 2 && merger.ends[0] === at.seam;
}
