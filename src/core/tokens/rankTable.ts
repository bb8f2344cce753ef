import type { Steps } from '../steps.ts';

/** The ranks of an encoding in typed arrays. Neighbours of the lowest rank merge first; what has a rank is a token. */
interface RankArrays {
  /**
   * Open-addressing hash table, four words per slot: the token's hash, the offset of its bytes in `bytes`, and
   * `length << 18 | rank`; 0 marks a free slot.
   */
  readonly slots: Int32Array;
  /** Rank of every two-byte token by `first | second << 8`; NO_RANK where there is none. */
  readonly pairs: Int32Array;
  /** Bytes of all tokens in rank order, followed by SLACK bytes. */
  readonly bytes: Uint8Array;
}

/** Greater than any rank: "these bytes are no token". */
export const NO_RANK = 0x3ffff;
/** Both public vocabularies have no longer token (o200k_base: 128 spaces). */
export const LONGEST_TOKEN = 128;
/** How many bytes may be read past the end of a byte array that is looked up. */
export const SLACK = 16;

const RANK_BITS = 18;
const MASKS = Int32Array.of(-1, 0xff, 0xffff, 0xffffff);

/** Hash of `length` bytes at `start`, read four at a time. */
export function hashBytes(view: DataView, start: number, length: number): number {
  const whole = start + (length & ~3);
  let hash = length;
  for (let at = start; at < whole; at += 4)
    hash = Math.imul(hash ^ view.getInt32(at, true), 0x2c1b3c6d) ^ (hash >>> 15);
  const rest = length & 3;
  if (rest > 0) {
    hash = Math.imul(hash ^ (view.getInt32(whole, true) & (MASKS[rest] as number)), 0x2c1b3c6d) ^ (hash >>> 15);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x297a2d39);
  return hash ^ (hash >>> 15);
}

/** True when `length` bytes at `a` and at `b` are equal. Both views have SLACK bytes after their last one. */
export function equalBytes(left: DataView, a: number, right: DataView, b: number, length: number): boolean {
  const whole = length & ~3;
  for (let at = 0; at < whole; at += 4) {
    if (left.getInt32(a + at, true) !== right.getInt32(b + at, true)) return false;
  }
  const rest = length & 3;
  if (rest === 0) return true;
  return ((left.getInt32(a + whole, true) ^ right.getInt32(b + whole, true)) & (MASKS[rest] as number)) === 0;
}

/** Looks tokens up. */
export class RankTable {
  readonly #slots: Int32Array;
  readonly #pairs: Int32Array;
  readonly #bytes: DataView;
  readonly #mask: number;

  constructor(arrays: RankArrays) {
    this.#slots = arrays.slots;
    this.#pairs = arrays.pairs;
    this.#bytes = new DataView(arrays.bytes.buffer, arrays.bytes.byteOffset, arrays.bytes.byteLength);
    this.#mask = arrays.slots.length / 4 - 1;
  }

  /** Rank of the two-byte token `first`, `second`, or NO_RANK. */
  pairRank(first: number, second: number): number {
    return this.#pairs[first | (second << 8)] as number;
  }

  /** Rank of the bytes, or NO_RANK. SLACK bytes after them must be readable. */
  rank(view: DataView, start: number, length: number): number {
    if (length > LONGEST_TOKEN) return NO_RANK;
    return this.rankOfHash(view, start, length, hashBytes(view, start, length));
  }

  /** Like `rank`, for bytes of at most LONGEST_TOKEN whose hash is known. */
  rankOfHash(view: DataView, start: number, length: number, hash: number): number {
    const slots = this.#slots;
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot << 2;
      const meta = slots[at + 2] as number;
      if (meta === 0) return NO_RANK;
      if (
        slots[at] === hash &&
        meta >>> RANK_BITS === length &&
        equalBytes(this.#bytes, slots[at + 1] as number, view, start, length)
      ) {
        return meta & NO_RANK;
      }
    }
  }
}

/** An encoding's tokens in rank order, in packed form: the length of each, then the bytes of all. */
export interface PackedTokens {
  readonly lengths: Uint8Array;
  readonly bytes: Uint8Array;
}

/** How many tokens are put into a table between two steps. */
const TOKENS_AT_ONCE = 1_024;

/** Builds the table of an encoding, in steps. */
export function* buildRankTable(tokens: PackedTokens): Steps<RankTable> {
  const { lengths } = tokens;
  const slotCount = 2 ** Math.ceil(Math.log2(lengths.length * 2));
  const bytes = new Uint8Array(tokens.bytes.length + SLACK);
  bytes.set(tokens.bytes);
  const view = new DataView(bytes.buffer);
  const slots = new Int32Array(slotCount * 4);
  const pairs = new Int32Array(0x10000).fill(NO_RANK);
  let start = 0;
  for (let rank = 0; rank < lengths.length; rank++) {
    const length = lengths[rank] as number;
    const hash = hashBytes(view, start, length);
    const at = freeSlot(slots, slotCount - 1, hash) << 2;
    slots[at] = hash;
    slots[at + 1] = start;
    slots[at + 2] = (length << RANK_BITS) | rank;
    if (length === 2) pairs[(bytes[start] as number) | ((bytes[start + 1] as number) << 8)] = rank;
    start += length;
    if (rank % TOKENS_AT_ONCE === 0) yield;
  }
  return new RankTable({ slots, pairs, bytes });
}

function freeSlot(slots: Int32Array, mask: number, hash: number): number {
  let slot = hash & mask;
  while (slots[(slot << 2) + 2] !== 0) slot = (slot + 1) & mask;
  return slot;
}
