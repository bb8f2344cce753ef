import type { IncomingMessage } from 'node:http';
import { err, ok, type Result } from '../../core/result.ts';
import { type HttpError, httpError } from './httpError.ts';

/** The largest body that is taken, bytes: some tens of images, or more text than any window holds. */
export const LARGEST_BODY = 64 * 1024 * 1024;

/**
 * Reads a body. One that is too large is refused by its length, or when that many bytes have come;
 * the rest of it is thrown away as it comes. Rejects when the client goes before its end.
 */
export async function readBody(request: IncomingMessage, largest = LARGEST_BODY): Promise<Result<Buffer, HttpError>> {
  const pieces: Buffer[] = [];
  let size = Number(request.headers['content-length'] ?? 0);
  if (size <= largest) {
    size = 0;
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      pieces.push(piece as Buffer);
      size += (piece as Buffer).byteLength;
      if (size > largest) break;
    }
  }
  if (size > largest) {
    request.resume();
    const megabytes = Math.round(largest / 1024 / 1024);
    const message = `The request is larger than the ${megabytes} MB that the gateway takes: send fewer or smaller images.`;
    return err(httpError(413, message, { code: 'request_too_large' }));
  }
  return ok(Buffer.concat(pieces));
}
