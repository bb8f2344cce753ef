import { JsonEnd } from './jsonEnd.ts';
import type { ValueCount } from './valueCount.ts';

/** How a line of an event stream begins. */
const EVENT_LINE = /^(?:data|event|id|retry)?:/;

/** How something that is not an event stream begins, whatever its label says: JSON, or a web page. */
const OTHER_TEXT = /^[{[<]/;

/** Encodings in which a body cannot be read as text. */
const ENCODED = /gzip|deflate|br|zstd|compress/i;

/** The number of characters read at most to decide what an unlabelled body is. */
const ENOUGH_TO_TELL = 64;

/**
 * The kind of a body, told by its beginning: labels can be wrong. `compressed`: though nothing asked for compression.
 */
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

/** How to read a body as text. */
export interface BodyReading {
  /** Bytes; the rest is not read. */
  readonly limit: number;
  /**
   * Called once the text so far is whole JSON: nothing more needs to follow, and a failure after it is not a failure.
   */
  readonly onWhole?: () => void;
  /** Counts the JSON values of the text. */
  readonly values?: ValueCount;
}

/** Reads a body as text. */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  { limit, onWhole, values }: BodyReading,
): Promise<string> {
  const decoder = new TextDecoder();
  const end = new JsonEnd();
  let text = '';
  let bytes = 0;
  let isWhole = false;
  try {
    // Leaving the loop early cancels the body, which closes the connection.
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      const piece = decoder.decode(chunk.byteLength > limit ? chunk.subarray(0, limit) : chunk, { stream: true });
      values?.push(piece);
      text += piece;
      if (bytes >= limit) break;
      if (onWhole === undefined || isWhole) continue;
      end.push(piece);
      // A bare number may continue, so only something that ends with a bracket can be whole.
      isWhole = JSON_END.test(piece.slice(-JSON_TAIL)) && end.isWhole(text);
      if (isWhole) onWhole();
    }
  } catch (error) {
    if (!isWhole) throw error;
  }
  return text + decoder.decode();
}

/** Whether a text can be whole JSON, judged by its last few characters. */
const JSON_END = /[}\]]\s*$/;
const JSON_TAIL = 64;
