import { JsonScan } from './jsonScan.ts';

/** How a line of an event stream begins. */
const EVENT_LINE = /^(?:data|event|id|retry)?:/;

/** How something that is not an event stream begins, whatever its label says: JSON, or a web page. */
const OTHER_TEXT = /^[{[<]/;

/** Encodings in which a body cannot be read as text. */
const ENCODED = /gzip|deflate|br|zstd|compress/i;

/** The number of characters read at most to decide what an unlabelled body is. */
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

/** Puts together a body that is no event stream. */
export class TextReader {
  text = '';
  /** The text so far is whole JSON: nothing more needs to follow, and a failure after it is none. */
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

/** The data of the last event of a stream. */
export const DONE = '[DONE]';

/** A line end: an event stream may use any of the three. */
const LINE_END = /\r\n|\n|\r/g;

/**
 * Takes the text of an event stream apart. Comments, events without data and all fields but `data` are left out, as the
 * standard says; events that a server separates with one line end instead of two are told apart.
 */
export class EventReader {
  #scan = new JsonScan();
  readonly #onValues: (values: number) => void;
  /** The pieces of a line without an end. */
  #pieces: string[] = [];
  #afterReturn = false;
  /** The data lines of an event without an end. */
  #data: string[] = [];

  /** `onValues` is called with the number of JSON values of the event so far; it may throw. */
  constructor(onValues: (values: number) => void) {
    this.#onValues = onValues;
  }

  /** Takes the next piece of the stream; returns the data of the events that are complete. */
  push(text: string): readonly string[] {
    const events: string[] = [];
    if (text === '') return events;
    let start = this.#afterReturn && text.startsWith('\n') ? 1 : 0;
    this.#afterReturn = text.endsWith('\r');
    LINE_END.lastIndex = start;
    for (let end = LINE_END.exec(text); end !== null; end = LINE_END.exec(text)) {
      this.#keep(text.slice(start, end.index));
      this.#takeLine(events);
      start = end.index + end[0].length;
    }
    if (start < text.length) this.#keep(text.slice(start));
    return events;
  }

  /** The stream has ended: returns the data that is left. */
  end(): readonly string[] {
    const events: string[] = [];
    if (this.#pieces.length > 0) this.#takeLine(events);
    this.#endEvent(events);
    return events;
  }

  #keep(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces[0]?.startsWith(':') === true) return;
    this.#scan.push(piece);
    this.#onValues(this.#scan.values);
  }

  #takeLine(events: string[]): void {
    const line = this.#pieces.join('');
    this.#pieces = [];
    this.#scan.nextLine();
    if (line === '') this.#endEvent(events);
    if (!line.startsWith('data:')) return;
    const data = line.slice('data:'.length).trim();
    if (data === '') return;
    // No JSON continues with another object after the end of an object.
    const isNext = this.#data.at(-1)?.endsWith('}') === true && (data.startsWith('{') || data === DONE);
    if (isNext) this.#endEvent(events);
    this.#data.push(data);
  }

  #endEvent(events: string[]): void {
    this.#scan = new JsonScan();
    if (this.#data.length > 0) events.push(this.#data.join('\n'));
    this.#data = [];
  }
}
