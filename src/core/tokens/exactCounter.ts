import type { Steps } from '../steps.ts';
import type { Encoding, TextCounter, TokenCount } from './counter.ts';
import { countLongPiece, Merger } from './merge.ts';
import { ByteBuffer, pieceEnd, UNSURE } from './pieces.ts';
import { equalBytes, hashBytes, LONGEST_TOKEN, NO_RANK, type RankTable, SLACK } from './rankTable.ts';

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

/** Counts the tokens of bytes, piece by piece. */
export class PieceCounter {
  readonly encoding: Encoding;
  readonly #table: RankTable;
  readonly #merger: Merger;
  readonly #cache = new PieceCache();

  constructor(encoding: Encoding, table: RankTable) {
    this.encoding = encoding;
    this.#table = table;
    this.#merger = new Merger(table);
  }

  /** Counts and removes every piece of the buffer; if `open`, not a piece that more text could change. */
  settle(buffer: ByteBuffer, open: boolean): number {
    const { bytes, view, end } = buffer;
    let tokens = 0;
    let start = buffer.start;
    while (start < end) {
      const next = pieceEnd(buffer, start, open);
      if (next === UNSURE) break;
      tokens += this.#countPiece(bytes, view, start, next);
      start = next;
    }
    buffer.start = start;
    return tokens;
  }

  #countPiece(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const length = end - start;
    if (length === 1) return 1; // every byte is a token
    if (length === 2)
      return this.#table.pairRank(bytes[start] as number, bytes[start + 1] as number) === NO_RANK ? 2 : 1;
    if (length > LONGEST_TOKEN) return countLongPiece(this.#merger, { bytes, view }, { start, end });
    const hash = hashBytes(view, start, length);
    if (this.#table.rankOfHash(view, start, length, hash) !== NO_RANK) return 1;
    if (length > LONGEST_CACHED) return this.#merger.merge(bytes, view, start, end);
    const known = this.#cache.find(view, start, length, hash);
    if (known > 0) return known;
    const tokens = this.#merger.merge(bytes, view, start, end);
    this.#cache.keep(view, start, length, hash, tokens);
    return tokens;
  }
}

/** UTF-16 units encoded at once; their bytes stay in the processor's cache. */
const BLOCK = 16_384;
/** A buffer that a long piece made larger than this is released when the text ends. Bytes. */
const BUFFER_KEPT = 4 * BLOCK;
/** A tail up to this size is looked through at each part; a longer one when it has grown by the factor. Bytes. */
const SHORT_TAIL = 4096;
const GROWTH = 1.25;

/** Counts a text that arrives in parts, wherever it is cut. A part costs the same whatever came before it. */
export class TextStream {
  readonly #pieces: PieceCounter;
  #buffer: ByteBuffer;
  #settled = 0;
  #held = ''; // the first half of a surrogate pair, until the second comes
  #settleAt = 0; // size of the tail at which it is worth looking for complete pieces again

  constructor(pieces: PieceCounter) {
    this.#pieces = pieces;
    this.#buffer = new ByteBuffer(SHORT_TAIL, pieces.encoding);
  }

  append(part: string): void {
    const text = this.#held + part;
    const end = wholeCharacters(text, text.length);
    this.#held = text.slice(end);
    for (let at = 0; at < end; ) {
      const blockEnd = end - at <= BLOCK ? end : wholeCharacters(text, at + BLOCK);
      this.#buffer.append(at === 0 && blockEnd === text.length ? text : text.slice(at, blockEnd));
      at = blockEnd;
      if (this.#buffer.length >= this.#settleAt) this.#settle();
    }
  }

  /** Ends the text: returns its exact number of tokens and prepares the stream for another one. */
  finish(): number {
    if (this.#held !== '') this.#buffer.append(this.#held);
    const tokens = this.#settled + this.#pieces.settle(this.#buffer, false);
    this.#held = '';
    this.#settled = 0;
    this.#settleAt = 0;
    if (this.#buffer.bytes.length > BUFFER_KEPT) this.#buffer = new ByteBuffer(BUFFER_KEPT, this.#pieces.encoding);
    else this.#buffer.clear();
    return tokens;
  }

  #settle(): void {
    this.#settled += this.#pieces.settle(this.#buffer, true);
    const tail = this.#buffer.length;
    this.#settleAt = tail <= SHORT_TAIL ? 0 : tail * GROWTH;
  }
}

/** The end of the characters that are complete before `wanted`: never between the halves of a surrogate pair. */
function wholeCharacters(text: string, wanted: number): number {
  const last = text.charCodeAt(wanted - 1);
  return last >= 0xd800 && last < 0xdc00 ? wanted - 1 : wanted;
}

/** UTF-16 units that are counted between two steps. */
const STEP = 8192;

/**
 * Counts tokens exactly, at once, in the calling thread: O(n log n) on any text. Special tokens in the text are
 * counted as text. Equal to js-tiktoken's `encode(text, [], []).length`.
 */
export class ExactCounter implements TextCounter {
  readonly encoding: Encoding;
  readonly #pieces: PieceCounter;
  readonly #whole: TextStream;

  constructor(encoding: Encoding, table: RankTable) {
    this.encoding = encoding;
    this.#pieces = new PieceCounter(encoding, table);
    this.#whole = new TextStream(this.#pieces);
  }

  count(text: string): TokenCount {
    return { tokens: this.countTokens(text), source: 'counted' };
  }

  *countInSteps(text: string): Steps<TokenCount> {
    // A separate stream, since other texts may be counted between two steps.
    const stream = this.stream();
    for (let at = 0; at < text.length; at += STEP) {
      stream.append(text.slice(at, at + STEP));
      yield;
    }
    return { tokens: stream.finish(), source: 'counted' };
  }

  countTokens(text: string): number {
    this.#whole.append(text);
    return this.#whole.finish();
  }

  stream(): TextStream {
    return new TextStream(this.#pieces);
  }
}
