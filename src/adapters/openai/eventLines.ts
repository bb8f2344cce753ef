import type { ValueCount } from './valueCount.ts';

/** A line end: an event stream may use any of the three. */
const LINE_END = /\r\n|\n|\r/g;

const [DATA, DONE] = ['data:', '[DONE]'];

/**
 * Puts an event stream into the form that every parser reads alike: comments and events without data (`event: ping`, an
 * empty `data:`) are left out, as the standard says, and events that a server separates with one line end instead of
 * two are separated properly. The lines returned end with a line feed. Text in, text out; only an unfinished line is
 * held back.
 */
export class EventLines {
  #pieces: string[] = [];
  #afterReturn = false;
  /** The name of the event, until its data comes. */
  #name: string | undefined;
  /** The newest data line of the event; undefined while there is none. */
  #data: string | undefined;
  readonly #values: ValueCount | undefined;
  readonly #onDone: () => void;
  /** Whether the current line is a data line; undefined while that cannot be told. */
  #isData: boolean | undefined;

  /** `values` counts the values of each event; `onDone` is told of `[DONE]`. */
  constructor(values?: ValueCount, onDone: () => void = () => undefined) {
    this.#values = values;
    this.#onDone = onDone;
  }

  /** Takes the next piece of the stream; returns what is complete. */
  push(text: string): string {
    if (text === '') return '';
    let start = this.#afterReturn && text.startsWith('\n') ? 1 : 0;
    this.#afterReturn = text.endsWith('\r');
    let out = '';
    LINE_END.lastIndex = start;
    for (let end = LINE_END.exec(text); end !== null; end = LINE_END.exec(text)) {
      this.#keep(text.slice(start, end.index));
      out += this.#takeLine();
      start = end.index + end[0].length;
    }
    if (start < text.length) this.#keep(text.slice(start));
    return out;
  }

  #keep(piece: string): void {
    this.#pieces.push(piece);
    if (this.#isData === true) this.#values?.push(piece);
    if (this.#isData !== undefined) return;
    const start = this.#pieces.join('');
    if (start.length < DATA.length && DATA.startsWith(start)) return;
    this.#isData = start.startsWith(DATA);
    if (!this.#isData) return;
    this.#values?.nextLine();
    this.#values?.push(start.slice(DATA.length));
  }

  /** The stream has ended: returns what its last line gives. */
  end(): string {
    return this.#pieces.length === 0 ? '' : this.#takeLine();
  }

  #takeLine(): string {
    const line = this.#pieces.length === 1 ? (this.#pieces[0] ?? '') : this.#pieces.join('');
    this.#pieces = [];
    this.#isData = undefined;
    if (line === '') return this.#endEvent();
    if (line.startsWith('event:')) {
      if (this.#data !== undefined) return `${line}\n`;
      this.#name = line;
    }
    // Comments, and fields that say from where and when to reconnect.
    if (!line.startsWith(DATA)) return '';
    const data = line.slice(DATA.length).trim();
    if (data === '') return '';
    const parted = this.#data !== undefined && startsAnew(this.#data, data) ? this.#endEvent() : '';
    const name = this.#name === undefined ? '' : `${this.#name}\n`;
    this.#name = undefined;
    this.#data = data;
    if (data === DONE) this.#onDone();
    // The reader recognizes the end of the stream only by exactly these characters.
    return `${parted}${name}${data === DONE ? `${DATA} ${DONE}` : line}\n`;
  }

  #endEvent(): string {
    this.#values?.reset();
    const hasData = this.#data !== undefined;
    this.#data = undefined;
    this.#name = undefined;
    return hasData ? '\n' : '';
  }
}

/** No JSON continues with another object after the end of an object. */
function startsAnew(before: string, next: string): boolean {
  return before.endsWith('}') && (next.startsWith('{') || next === DONE);
}

/** The reader parses what it gets in one go, so it gets about this much at a time, and whole events. Characters. */
const PART = 4096;

const ENCODER = new TextEncoder();

function* cutEvents(text: string): Generator<Uint8Array> {
  let start = 0;
  for (let end = 0; start < text.length; start = end) {
    const cut = text.indexOf('\n\n', start + PART);
    end = cut < 0 ? text.length : cut + 2;
    yield ENCODER.encode(text.slice(start, end));
  }
}

/** The same for bytes: characters split between pieces are joined. */
export async function* tidyEvents(
  body: AsyncIterable<Uint8Array>,
  values?: ValueCount,
  onDone?: () => void,
): AsyncGenerator<Uint8Array> {
  const lines = new EventLines(values, onDone);
  const decoder = new TextDecoder();
  for await (const chunk of body) yield* cutEvents(lines.push(decoder.decode(chunk, { stream: true })));
  yield* cutEvents(lines.push(decoder.decode()) + lines.end());
}
