import { parseJson } from '../../core/messages/parseJson.ts';

/** What opens or closes an object, a list or a string, and what escapes the next character of a string. */
const MARKS = /[{}[\]"]|\\.?/gs;

/** A value without such marks (a literal, a number) is at most this long, characters. */
const LONGEST_BARE = 32;

/**
 * Tells whether JSON that comes in pieces is complete. Each piece is looked at once, and the text is parsed at most
 * once after everything that was opened is closed: the work grows with the text, however small its pieces are.
 */
export class JsonEnd {
  #depth = 0;
  #inString = false;
  #opened = false;
  /** The piece ended after a backslash. */
  #escaped = false;
  /** The verdict on the text so far; undefined until somebody asks. */
  #verdict: boolean | undefined;

  /** Takes the next piece of the text. */
  push(piece: string): void {
    if (piece.trim() === '') return;
    // Nothing may come after a complete value.
    if (this.#verdict === true) this.#depth = Number.POSITIVE_INFINITY;
    this.#verdict = undefined;
    MARKS.lastIndex = this.#escaped ? 1 : 0;
    this.#escaped = false;
    for (let mark = MARKS.exec(piece); mark !== null; mark = MARKS.exec(piece)) this.#take(mark[0]);
  }

  /** Whether the text so far, with all its pieces, is one JSON value. */
  isWhole(text: string): boolean {
    if (this.#inString || this.#depth !== 0 || (!this.#opened && text.length > LONGEST_BARE)) return false;
    this.#verdict ??= parseJson(text) !== undefined;
    // Everything is closed and this is still not a value: further pieces cannot make it one.
    if (this.#opened && !this.#verdict) this.#depth = Number.POSITIVE_INFINITY;
    return this.#verdict;
  }

  #take(mark: string): void {
    if (mark.startsWith('\\')) {
      this.#escaped = this.#inString && mark.length === 1;
      return;
    }
    this.#opened = true;
    if (mark === '"') this.#inString = !this.#inString;
    else if (!this.#inString) this.#depth += mark === '{' || mark === '[' ? 1 : -1;
  }
}
