import { parseJson } from '../../core/messages/parseJson.ts';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A value without brackets (a literal, a number) is at most this long, characters. */
const LONGEST_BARE = 32;

/**
 * Follows JSON that comes in pieces without parsing it: counts its values, and tells when it is complete. Looks at each
 * piece once, so the work is linear however small the pieces.
 */
export class JsonScan {
  /** Separators and openings so far, outside of strings: a million small values block a parser longer than long text. */
  values = 0;
  #depth = 0;
  #inString = false;
  /** The piece ended after a backslash. */
  #escaped = false;
  #opened = false;
  /** Text came after the end. */
  #isPast = false;

  /** A line begins: no string continues across lines. */
  nextLine(): void {
    this.#inString = false;
    this.#escaped = false;
  }

  /** Takes the next piece. */
  push(text: string): void {
    if (this.#opened && this.#depth === 0 && !this.#inString && text.trim() !== '') this.#isPast = true;
    let at = this.#escaped ? 1 : 0;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) this.#inString = !this.#inString;
      else if (this.#inString) at += code === BACKSLASH ? 1 : 0;
      else if (code === LIST || code === OBJECT) this.#open();
      else if (code === LIST_END || code === OBJECT_END) this.#depth -= 1;
      else if (code === COMMA) this.values += 1;
    }
    this.#escaped = at > text.length;
  }

  #open(): void {
    if (this.#opened && this.#depth === 0) this.#isPast = true;
    this.#opened = true;
    this.#depth += 1;
    this.values += 1;
  }

  /** Whether everything that was opened is closed, and nothing follows. `text` is all of it, for values without brackets. */
  isWhole(text: string): boolean {
    if (this.#opened) return this.#depth === 0 && !this.#inString && !this.#isPast;
    return text.length <= LONGEST_BARE && parseJson(text) !== undefined;
  }
}
