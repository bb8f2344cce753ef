import type { IncomingHttpHeaders } from 'node:http';
import type { ModelError } from '../../../core/model/classify.ts';
import { err, ok, type Result } from '../../../core/result.ts';
import type {
  AnswerChunk,
  ModelClient,
  ModelDelta,
  ModelFailure,
  ModelReply,
  ModelRequest,
} from '../../../core/session/modelClient.ts';
import { runInSlices } from '../../../core/steps.ts';
import { SLICES } from '../../node/slices.ts';
import { Exchange, type ExchangeOptions } from '../../openai/exchange.ts';
import { classifyFailure, finalFailure, withoutKey } from '../../openai/failure.ts';
import { writeBody } from '../../openai/jsonBodies.ts';
import type { ClientCall } from './dialect.ts';
import type { DialectName } from './ownServers.ts';
import { askTranslated, type Losses, type ReplyEvents } from './translation.ts';

/** A request to a server that speaks the client's own API. */
interface ServerCall extends Pick<ExchangeOptions, 'address' | 'headers' | 'timeoutMs' | 'signal'> {
  readonly body: object;
}

/** Something of a reply that has no words, such as a signature: the client has it, so that nothing is asked again. */
export const WORDLESS: readonly ModelDelta[] = [{ type: 'reasoning', text: '' }];

/** Reads the events of one answer. */
export interface EventReading {
  /** Takes an event; returns what it adds to the reply, nothing only where a client would have nothing of it. */
  take(event: AnswerChunk): readonly ModelDelta[];
  /** The reply once its end has come; an error where the stream reported one. */
  result(): Result<ModelReply, ModelError> | undefined;
}

/** Who is told of an answer while it comes. */
interface AnswerSink extends Pick<ModelRequest, 'onChunk'> {
  onDelta(delta: ModelDelta): void;
}

/** Posts a request and passes each event of the answer on. One attempt; never rejects. */
export async function askServer(
  call: ServerCall,
  reading: EventReading,
  { onDelta, onChunk }: AnswerSink,
): Promise<Result<ModelReply, ModelFailure>> {
  const { headers } = call;
  const exchange = new Exchange({ ...call, body: await runInSlices(writeBody(call.body), SLICES) });
  let said = '';
  let characters = 0;
  let replied = false;
  const keys = [...KEY_HEADERS].map((name) => headers[name]?.replace(/^Bearer +/i, ''));
  const fail = (told: ModelError): Result<never, ModelFailure> => {
    const error = keys.reduce<ModelError>(withoutKey, told);
    return err(replied ? { error, partial: { role: 'assistant', content: said } } : { error });
  };
  let thrown: unknown;
  try {
    for await (const event of exchange.post()) {
      exchange.progress();
      for (const delta of reading.take(event)) {
        replied = true;
        if (delta.type === 'text') said += delta.text;
        characters += delta.type === 'tool-call' ? delta.arguments.length : delta.text.length;
        onDelta(delta);
      }
      const result = reading.result();
      if (result?.ok === false) return fail(result.error);
      if (characters > exchange.limits.characters) return fail(finalFailure(`The reply was stopped: it is too long.`));
      await onChunk?.(event);
      if (result !== undefined) exchange.settle();
    }
  } catch (error) {
    thrown = error;
  }
  const result = exchange.watchdog.ending === 'cancelled' ? undefined : reading.result();
  if (result?.ok === true) return ok(result.value);
  return fail(classifyFailure(exchange, thrown, replied));
}

/** Headers of a client that are about its connection to the gateway, or that Karl writes itself. */
const NOT_FORWARDED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|content-type|content-encoding|accept|accept-encoding|authorization|x-api-key|x-goog-api-key|x-karl-.*|cookie|origin|referer|forwarded|x-forwarded-.*)$/;

/** Where APIs have their keys. */
const KEY_HEADERS = new Set(['authorization', 'x-api-key', 'x-goog-api-key']);

/** The header by which a client names the gateway's token when its own key is meant for the model's server. */
export const TOKEN_HEADER = 'x-karl-token';

/** What a client's headers tell a server of the client's own API: its version, its betas, its session. */
export function forwardedHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const isOwnKey = headers[TOKEN_HEADER] !== undefined;
  const kept = Object.entries(headers).filter(
    ([name]) => !NOT_FORWARDED.test(name) || (isOwnKey && KEY_HEADERS.has(name)),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** The address of an API of the server at a base URL. */
export function addressOf(baseUrl: string, path: string, query = ''): string {
  const url = new URL(baseUrl);
  const folder = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/(?:chat\/completions|messages|responses)$/, '');
  return `${url.origin}${folder}${path}${url.search === '' ? query : `${url.search}${query.replace('?', '&')}`}`;
}

/** How the request of a client of another API is put to a server. */
export interface ApiRequest {
  readonly dialect: Exclude<DialectName, 'chat'>;
  readonly call: ClientCall;
  /** Where a server of the same API takes requests for a model. */
  readonly path: (model: string) => string;
  readonly query: string;
  /** The headers of the API itself, and of the user's key. */
  headers(key: string | undefined): Readonly<Record<string, string>>;
  /** The body for a server of the same API. */
  body(request: ModelRequest): object;
  /** Reads such a server's answer. */
  reading(): EventReading;
  /** The request in chat completions. */
  translate(request: ModelRequest, lose: Losses): ModelRequest;
  /** Makes the events of the API from an answer in chat completions. */
  events(model: string): ReplyEvents;
}

/** Asks a server that speaks the client's API in the client's own words, any other by translation. */
export function clientFor(chat: ModelClient, api: ApiRequest): ModelClient {
  const { servers, headers } = api.call;
  return {
    complete: async (request, onDelta, signal) => {
      const { profile, onChunk } = request;
      const { baseUrl = '' } = profile;
      const translated = () => {
        const asked = api.translate(request, servers.lose);
        return askTranslated(chat, { request, asked, events: api.events(profile.id), onDelta, signal });
      };
      if (!URL.canParse(baseUrl)) return translated();
      const own = async () => {
        const key = await servers.getKey(new URL(baseUrl).origin);
        const posted = {
          address: addressOf(baseUrl, api.path(profile.id), api.query),
          headers: { ...forwardedHeaders(headers), ...api.headers(key) },
          body: api.body(request),
          timeoutMs: profile.timeoutMs,
          signal,
        };
        return askServer(posted, api.reading(), { onDelta, onChunk });
      };
      return servers.ask({ dialect: api.dialect, baseUrl }, own, translated);
    },
  };
}
