const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * Counts the values of JSON that comes in pieces, by the separators and openings outside of strings, before it is
 * parsed: a million numbers of two characters block everything for longer than a text a hundred times as long.
 */
export class ValueCount {
  readonly #most: number;
  readonly #onExcess: () => void;
  #values = 0;
  #inString = false;
  /** The piece ended after a backslash. */
  #escaped = false;

  /** `onExcess` is called when there are more than `most`. */
  constructor(most: number, onExcess: () => void) {
    this.#most = most;
    this.#onExcess = onExcess;
  }

  /** Other JSON begins. */
  reset(): void {
    this.#values = 0;
    this.nextLine();
  }

  /** A line begins: no string continues across lines. */
  nextLine(): void {
    this.#inString = false;
    this.#escaped = false;
  }

  /** Takes the next piece. */
  push(text: string): void {
    let at = this.#escaped ? 1 : 0;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) this.#inString = !this.#inString;
      else if (this.#inString && code === BACKSLASH) at += 1;
      else if (!this.#inString && (code === COMMA || code === LIST || code === OBJECT)) this.#values += 1;
    }
    this.#escaped = at > text.length;
    if (this.#values > this.#most) this.#onExcess();
  }
}
