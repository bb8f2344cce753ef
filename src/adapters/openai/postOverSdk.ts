import OpenAI from 'openai';
import type { Stream } from 'openai/streaming';
import type { AnswerChunk } from '../../core/session/modelClient.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';

/** The SDK's own timeout, milliseconds: the longest a timer takes, because the watchdog has the say. */
const NO_TIMEOUT = 2_147_483_647;

/** Posts the request for a chat completion of an exchange, and reads the stream of its answer. */
export function postOverSdk(exchange: Exchange, endpoint: Endpoint, signal: AbortSignal): Promise<Stream<AnswerChunk>> {
  // The exchange has the body: this stands for it, and the SDK hands it on as it is.
  const body = new Uint8Array();
  EXCHANGES.set(body, exchange);
  sdk ??= makeSdk();
  const headers = { 'content-type': 'application/json' };
  const options = { query: endpoint.query, body, headers, stream: true, signal };
  return sdk.post<Stream<AnswerChunk>>(`${endpoint.baseUrl}/chat/completions`, options);
}

/** The exchange of what stands for a body. */
const EXCHANGES = new WeakMap<object, Exchange>();

/** One for all servers: to make it takes longer than all else that is done for a small request. */
let sdk: OpenAI | undefined;

/** Everything that the SDK would take from the environment is set, so that no other provider's key or address is used. */
function makeSdk(): OpenAI {
  return new OpenAI({
    baseURL: 'http://set-by-each-request.invalid',
    apiKey: 'set-by-exchange',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT,
    logLevel: 'off',
    fetch: async (input, init) => {
      const exchange = EXCHANGES.get(init?.body as object);
      if (exchange === undefined) throw new TypeError('the SDK sends a body that nobody posted');
      return exchange.fetch(input, init);
    },
  });
}
