import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { english } from '../../core/language.ts';
import { DEEPEST_FIELD, weigh } from '../../core/messages/parse.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Relay } from '../../core/session/relay/relay.ts';
import { isFields } from '../openai/mergeFields.ts';
import { at, listAt } from '../servers/query.ts';
import { Answer, sendError, sendJson } from './answer.ts';
import { BodyReader } from './bodyReader.ts';
import { describeFailure } from './describeFailure.ts';
import { refuse } from './guard.ts';
import { type HttpError, httpError } from './httpError.ts';
import { parseRequest } from './parseRequest.ts';
import { readBody } from './readBody.ts';

/** The options that a gateway is started with. */
export interface GatewayOptions {
  /** 0 = any free port. */
  readonly port: number;
  /** What clients give as their API key. */
  readonly token: string;
  readonly relay: Pick<Relay, 'serve'>;
  /** The list of models, as the server gives it; the error is one sentence. Never rejects. */
  readonly listModels: (signal: AbortSignal) => Promise<Result<unknown, string>>;
  /** Called with anything unexpected: a bug. */
  readonly onBug: (error: unknown) => void;
  /** Other hosts under which the gateway is reached, e.g. that of a forwarded port. */
  readonly hosts?: ReadonlySet<string>;
  /** Bytes; default: 64 MB. */
  readonly largestBody?: number;
}

/** The gateway: an OpenAI-compatible server on this machine, for agents that know nothing about Karl. */
export class Gateway {
  readonly #server: http.Server;
  readonly #options: GatewayOptions;
  readonly #bodies = new BodyReader();

  private constructor(options: GatewayOptions) {
    this.#options = options;
    this.#server = http.createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        if (response.destroyed) return;
        options.onBug(error);
        if (response.headersSent) response.destroy();
        else sendError(response, httpError(500, 'The gateway failed; its log says why.', { code: 'internal_error' }));
      });
    });
  }

  /** Starts listening on 127.0.0.1. The error is one sentence. */
  static async start(options: GatewayOptions): Promise<Result<Gateway, string>> {
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
    const { token, hosts = new Set(), listModels } = this.#options;
    const refused = refuse(request.headers, { token, hosts });
    if (refused !== undefined) return this.#refuse(request, response, refused);
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    // Some clients add the version to a base URL that already has it.
    const path = (request.url ?? '').replace(/[?#].*$/, '').replace(/^(?:\/v1)+(?=\/)/, '');
    const route = `${request.method} ${path}`;
    if (route === 'POST /chat/completions') return this.#complete(request, response, gone.signal);
    if (request.method === 'GET' && /^\/models(?:\/|$)/.test(path)) {
      const listed = await listModels(gone.signal);
      if (!listed.ok) return sendError(response, httpError(502, listed.error, { code: 'upstream_error' }));
      const found = findModels(listed.value, path.slice('/models/'.length));
      return found.ok ? sendJson(response, 200, found.value) : sendError(response, found.error);
    }
    const isKnown = path === '/chat/completions' || path === '/models';
    const asked = `${request.method} ${request.url}`.slice(0, 100);
    const message = `The gateway answers POST /v1/chat/completions and GET /v1/models, not ${asked}.`;
    this.#refuse(request, response, httpError(isKnown ? 405 : 404, message, { code: 'unknown_url' }));
  }

  /** The rest of the request is read and thrown away, so that the client gets to read the answer. */
  #refuse(request: IncomingMessage, response: ServerResponse, refused: HttpError): void {
    request.resume();
    sendError(response, refused);
  }

  async #complete(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding !== 'identity') {
      const message = `The gateway takes no compressed bodies (Content-Encoding: ${encoding}): send the request uncompressed.`;
      return this.#refuse(request, response, httpError(415, message, { code: 'unsupported_encoding' }));
    }
    const bytes = await readBody(request, this.#options.largestBody);
    if (!bytes.ok) return sendError(response, bytes.error);
    const { value: body, written, levels } = await this.#bodies.read(bytes.value);
    if (!isFields(body))
      return sendError(
        response,
        httpError(400, 'The body of the request is not a JSON object.', { code: 'invalid_json' }),
      );
    const asked = parseRequest(body, request.headers, levels);
    if (!asked.ok) return sendError(response, asked.error);
    const answer = new Answer(response, asked.value);
    const listener = {
      onStart: answer.start.bind(answer),
      onChunk: answer.chunk.bind(answer),
    };
    const served = await this.#options.relay.serve(
      { ...asked.value.request, ...(written && { written }) },
      listener,
      signal,
    );
    if (served.ok) return answer.end(served.value);
    if (served.error.kind === 'failed') answer.start(served.error.done);
    answer.fail(describeFailure(served.error));
  }
}

/** The list, or one of its models: `id` is taken from a path, where it may be percent-encoded. */
function findModels(list: unknown, id: string): Result<unknown, HttpError> {
  const asked = [id, decoded(id)];
  const found = listAt(list, 'data').find((model) => asked.some((name) => name === at(model, 'id')));
  const answer = id === '' ? list : found;
  if (answer === undefined) {
    const message = `The server has no model ${JSON.stringify(id.slice(0, 200))}.`;
    return err(httpError(404, message, { code: 'model_not_found', param: 'model' }));
  }
  // It could not be written.
  if (weigh(answer, Number.POSITIVE_INFINITY).kind === 'too-deep') {
    const message = `The server's list of models is nested more than ${DEEPEST_FIELD} levels deep.`;
    return err(httpError(502, message, { code: 'upstream_error' }));
  }
  return ok(answer);
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    // A name with a "%" of its own.
    return id;
  }
}

function describeListening(error: NodeJS.ErrnoException, port: number): string {
  if (error.code === 'EADDRINUSE')
    return english(
      'Port {0} is in use, perhaps by the gateway of another window or program: choose another port, or 0 for a free one.',
      String(port),
    );
  if (error.code === 'EACCES')
    return english('Port {0} may not be used here: choose one above 1023, or 0 for a free one.', String(port));
  return english('The gateway could not listen on port {0}: {1}', String(port), error.message);
}
