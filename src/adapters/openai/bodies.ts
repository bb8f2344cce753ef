import { parseJson } from '../../core/chat/parseJson.ts';

/** How a line of an event stream begins. */
const EVENT_LINE = /^(?:data|event|id|retry)?:/;

/** How something that is not an event stream begins, whatever its label says: JSON, or a web page. */
const OTHER_TEXT = /^[{[<]/;

/** Encodings in which a body cannot be read as text. */
const ENCODED = /gzip|deflate|br|zstd|compress/i;

/** The most characters read to decide what an unlabelled body is. */
const ENOUGH_TO_TELL = 64;

/** Whether a body is compressed, though nothing asked for that, by its label or its first bytes. */
export function isCompressed(headers: Headers, bytes?: Uint8Array): boolean {
  return ENCODED.test(headers.get('content-encoding') ?? '') || (bytes?.[0] === 0x1f && bytes[1] === 0x8b);
}

/** Tells what a body is by its beginning, since labels can be wrong; undefined until that says enough. */
export function tellBody(start: string, isLabelled: boolean): 'events' | 'text' | undefined {
  if (EVENT_LINE.test(start)) return 'events';
  if (OTHER_TEXT.test(start)) return 'text';
  if (isLabelled && start !== '') return 'events';
  return start.length >= ENOUGH_TO_TELL ? 'text' : undefined;
}

/** Collects a body that is not an event stream. */
export class TextReader {
  text = '';
  /** The text is complete JSON: no more is needed, and a failure after it does not matter. */
  isWhole = false;
  readonly #scan = new JsonScan();
  readonly #onValues: (values: number) => void;

  /** `onValues` is called with the number of JSON values so far; it may throw. */
  constructor(onValues: (values: number) => void) {
    this.#onValues = onValues;
  }

  push(piece: string): void {
    this.#scan.push(piece);
    this.#onValues(this.#scan.values);
    this.text += piece;
    // A bare number may continue, so only something that ends with a bracket can be whole.
    this.isWhole ||= JSON_END.test(piece.slice(-JSON_TAIL)) && this.#scan.isWhole(this.text);
  }
}

/** Whether a text can be whole JSON, judged by its last few characters. */
const JSON_END = /[}\]]\s*$/;
const JSON_TAIL = 64;

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
