import type { IncomingMessage } from 'node:http';
import { DEEPEST_FIELD } from '../../core/messages/parse.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { runInSlices } from '../../core/steps.ts';
import { SLICES } from '../node/slices.ts';
import type { BodyParser } from '../openai/jsonBodies.ts';
import type { Fields } from '../openai/mergeFields.ts';
import { type HttpError, httpError } from './httpError.ts';

/** The largest body that is accepted, bytes: room for dozens of images, or for more text than any window holds. */
const LARGEST_BODY = 64 * 1024 * 1024;

/**
 * Reads a body that is a JSON object. `largest`: bytes; default: 64 MB. Rejects when the client leaves before the end.
 */
export async function readFields(
  request: IncomingMessage,
  parser: BodyParser,
  largest = LARGEST_BODY,
): Promise<Result<Fields, HttpError>> {
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding !== 'identity') {
    const message = `The gateway takes no compressed bodies (Content-Encoding: ${encoding}): send the request uncompressed.`;
    return err(httpError(415, message, { code: 'unsupported_encoding' }));
  }
  const bytes = await readBody(request, largest);
  if (!bytes.ok) return bytes;
  try {
    const body = await runInSlices(parser.parse(bytes.value), SLICES);
    if (body !== undefined) return ok(body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return err(
    httpError(400, `The body of the request is not a JSON object of at most ${DEEPEST_FIELD} levels.`, {
      code: 'invalid_json',
    }),
  );
}

/**
 * Reads a body. One that is too large is refused because of its stated length, or once that many bytes have come; the
 * rest is thrown away as it comes.
 */
async function readBody(request: IncomingMessage, largest: number): Promise<Result<Buffer, HttpError>> {
  let size = Number(request.headers['content-length'] ?? 0);
  const pieces: Buffer[] = [];
  if (size <= largest) {
    size = 0;
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      size += (piece as Buffer).byteLength;
      if (size > largest) break;
      pieces.push(piece as Buffer);
    }
  }
  if (size <= largest) return ok(Buffer.concat(pieces));
  request.resume();
  const megabytes = Math.round(largest / 1024 / 1024);
  const message = `The request is larger than the ${megabytes} MB that the gateway takes: send fewer or smaller images.`;
  return err(httpError(413, message, { code: 'request_too_large' }));
}
