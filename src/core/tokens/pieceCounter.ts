import type { Encoding } from '../profile/profile.ts';
import type { ByteBuffer } from './byteBuffer.ts';
import { CL100K } from './cl100k.ts';
import { countLongPiece, WINDOW } from './longPiece.ts';
import { Merger } from './merge.ts';
import { O200K } from './o200k.ts';
import { LONGEST_CACHED, PieceCache } from './pieceCache.ts';
import { type PreTokenizer, UNSURE } from './pieces.ts';
import { hashBytes, LONGEST_TOKEN, NO_RANK, type RankTable } from './rankTable.ts';

const PRE_TOKENIZERS: Readonly<Record<Encoding, PreTokenizer>> = { o200k_base: O200K, cl100k_base: CL100K };

/** Counts the tokens of bytes, piece by piece. */
export class PieceCounter {
  readonly #preTokenizer: PreTokenizer;
  readonly #table: RankTable;
  readonly #merger: Merger;
  readonly #cache = new PieceCache();

  constructor(encoding: Encoding, table: RankTable) {
    this.#preTokenizer = PRE_TOKENIZERS[encoding];
    this.#table = table;
    this.#merger = new Merger(table);
  }

  /**
   * Counts every piece of the buffer and removes it. `open`: more text may follow, so a piece that it could change
   * stays.
   */
  settle(buffer: ByteBuffer, open: boolean): number {
    const tokenizer = this.#preTokenizer;
    const { bytes, view, end } = buffer;
    let tokens = 0;
    let start = buffer.start;
    while (start < end) {
      let pieceEnd = tokenizer.fast(bytes, start);
      if (pieceEnd === UNSURE) pieceEnd = tokenizer.general(bytes, start, open);
      if (pieceEnd === UNSURE) break;
      tokens += this.#countPiece(bytes, view, start, pieceEnd);
      start = pieceEnd;
    }
    buffer.start = start;
    return tokens;
  }

  #countPiece(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const length = end - start;
    if (length === 1) return 1; // every byte is a token
    if (length === 2)
      return this.#table.pairRank(bytes[start] as number, bytes[start + 1] as number) === NO_RANK ? 2 : 1;
    if (length > LONGEST_TOKEN) return this.#countLong(bytes, view, start, end);
    const hash = hashBytes(view, start, length);
    if (this.#table.rankOfHash(view, start, length, hash) !== NO_RANK) return 1;
    if (length > LONGEST_CACHED) return this.#merger.merge(bytes, view, start, end);
    const known = this.#cache.find(view, start, length, hash);
    if (known > 0) return known;
    const tokens = this.#merger.merge(bytes, view, start, end);
    this.#cache.keep(view, start, length, hash, tokens);
    return tokens;
  }

  #countLong(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    return end - start <= WINDOW
      ? this.#merger.merge(bytes, view, start, end)
      : countLongPiece(this.#merger, { bytes, view }, { start, end });
  }
}
