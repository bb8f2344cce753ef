import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';

/** What is posted. */
export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  /** In pieces, which must not be changed before they are sent. */
  readonly body: readonly Uint8Array[];
  readonly signal?: AbortSignal;
}

/**
 * `fetch` over node:http, for a post. The built-in fetch ends any wait for headers or for the next chunk after 300 s,
 * whatever the profile's timeout says, and local servers can read a long prompt for longer. This one has no timeout of its own
 * (the watchdog has), follows no redirect (a conversation and a key go only where the user sent them), asks for no
 * compression, and closes its socket as soon as the signal aborts. VS Code has its proxy and certificates in the default
 * exports of node:http and node:https: a function imported by its name would go past them.
 */
export async function nodeFetch(address: string, { headers, body, signal }: Post): Promise<Response> {
  const url = new URL(address);
  const length = body.reduce((sum, piece) => sum + piece.byteLength, 0);
  const { request: send } = url.protocol === 'https:' ? https : http;
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(url, { method: 'POST', headers: { ...headers, 'content-length': length } }, resolve);
    request.on('error', reject);
    const abort = () => request.destroy(new DOMException('The request was aborted.', 'AbortError'));
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    request.on('close', () => signal?.removeEventListener('abort', abort));
    for (const piece of body) request.write(piece);
    request.end();
  });
  return toResponse(await answer);
}

const WITHOUT_BODY = new Set([204, 205, 304]);

function toResponse(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 500;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  if (WITHOUT_BODY.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, { status, headers });
}
