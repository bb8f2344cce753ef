import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { errorCode } from '../node/storageError.ts';

/** What to post. */
export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  /** In pieces, which must not be changed before they are sent. */
  readonly body: readonly Uint8Array[];
  readonly signal?: AbortSignal;
}

/** What a server answers. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The reader may stop before the end. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * `fetch` over node:http, for a POST. The built-in fetch ends any wait for headers or for the next chunk after 300 s,
 * whatever the profile's timeout says, and local servers can take longer to read a long prompt. This one has no timeout
 * of its own (the watchdog has), follows no redirect (a conversation and a key go only where the user sent them), asks
 * for no compression, and closes its socket as soon as the signal aborts. VS Code puts its proxy and certificates into
 * the default exports of node:http and node:https: a function imported by name would bypass them.
 */
export async function nodeFetch(address: string, posted: Post): Promise<Answer> {
  const incoming = await post(new URL(address), posted);
  const answered = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) answered.append(name, one);
  }
  return { status: incoming.statusCode ?? 500, headers: answered, body: read(incoming) };
}

/**
 * A server may close an idle connection just as it is used again. Then the request is sent once more on a new connection,
 * since other idle ones may be closed too. Not more often: a server that breaks down over a request may have processed
 * it.
 */
async function post(url: URL, posted: Post): Promise<IncomingMessage> {
  const sent = send(url, posted);
  try {
    return await sent.answer;
  } catch (error) {
    const isClosed = ['ECONNRESET', 'EPIPE'].includes(errorCode(error) ?? '');
    if (!sent.request.reusedSocket || !isClosed || posted.signal?.aborted === true) throw error;
    return send(url, posted, { agent: false }).answer;
  }
}

function send(url: URL, { headers, body, signal }: Post, options: RequestOptions = {}) {
  const length = body.reduce((sum, piece) => sum + piece.byteLength, 0);
  const { request: start } = url.protocol === 'https:' ? https : http;
  const request = start(url, { ...options, method: 'POST', headers: { ...headers, 'content-length': length } });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
    // Without an error, since nobody would listen to it on a socket that is already idle again.
    const abort = () => request.destroy();
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    request.on('close', () => {
      signal?.removeEventListener('abort', abort);
      // Closed without an answer and without an error: perhaps the server switched to another protocol (101).
      reject(Object.assign(new Error('the connection was closed without an answer'), { code: 'ECONNRESET' }));
    });
    for (const piece of body) request.write(piece);
    request.end();
  });
  return { request, answer };
}

/** How long to wait for the end of an answer that is no longer read, to reuse the connection. Milliseconds. */
const MOST_AWAITED_MS = 1_000;

async function* read(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming.iterator({ destroyOnReturn: false });
  } finally {
    incoming.resume();
    setTimeout(() => incoming.destroy(), MOST_AWAITED_MS).unref();
  }
}
