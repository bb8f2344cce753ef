import { JsonEnd } from './jsonEnd.ts';
import type { ValueCount } from './valueCount.ts';

/** Openings of a line of an event stream. */
const EVENT_LINE = /^(?:data|event|id|retry)?:/;

/** Openings of what is no event stream, whatever its label says: JSON, or a web page. */
const OTHER_TEXT = /^[{[<]/;

/** Encodings that are not the text itself. */
const ENCODED = /gzip|deflate|br|zstd|compress/i;

/** The most that is read before deciding what a body without a label is, characters. */
const ENOUGH_TO_TELL = 64;

/** What a body is, by how it begins: labels are wrong. `compressed`: nothing asked for that. */
export type BodyKind = 'events' | 'text' | 'compressed';

/** Tells what a body is. The body that comes back is whole but for blanks before its first character. */
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
    // Blanks that come for ever must not pile up.
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

/** Whether bytes are blanks and line ends only. */
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
    // Whoever leaves among the first ones leaves the rest too.
    await rest.return(undefined);
  }
}

/** How a body is read as text. */
export interface BodyReading {
  /** Bytes; the rest is not read. */
  readonly limit: number;
  /** Called when what has come is whole JSON: nothing needs to follow. What fails after it is no failure. */
  readonly onWhole?: () => void;
  /** Counts its values. */
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
      // A bare number may go on, so only what closes something can be whole.
      isWhole = JSON_END.test(piece.slice(-JSON_TAIL)) && end.isWhole(text);
      if (isWhole) onWhole();
    }
  } catch (error) {
    if (!isWhole) throw error;
  }
  return text + decoder.decode();
}

/** How whole JSON ends, in so many last characters. */
const JSON_END = /[}\]]\s*$/;
const JSON_TAIL = 64;
