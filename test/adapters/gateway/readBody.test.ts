import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from '../../../src/adapters/gateway/readBody.ts';

/** Reads a body that a client sends in pieces, with or without stating its length. */
async function readSent(pieces: readonly Buffer[], length?: number): Promise<Buffer> {
  const server = http.createServer().listen(0, '127.0.0.1');
  const read = new Promise<Buffer>((resolve, reject) => {
    server.once('request', (request, response) => {
      readBody(request).then(
        (body) => (body.ok ? resolve(body.value) : reject(new Error(body.error.error.message))),
        reject,
      );
      response.end();
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const headers = length === undefined ? {} : { 'content-length': length };
  const sent = http.request({ port, method: 'POST', headers });
  for (const piece of pieces) sent.write(piece);
  sent.end();
  try {
    return await read;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('a body that is read', () => {
  const pieces = [1_000_000, 900_000, 300_000].map((length, index) => Buffer.alloc(length, 'abc'[index]));
  const whole = Buffer.concat(pieces);
  for (const [what, length] of [
    ['whose client says how long it is', whole.length],
    ['whose client does not', undefined],
  ] as const)
    it(`keeps little more memory than it needs: one ${what}`, async () => {
      const body = await readSent(pieces, length);
      assert.ok(body.equals(whole));
      assert.ok(body.buffer.byteLength <= 1.1 * whole.length, `${body.buffer.byteLength} bytes`);
    });
});
