import { END_BYTE } from './characters.ts';
import { SLACK } from './rankTable.ts';

const encoder = new TextEncoder();
/** Below this length a loop is quicker than a call of the encoder. */
const SMALL = 64;
/** The most UTF-8 bytes for one UTF-16 unit. */
const BYTES_PER_UNIT = 3;

/** UTF-8 bytes waiting to be counted, from `start` to `end`, followed by END_BYTE. */
export class ByteBuffer {
  bytes: Uint8Array;
  view: DataView;
  start = 0;
  end = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
    this.bytes[0] = END_BYTE;
  }

  get length(): number {
    return this.end - this.start;
  }

  clear(): void {
    this.start = 0;
    this.end = 0;
    this.bytes[0] = END_BYTE;
  }

  /** Adds a text; a lone surrogate becomes U+FFFD, as with other encoders. */
  append(text: string): void {
    this.#makeRoom(text.length * BYTES_PER_UNIT);
    if (text.length > SMALL || !this.#appendAscii(text)) {
      this.end += encoder.encodeInto(text, this.bytes.subarray(this.end)).written;
    }
    this.bytes[this.end] = END_BYTE;
  }

  #appendAscii(text: string): boolean {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) return false;
      this.bytes[this.end + index] = code;
    }
    this.end += text.length;
    return true;
  }

  #makeRoom(size: number): void {
    if (this.end + size + SLACK <= this.bytes.length) return;
    const waiting = this.bytes.subarray(this.start, this.end);
    const needed = waiting.length + size + SLACK;
    if (needed > this.bytes.length) {
      this.bytes = new Uint8Array(Math.max(needed, this.bytes.length * 2));
      this.view = new DataView(this.bytes.buffer);
    }
    this.bytes.set(waiting);
    this.end -= this.start;
    this.start = 0;
  }
}
