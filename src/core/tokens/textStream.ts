import { ByteBuffer } from './byteBuffer.ts';
import type { StreamCount, TokenCount } from './counter.ts';
import type { PieceCounter } from './pieceCounter.ts';

/** UTF-16 units encoded at once; their bytes stay in the processor's cache. */
const BLOCK = 16_384;
/** A buffer that a long piece made larger than this is released when the text ends. Bytes. */
const BUFFER_KEPT = 4 * BLOCK;
/** The end of a text is counted anew at each request while it is at most this long. Bytes. */
const SHORT_TAIL = 4096;
/**
 * By what factor a longer tail must grow before it is looked at again, so that the work stays proportional to the text.
 */
const GROWTH = 1.25;

/**
 * Counts a text that arrives in parts, wherever it is cut: pieces that can no longer change are counted and removed, so
 * the cost of a part does not depend on the parts before it.
 */
export class TextStream implements StreamCount {
  readonly #pieces: PieceCounter;
  #buffer: ByteBuffer;
  #settled = 0;
  #held = ''; // the first half of a surrogate pair, until the second comes
  #settleAt = 0; // size of the tail at which it is worth looking for complete pieces again
  #tail = { bytes: 0, tokens: 0 };

  constructor(pieces: PieceCounter, capacity = SHORT_TAIL) {
    this.#pieces = pieces;
    this.#buffer = new ByteBuffer(capacity);
  }

  /** Bytes of the unfinished piece at the end, which are counted only when it ends. */
  get waitingBytes(): number {
    return this.#buffer.length;
  }

  /** Takes the next part of the text. */
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

  /**
   * Tokens of the complete characters so far: exact while the unfinished last piece is below 4 kB. For a longer one (a
   * single run of letters or white space) it is an estimate from the last look at it; `finish` is always exact.
   */
  count(): TokenCount {
    const bytes = this.#buffer.length;
    if (bytes <= SHORT_TAIL || bytes >= this.#tail.bytes * GROWTH) this.#tail = { bytes, tokens: this.#peek() };
    const { bytes: seen, tokens } = this.#tail;
    if (seen === bytes) return { tokens: this.#settled + tokens, source: 'counted' };
    return { tokens: this.#settled + Math.ceil((tokens * bytes) / seen), source: 'estimated' };
  }

  /** Ends the text: returns its exact number of tokens and prepares the stream for another one. */
  finish(): number {
    if (this.#held !== '') this.#buffer.append(this.#held);
    const tokens = this.#settled + this.#pieces.settle(this.#buffer, false);
    this.#held = '';
    this.#settled = 0;
    this.#settleAt = 0;
    this.#tail = { bytes: 0, tokens: 0 };
    if (this.#buffer.bytes.length > BUFFER_KEPT) this.#buffer = new ByteBuffer(BUFFER_KEPT);
    else this.#buffer.clear();
    return tokens;
  }

  #settle(): void {
    this.#settled += this.#pieces.settle(this.#buffer, true);
    const tail = this.#buffer.length;
    this.#settleAt = tail <= SHORT_TAIL ? 0 : tail * GROWTH;
  }

  /** The tokens of the tail if the text ended here; keeps the tail. */
  #peek(): number {
    const { start } = this.#buffer;
    const tokens = this.#pieces.settle(this.#buffer, false);
    this.#buffer.start = start;
    return tokens;
  }
}

/** The end of the characters that are complete before `wanted`: never between the halves of a surrogate pair. */
function wholeCharacters(text: string, wanted: number): number {
  const last = text.charCodeAt(wanted - 1);
  return last >= 0xd800 && last < 0xdc00 ? wanted - 1 : wanted;
}
