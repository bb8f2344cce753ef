import { JsonScan } from './jsonScan.ts';

/** How a line of an event stream begins. */
const EVENT_LINE = /^(?:data|event|id|retry)?:/;

/** How something that is not an event stream begins, whatever its label says: JSON, or a web page. */
const OTHER_TEXT = /^[{[<]/;

/** Encodings in which a body cannot be read as text. */
const ENCODED = /gzip|deflate|br|zstd|compress/i;

/** The number of characters read at most to decide what an unlabelled body is. */
const ENOUGH_TO_TELL = 64;

/** What a body is, by its beginning: labels can be wrong. `compressed`: though nothing asked for that. */
export type BodyKind = 'events' | 'text' | 'compressed';

/** Tells what a body is. The body returned is complete except for white space before its first character. */
export async function tellBody(
  body: AsyncGenerator<Uint8Array>,
  headers: Headers,
): Promise<{ readonly kind: BodyKind; readonly body: AsyncIterable<Uint8Array> }> {
  if (ENCODED.test(headers.get('content-encoding') ?? '')) return { kind: 'compressed', body };
  const isLabelled = /^text\/event-stream/i.test(headers.get('content-type') ?? '');
  const chunks: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let start = '';
  let kind: BodyKind | undefined;
  while (kind === undefined) {
    const { done, value } = await body.next();
    if (done) break;
    // Endless white space must not pile up.
    if (start === '' && isBlank(value)) continue;
    chunks.push(value);
    start = (start + decoder.decode(value, { stream: true })).trimStart();
    if (isGzip(chunks[0])) kind = 'compressed';
    else if (EVENT_LINE.test(start)) kind = 'events';
    else if (OTHER_TEXT.test(start)) kind = 'text';
    else if (isLabelled && start !== '') kind = 'events';
    else if (start.length >= ENOUGH_TO_TELL) kind = 'text';
  }
  return { kind: kind ?? (isLabelled ? 'events' : 'text'), body: putBack(chunks, body) };
}

/** Whether bytes are white space only. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

function isGzip(bytes: Uint8Array | undefined): boolean {
  return bytes?.[0] === 0x1f && bytes[1] === 0x8b;
}

async function* putBack(chunks: readonly Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
    yield* rest;
  } finally {
    // Leaving early, among the first chunks, ends the rest too.
    await rest.return(undefined);
  }
}

/** How to read a body. */
export interface BodyReading {
  /** Bytes; the rest is not read. Of a stream: the whole of it. */
  readonly limit: number;
  /** Called with the number of JSON values that would be parsed at once; may throw. */
  readonly onValues: (values: number) => void;
  /** Called once the text so far is whole JSON: nothing more needs to follow, and a failure after it is not a failure. */
  readonly onWhole: () => void;
}

/** Reads a body as text. */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  { limit, onValues, onWhole }: BodyReading,
): Promise<string> {
  const decoder = new TextDecoder();
  const scan = new JsonScan();
  let text = '';
  let bytes = 0;
  let isWhole = false;
  try {
    // Leaving the loop early cancels the body, which closes the connection.
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      const piece = decoder.decode(chunk.byteLength > limit ? chunk.subarray(0, limit) : chunk, { stream: true });
      scan.push(piece);
      onValues(scan.values);
      text += piece;
      if (bytes >= limit) break;
      // A bare number may continue, so only something that ends with a bracket can be whole.
      if (isWhole || !JSON_END.test(piece.slice(-JSON_TAIL)) || !scan.isWhole(text)) continue;
      isWhole = true;
      onWhole();
    }
  } catch (error) {
    if (!isWhole) throw error;
  }
  return text + decoder.decode();
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
