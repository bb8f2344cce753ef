import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_SERVERS } from '../../../src/core/model/providers.ts';
import { eventText, overflowReply, type ScriptedReply, type Step, textReply } from './reply.ts';

/** One request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed JSON body; an empty object without one. */
  readonly body: RequestBody;
  /** Resolves when the client has closed the connection before the answer was complete. */
  readonly clientLeft: Promise<void>;
}

/** The fields of a chat-completions body that tests look at. */
export interface RequestBody {
  readonly model?: string;
  readonly messages?: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly [field: string]: unknown;
  }[];
  readonly tools?: readonly unknown[];
  readonly [field: string]: unknown;
}

/** Decides the answer to a request; undefined = the next rule. */
export type Responder = (request: RecordedRequest) => ScriptedReply | undefined;

/** How the server behaves when no scripted reply is left. */
export interface ProviderServerOptions {
  /** Larger requests are refused with an overflow error, tokens (four characters each). */
  readonly window?: number;
  /** Asked when the queue is empty; without it, or when it gives nothing, the server says "Understood.". */
  readonly respond?: Responder;
  /** Answers `GET` requests by path, e.g. `/v1/models`; a string is sent as it is. */
  readonly pages?: Readonly<Record<string, unknown>>;
  /** Listens on a usual port of such servers instead of any free one. */
  readonly usualPort?: true;
}

const USUAL_PORTS = LOCAL_SERVERS.map(({ baseUrl }) => Number(new URL(baseUrl).port));

/**
 * A model provider on 127.0.0.1 that plays scripted replies and records what it was asked. The window is checked
 * before the script, like a real server does.
 */
export class ProviderServer {
  readonly #server: Server;
  readonly #options: ProviderServerOptions;
  readonly #queue: ScriptedReply[] = [];
  readonly #requests: RecordedRequest[] = [];

  private constructor(options: ProviderServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) =>
        response.destroy(error instanceof Error ? error : undefined),
      );
    });
  }

  static async start(options: ProviderServerOptions = {}): Promise<ProviderServer> {
    const server = new ProviderServer(options);
    const ports = options.usualPort === true ? USUAL_PORTS : [0];
    for (const port of ports) {
      server.#server.listen(port, '127.0.0.1');
      const isFree = await once(server.#server, 'listening').then(
        () => true,
        (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? false : Promise.reject(error)),
      );
      if (isFree) return server;
    }
    throw new Error(`none of the ports ${ports.join(', ')} is free`);
  }

  /** What goes into the setting: `http://127.0.0.1:PORT/v1`. */
  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Chat-completions requests so far, in order of arrival. */
  get requests(): readonly RecordedRequest[] {
    return this.#requests;
  }

  /** Adds replies; each answers one request. */
  enqueue(...replies: readonly ScriptedReply[]): void {
    this.#queue.push(...replies);
  }

  /** Resolves when `count` requests have arrived. */
  async received(count: number): Promise<void> {
    while (this.#requests.length < count) await once(this.#server, 'karl-recorded');
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    if (request.method === 'GET') {
      const page = this.#options.pages?.[path.split('?')[0] ?? ''];
      const missing = { error: { message: `no such path: ${path}` } };
      response
        .writeHead(page === undefined ? 404 : 200, { 'content-type': 'application/json' })
        .end(typeof page === 'string' ? page : JSON.stringify(page ?? missing));
      return;
    }
    const body = await readBody(request);
    const recorded: RecordedRequest = {
      method: request.method ?? '',
      path,
      headers: request.headers,
      body,
      clientLeft: new Promise((resolve) => response.once('close', () => !response.writableFinished && resolve())),
    };
    this.#requests.push(recorded);
    this.#server.emit('karl-recorded');
    // A question about the server itself does not use up a scripted reply.
    if (/^\/api\/|(?:\/messages|\/responses|:streamGenerateContent)(?:\?|$)/.test(path))
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    else await play(this.#choose(recorded), response);
  }

  #choose(request: RecordedRequest): ScriptedReply {
    const tokens = countTokens(request.body);
    const { window, respond } = this.#options;
    if (window !== undefined && tokens > window) return overflowReply(tokens, window);
    const usage = { prompt_tokens: tokens, completion_tokens: 3, total_tokens: tokens + 3 };
    return this.#queue.shift() ?? respond?.(request) ?? textReply('Understood.', { usage });
  }
}

/** The server's own way to count tokens: four characters of messages and tool definitions. */
export function countTokens(body: RequestBody): number {
  return Math.ceil((JSON.stringify(body.messages ?? []).length + JSON.stringify(body.tools ?? []).length) / 4);
}

async function readBody(request: IncomingMessage): Promise<RequestBody> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString();
  return text === '' ? {} : (JSON.parse(text) as RequestBody);
}

async function play(reply: ScriptedReply, response: ServerResponse): Promise<void> {
  if (reply.neverAnswer === true) return;
  await reply.headersAfter;
  if (reply.delayHeadersMs !== undefined) await sleep(reply.delayHeadersMs);
  response.writeHead(reply.status ?? 200, {
    'content-type': reply.contentType ?? 'text/event-stream',
    ...reply.headers,
  });
  response.flushHeaders();
  for (const step of reply.steps) {
    if (response.destroyed) return;
    if ('stall' in step) return;
    if ('cut' in step) {
      // What was written must be on its way before the socket is closed.
      await sleep(20);
      response.destroy();
      return;
    }
    await playStep(step, response);
  }
  response.end();
}

async function playStep(step: Exclude<Step, { stall: true } | { cut: true }>, response: ServerResponse): Promise<void> {
  if ('waitMs' in step) await sleep(step.waitMs);
  else if ('raw' in step) await write(response, step.raw);
  else if ('event' in step) await write(response, eventText(step));
  else
    while (!response.destroyed) {
      await playStep(step.endless, response);
      if (step.everyMs !== undefined) await sleep(step.everyMs);
    }
}

async function write(response: ServerResponse, data: string | Uint8Array): Promise<void> {
  if (response.destroyed) return;
  if (response.write(data)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  await promise;
  response.off('drain', resolve).off('close', resolve);
}
