import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import querystring from 'node:querystring';
import { DEEPEST_FIELD, findFault, weigh } from '../../core/chat/parse.ts';
import type { ChatMessage } from '../../core/chat/wire.ts';
import type { Phrase, Words } from '../../core/phrase.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Relay } from '../../core/session/relay/relay.ts';
import type { RelayListener, RelayRequest } from '../../core/session/relay/relayRequest.ts';
import { runInSlices } from '../../core/steps.ts';
import { estimateTokens } from '../../core/tokens/estimate.ts';
import { MessageCounter } from '../../core/tokens/messageTokens.ts';
import { sentence } from '../../language/language.ts';
import { type Fields, listAt, textAt } from '../fields.ts';
import { SLICES } from '../node/slices.ts';
import { BodyParser } from '../openai/jsonBodies.ts';
import { Answer, sendError, sendJson } from './answer.ts';
import { CHAT } from './dialects/chat/chat.ts';
import type { ClientRequest, Dialect } from './dialects/dialect.ts';
import { GEMINI } from './dialects/gemini/gemini.ts';
import { MESSAGES } from './dialects/messages/messages.ts';
import type { OwnServers } from './dialects/ownServers.ts';
import { RESPONSES } from './dialects/responses/responses.ts';
import { refuse } from './guard.ts';
import { describeFailure, type HttpError, httpError } from './httpError.ts';

const DIALECTS: readonly Dialect[] = [CHAT, MESSAGES, RESPONSES, GEMINI];

/**
 * How long a connection may take to send its headers, and a refused request to send its body, milliseconds: nobody holds
 * connections open without the token.
 */
const PATIENCE_MS = 10_000;

/** The largest body that is accepted, bytes: room for dozens of images, or for more text than any window holds. */
const LARGEST_BODY = 64 * 1024 * 1024;

/** The options that a gateway is started with. */
export interface GatewayOptions {
  /** 0 = any free port. */
  readonly port: number;
  /** What clients give as their API key. */
  readonly token: string;
  readonly relay: Pick<Relay, 'serve'>;
  /** The list of models, as the server gives it; the error is one sentence. Never rejects. */
  readonly listModels: (signal: AbortSignal) => Promise<Result<unknown, string>>;
  /** The models' servers, which may speak the API of a client. */
  readonly servers: OwnServers;
  /** Called with anything unexpected: a bug. */
  readonly onBug: (error: unknown) => void;
  /** Other hosts under which the gateway is reached, e.g. that of a forwarded port. */
  readonly hosts?: ReadonlySet<string>;
  /** How long the headers of a stream wait, milliseconds; default: `GRACE_MS`. */
  readonly graceMs?: number;
}

/** The gateway: a server on this machine for agents that know nothing about Karl, each in the API that it speaks. */
export class Gateway {
  readonly #server: http.Server;
  readonly #options: GatewayOptions;
  readonly #parser = new BodyParser();

  private constructor(options: GatewayOptions) {
    this.#options = options;
    const limits = { headersTimeout: PATIENCE_MS, connectionsCheckingInterval: PATIENCE_MS / 4 };
    this.#server = http.createServer(limits, (request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        if (response.destroyed) return;
        options.onBug(error);
        const failure = httpError(500, 'The gateway failed; its log says why.', { code: 'internal_error' });
        if (response.headersSent) response.destroy();
        else sendError(response, CHAT, failure);
      });
    });
    // A client that asks before it sends the body (Expect: 100-continue) is told to go on only if it is not refused.
    this.#server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      if (this.#refusal(request) === undefined) response.writeContinue();
      this.#server.emit('request', request, response);
    });
  }

  /** Starts listening on 127.0.0.1. The error is one sentence. */
  static async start(options: GatewayOptions): Promise<Result<Gateway, Words>> {
    const gateway = new Gateway(options);
    const server = gateway.#server;
    return new Promise((resolve) => {
      server.once('error', (error: NodeJS.ErrnoException) => resolve(err(describeListening(error, options.port))));
      server.listen(options.port, '127.0.0.1', () => resolve(ok(gateway)));
    });
  }

  /** The base URL for clients. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Ends every connection and cancels what is under way. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { listModels, servers, graceMs } = this.#options;
    const [address = '', search] = (request.url ?? '').replace(/#.*$/, '').split('?', 2);
    // Some clients add the version to a base URL that already has it.
    const path = address.replace(/^(?:\/v1)+(?=\/)/, '');
    const dialect = DIALECTS.find(({ routes }) => routes.any.test(path)) ?? CHAT;
    const refused = this.#refusal(request);
    if (refused !== undefined) return this.#refuse(request, response, dialect, refused);
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    const route = `${request.method} ${path}`;
    const query = search === undefined ? '' : `?${search}`;
    const isAnswer = dialect.routes.answer.test(path);
    if (request.method === 'POST' && (isAnswer || dialect.routes.count?.test(path) === true)) {
      const body = await readFields(request, this.#parser);
      if (!body.ok) return this.#refuse(request, response, dialect, body.error);
      const read = dialect.parse({ body: body.value, headers: request.headers, path, query, servers });
      if (!read.ok) return sendError(response, dialect, read.error);
      if (!isAnswer) return countTokens(response, dialect, read.value.request);
      return this.#complete(new Answer(response, dialect, read.value, graceMs), read.value, gone.signal);
    }
    // Claude Code checks that the server is up.
    if (route === 'HEAD /') {
      response.writeHead(200).end();
      return;
    }
    if (request.method === 'GET' && /^\/models(?:\/|$)/.test(path)) {
      const listed = await listModels(gone.signal);
      if (!listed.ok) return sendError(response, CHAT, httpError(502, listed.error, { code: 'upstream_error' }));
      const found = findModels(listed.value, path.slice('/models/'.length));
      return found.ok ? sendJson(response, 200, found.value) : sendError(response, CHAT, found.error);
    }
    const isKnown = isAnswer || path === '/models';
    const what = `${request.method} ${request.url}`.slice(0, 100);
    const message = `The gateway answers POST /v1/chat/completions, /v1/messages, /v1/responses and /v1beta/models/MODEL:streamGenerateContent, and GET /v1/models, not ${what}.`;
    this.#refuse(request, response, dialect, httpError(isKnown ? 405 : 404, message, { code: 'unknown_url' }));
  }

  #refusal({ headers }: IncomingMessage): HttpError | undefined {
    const { token, hosts = new Set() } = this.#options;
    return refuse(headers, token, hosts);
  }

  /** Discards the rest of the request for a while, so that the client gets to read the answer. */
  #refuse(request: IncomingMessage, response: ServerResponse, dialect: Dialect, refused: HttpError): void {
    request.resume();
    const end = setTimeout(() => request.destroy(), PATIENCE_MS);
    request.once('close', () => clearTimeout(end));
    sendError(response, dialect, refused);
  }

  async #complete(answer: Answer, { request }: ClientRequest, signal: AbortSignal): Promise<void> {
    const listener: RelayListener = {
      onStart: (done) => answer.start(done),
      onChunk: (chunk) => answer.chunk(chunk),
      mayRetry: () => answer.isOpen,
    };
    const served = await this.#options.relay.serve(request, listener, signal);
    if (served.ok) return answer.end(served.value);
    if (served.error.kind === 'failed') answer.start(served.error.done);
    answer.fail(describeFailure(served.error));
  }
}

async function countTokens(
  response: ServerResponse,
  dialect: Dialect,
  { messages, tools }: RelayRequest,
): Promise<void> {
  const fault = messages.map(findFault).find((found) => found !== undefined);
  if (fault !== undefined) return sendError(response, dialect, httpError(400, fault, { code: 'invalid_value' }));
  // An estimate: the tokenizers of these models are not public.
  const counter = new MessageCounter({ encoding: 'o200k_base', count: (text) => estimateTokens(text) });
  const { tokens } = counter.countMessages(messages as readonly ChatMessage[]);
  sendJson(response, 200, dialect.counted?.(tokens + counter.countTools(tools).tokens));
}

/** Reads a body that is a JSON object. Rejects when the client leaves before the end. */
async function readFields(request: IncomingMessage, parser: BodyParser): Promise<Result<Fields, HttpError>> {
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding !== 'identity') {
    const message = `The gateway does not accept compressed bodies (Content-Encoding: ${encoding}): send the request uncompressed.`;
    return err(httpError(415, message, { code: 'unsupported_encoding' }));
  }
  const bytes = await readBody(request);
  if (!bytes.ok) return bytes;
  try {
    const body = await runInSlices(parser.parse(bytes.value), SLICES);
    if (body !== undefined) return ok(body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const message = `The body of the request is not a JSON object nested at most ${DEEPEST_FIELD} levels deep.`;
  return err(httpError(400, message, { code: 'invalid_json' }));
}

/**
 * Reads a body. One that is too large is refused because of its stated length, or once that many bytes have come; the
 * rest is thrown away as it comes.
 */
async function readBody(request: IncomingMessage): Promise<Result<Buffer, HttpError>> {
  let size = Number(request.headers['content-length'] ?? 0);
  const pieces: Buffer[] = [];
  if (size <= LARGEST_BODY) {
    size = 0;
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      size += (piece as Buffer).byteLength;
      if (size > LARGEST_BODY) break;
      pieces.push(piece as Buffer);
    }
  }
  if (size <= LARGEST_BODY) return ok(Buffer.concat(pieces));
  request.resume();
  const megabytes = LARGEST_BODY / 1024 / 1024;
  const message = `The request is larger than the ${megabytes} MB that the gateway accepts: send fewer or smaller images.`;
  return err(httpError(413, message, { code: 'request_too_large' }));
}

/** The list, or one of its models: `id` is taken from a path, where it may be percent-encoded. */
function findModels(list: unknown, id: string): Result<unknown, HttpError> {
  // OpenAI's own client keeps ":" and "@" as they are; a name may have a "%" of its own.
  const asked = [id, querystring.unescape(id)];
  const found = listAt(list, 'data').find((model) => asked.some((name) => name === textAt(model, 'id')));
  const answer = id === '' ? list : found;
  if (answer === undefined) {
    const message = `The server has no model ${JSON.stringify(id.slice(0, 200))}.`;
    return err(httpError(404, message, { code: 'model_not_found', param: 'model' }));
  }
  // `JSON.stringify` fails on it.
  if (weigh(answer, Number.POSITIVE_INFINITY).kind === 'too-deep') {
    const message = `The server's list of models is nested more than ${DEEPEST_FIELD} levels deep.`;
    return err(httpError(502, message, { code: 'upstream_error' }));
  }
  return ok(answer);
}

function describeListening(error: NodeJS.ErrnoException, port: number): Phrase {
  if (error.code === 'EADDRINUSE')
    return sentence(
      'Port {0} is in use, perhaps by the gateway of another window or program: choose another port, or 0 for a free one.',
      String(port),
    );
  if (error.code === 'EACCES')
    return sentence('Port {0} may not be used here: choose one above 1023, or 0 for a free one.', String(port));
  return sentence('The gateway could not listen on port {0}: {1}', String(port), error.message);
}
