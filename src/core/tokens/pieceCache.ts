import { equalBytes, SLACK } from './rankTable.ts';

/** The longest piece that is cached. Bytes. */
export const LONGEST_CACHED = 60;
const SLOT_BYTES = 64;
const SLOTS = 32_768;

/**
 * Caches the token counts of pieces that had to be merged. Each slot holds the piece's bytes and its count, so answers
 * are certain; a newer piece overwrites the slot of an older one. 2 MB, whatever is counted; no strings are kept.
 */
export class PieceCache {
  readonly #view = new DataView(new ArrayBuffer(SLOTS * SLOT_BYTES + SLACK));

  /** The count of the piece, or 0 when it is not cached. The piece has at most LONGEST_CACHED bytes. */
  find(view: DataView, start: number, length: number, hash: number): number {
    const slot = (hash & (SLOTS - 1)) * SLOT_BYTES;
    const meta = this.#view.getInt32(slot + LONGEST_CACHED, true);
    return meta >>> 16 === length && equalBytes(this.#view, slot, view, start, length) ? meta & 0xffff : 0;
  }

  keep(view: DataView, start: number, length: number, hash: number, tokens: number): void {
    const slot = (hash & (SLOTS - 1)) * SLOT_BYTES;
    for (let at = 0; at < length; at += 4) this.#view.setInt32(slot + at, view.getInt32(start + at, true), true);
    this.#view.setInt32(slot + LONGEST_CACHED, (length << 16) | tokens, true);
  }
}
