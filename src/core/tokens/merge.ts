import { equalBytes, LONGEST_TOKEN, NO_RANK, type RankTable } from './rankTable.ts';

/**
 * Byte-pair merging: the neighbours whose union has the lowest rank become one part, the leftmost first among equals,
 * until no two neighbours make a token.
 *
 * A merge leaves the parts in `ends`: part n reaches from the end of part n - 1 to `ends[n]`, positions in the bytes.
 */
export class Merger {
  ends = new Int32Array(0);
  readonly #table: RankTable;
  #starts = new Int32Array(0);
  #ranks = new Int32Array(0);

  constructor(table: RankTable) {
    this.#table = table;
  }

  /**
   * Merges the bytes from `start` to `end` and returns the number of parts. `view` and `bytes` show the same memory. Looks
   * at all pairs each time, O(n²): pieces are short, and everything fits in a few cache lines.
   */
  merge(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const table = this.#table;
    let count = end - start;
    if (this.ends.length < count) {
      this.ends = new Int32Array(count * 2);
      this.#starts = new Int32Array(count * 2 + 2);
      this.#ranks = new Int32Array(count * 2 + 2);
    }
    const starts = this.#starts;
    const ranks = this.#ranks; // ranks[i]: of the union of parts i and i + 1
    for (let index = 0; index < count - 1; index++) {
      starts[index] = start + index;
      ranks[index] = table.pairRank(bytes[start + index] as number, bytes[start + index + 1] as number);
    }
    starts[count - 1] = end - 1;
    starts[count] = end;
    for (;;) {
      let lowest = NO_RANK;
      let place = 0;
      for (let index = 0; index < count - 1; index++) {
        const rank = ranks[index] as number;
        if (rank < lowest) {
          lowest = rank;
          place = index;
        }
      }
      if (lowest === NO_RANK) break;
      count--;
      for (let index = place + 1; index < count; index++) {
        starts[index] = starts[index + 1] as number;
        ranks[index] = ranks[index + 1] as number;
      }
      starts[count] = end;
      if (place < count - 1) ranks[place] = rankOfParts(table, view, starts, place);
      if (place > 0) ranks[place - 1] = rankOfParts(table, view, starts, place - 1);
    }
    for (let index = 0; index < count; index++) this.ends[index] = starts[index + 1] as number;
    return count;
  }
}

function rankOfParts(table: RankTable, view: DataView, starts: Int32Array, place: number): number {
  const start = starts[place] as number;
  return table.rank(view, start, (starts[place + 2] as number) - start);
}

/** Bytes merged at once, at least two of the longest tokens. A piece longer than this is merged window by window. */
const WINDOW = 256;
/** How many tokens at a window's right edge are counted again, since what follows may change them. */
const UNSETTLED = 2;

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
  let proven: Seam = { left: start, seam: start, right: start }; // the last seam that passed the test
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
      const seam = { left, seam: from, right: endOf(0) };
      if (isSame(view, seam, proven) || isSeam(merger, { bytes, view }, seam)) proven = seam;
      else {
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

/** Two tokens: from `left` to `seam`, and from there to `right`. */
interface Seam {
  readonly left: number;
  readonly seam: number;
  readonly right: number;
}

/** True for the same two tokens at another place. */
function isSame(view: DataView, one: Seam, other: Seam): boolean {
  const [width, of] = [one.right - one.left, other.right - other.left];
  return (
    width === of && one.seam - one.left === other.seam - other.left && equalBytes(view, one.left, view, other.left, of)
  );
}

/** True when the two tokens remain two tokens when their bytes alone are merged. */
function isSeam(merger: Merger, { bytes, view }: Bytes, { left, seam, right }: Seam): boolean {
  if (right - left > 2 * LONGEST_TOKEN) throw new Error('a token longer than the longest token');
  return merger.merge(bytes, view, left, right) === 2 && merger.ends[0] === seam;
}
