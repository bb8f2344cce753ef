import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';

/** What is posted. */
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
  /** May be left before its end. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * `fetch` over node:http, for a post. The built-in fetch ends any wait for headers or for the next chunk after 300 s,
 * whatever the profile's timeout says, and local servers can read a long prompt for longer. This one has no timeout of its own
 * (the watchdog has), follows no redirect (a conversation and a key go only where the user sent them), asks for no
 * compression, and closes its socket as soon as the signal aborts. VS Code has its proxy and certificates in the default
 * exports of node:http and node:https: a function imported by its name would go past them.
 */
export async function nodeFetch(address: string, { headers, body, signal }: Post): Promise<Answer> {
  const url = new URL(address);
  const length = body.reduce((sum, piece) => sum + piece.byteLength, 0);
  const { request: send } = url.protocol === 'https:' ? https : http;
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(url, { method: 'POST', headers: { ...headers, 'content-length': length } }, resolve);
    request.on('error', reject);
    // Without an error: the socket may be free again already, and nobody hears of its errors then.
    const abort = () => request.destroy();
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    request.on('close', () => {
      signal?.removeEventListener('abort', abort);
      // Without an answer and without an error: the server switched to another protocol (101), say.
      reject(Object.assign(new Error('the connection was closed without an answer'), { code: 'ECONNRESET' }));
    });
    for (const piece of body) request.write(piece);
    request.end();
  });
  const incoming = await answer;
  const answered = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) answered.append(name, one);
  }
  return { status: incoming.statusCode ?? 500, headers: answered, body: read(incoming) };
}

/** So long a connection may take to end an answer of which enough was read, milliseconds: it is then used again. */
const MOST_AWAITED_MS = 1_000;

/** So much may come of it until then, bytes. */
const MOST_AFTER_END = 1_000;

async function* read(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming.iterator({ destroyOnReturn: false });
  } finally {
    // Nothing is to come any more, but for a line end or the like: what goes on is cut off.
    let more = 0;
    incoming.on('data', (piece: Buffer) => {
      more += piece.byteLength;
      if (more > MOST_AFTER_END) incoming.destroy();
    });
    incoming.resume();
    setTimeout(() => incoming.destroy(), MOST_AWAITED_MS).unref();
  }
}
