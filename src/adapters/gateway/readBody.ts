import type { IncomingMessage } from 'node:http';
import { err, ok, type Result } from '../../core/result.ts';
import { type HttpError, httpError } from './httpError.ts';

/** The largest body that is accepted, bytes: room for dozens of images, or for more text than any window holds. */
export const LARGEST_BODY = 64 * 1024 * 1024;

/**
 * Reads a body. One that is too large is refused because of its stated length, or once that many bytes have come; the
 * rest is thrown away as it comes. Rejects when the client leaves before the end.
 */
export async function readBody(request: IncomingMessage, largest = LARGEST_BODY): Promise<Result<Buffer, HttpError>> {
  let size = Number(request.headers['content-length'] ?? 0);
  let bytes = Buffer.alloc(0);
  if (size <= largest) {
    // Put together as it comes, so that little is left to do at the end.
    bytes = Buffer.allocUnsafe(size);
    size = 0;
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      bytes = withRoom(bytes, size, (piece as Buffer).byteLength);
      size += (piece as Buffer).copy(bytes, size);
      if (size > largest) break;
    }
  }
  if (size > largest) {
    request.resume();
    const megabytes = Math.round(largest / 1024 / 1024);
    const message = `The request is larger than the ${megabytes} MB that the gateway takes: send fewer or smaller images.`;
    return err(httpError(413, message, { code: 'request_too_large' }));
  }
  // The body is kept as long as its conversation goes on; the spare room of its buffer is not.
  return ok(bytes.byteLength > MOST_KEPT * size ? Buffer.from(bytes.subarray(0, size)) : bytes.subarray(0, size));
}

/** The buffer kept for a body is at most this many times as large as the body. */
const MOST_KEPT = 1.1;

/** A buffer with the `used` bytes of this one and room for `more`: some clients do not say how much they send. */
function withRoom(bytes: Buffer<ArrayBuffer>, used: number, more: number): Buffer<ArrayBuffer> {
  if (used + more <= bytes.byteLength) return bytes;
  const larger = Buffer.allocUnsafe(2 * (used + more));
  bytes.copy(larger, 0, 0, used);
  return larger;
}
