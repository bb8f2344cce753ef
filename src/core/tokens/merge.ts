import { NO_RANK, type RankTable } from './rankTable.ts';

/**
 * Pieces up to this length are merged by looking at all pairs each time, which is fastest while everything fits in a
 * few cache lines.
 */
const SHORT = 96;

/** A pair's rank and place as one number, so that a heap orders by rank and then from left to right. */
const PLACES = 2 ** 32;

/**
 * Byte-pair merging: the neighbours whose union has the lowest rank become one part, the leftmost first among equals,
 * until no two neighbours make a token.
 *
 * A merge leaves the parts in `ends`: part n reaches from the end of part n - 1 to `ends[n]`, positions in the bytes.
 */
export class Merger {
  /** The ends of the parts after the last merge. */
  ends = new Int32Array(SHORT + 1);
  readonly #table: RankTable;
  readonly #starts = new Int32Array(SHORT + 2);
  readonly #ranks = new Int32Array(SHORT + 2);
  #next = new Int32Array(0);
  #previous = new Int32Array(0);
  #pairRanks = new Int32Array(0);
  #heap = new Float64Array(0);
  #heapSize = 0;

  constructor(table: RankTable) {
    this.#table = table;
  }

  /** Merges the bytes from `start` to `end` and returns the number of parts. `view` and `bytes` show the same memory. */
  merge(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    return end - start <= SHORT ? this.#mergeShort(bytes, view, start, end) : this.#mergeLong(bytes, view, start, end);
  }

  /** O(n²), without any structure but two short arrays. */
  #mergeShort(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const table = this.#table;
    const starts = this.#starts;
    const ranks = this.#ranks; // ranks[i]: of the union of parts i and i + 1
    let count = end - start;
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

  /** O(n log n): parts form a linked list, pairs are in a heap; a pair that has changed meanwhile is skipped. */
  #mergeLong(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const length = end - start;
    this.#reserve(length);
    const table = this.#table;
    const next = this.#next; // a part is known by the place of its first byte; next is the place behind its last one
    const previous = this.#previous;
    const pairRanks = this.#pairRanks;
    this.#heapSize = 0;
    for (let place = 0; place < length; place++) {
      next[place] = place + 1;
      previous[place] = place - 1;
      pairRanks[place] =
        place < length - 1
          ? table.pairRank(bytes[start + place] as number, bytes[start + place + 1] as number)
          : NO_RANK;
      if (pairRanks[place] !== NO_RANK) this.#push((pairRanks[place] as number) * PLACES + place);
    }
    while (this.#heapSize > 0) {
      const least = this.#pop();
      const rank = (least / PLACES) | 0;
      const place = least - rank * PLACES;
      if (pairRanks[place] !== rank) continue;
      const middle = next[place] as number;
      const behind = next[middle] as number;
      pairRanks[middle] = NO_RANK;
      next[place] = behind;
      pairRanks[place] = NO_RANK;
      if (behind < length) {
        previous[behind] = place;
        this.#rankPair(view, start, place, next[behind] as number);
      }
      const before = previous[place] as number;
      if (before >= 0) this.#rankPair(view, start, before, behind);
    }
    let count = 0;
    for (let place = 0; place < length; place = next[place] as number) {
      this.ends[count++] = start + (next[place] as number);
    }
    return count;
  }

  #rankPair(view: DataView, start: number, place: number, end: number): void {
    const rank = this.#table.rank(view, start + place, end - place);
    this.#pairRanks[place] = rank;
    if (rank !== NO_RANK) this.#push(rank * PLACES + place);
  }

  #reserve(length: number): void {
    if (this.#next.length >= length) return;
    this.ends = new Int32Array(length);
    this.#next = new Int32Array(length);
    this.#previous = new Int32Array(length);
    this.#pairRanks = new Int32Array(length);
    this.#heap = new Float64Array(length * 3); // a pair a byte at first, then two a merge
  }

  #push(key: number): void {
    const heap = this.#heap;
    let at = this.#heapSize++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as number;
      if (above <= key) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = key;
  }

  #pop(): number {
    const heap = this.#heap;
    const least = heap[0] as number;
    const size = --this.#heapSize;
    const key = heap[size] as number;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && (heap[child + 1] as number) < (heap[child] as number)) child++;
      const below = heap[child] as number;
      if (below >= key) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = key;
    return least;
  }
}

function rankOfParts(table: RankTable, view: DataView, starts: Int32Array, place: number): number {
  const start = starts[place] as number;
  return table.rank(view, start, (starts[place + 2] as number) - start);
}
