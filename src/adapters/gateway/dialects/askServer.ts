import type { IncomingHttpHeaders } from 'node:http';
import type { ModelClient, ModelDelta, ModelRequest } from '../../../core/session/modelClient.ts';
import { runInSlices } from '../../../core/steps.ts';
import { SLICES } from '../../node/slices.ts';
import { Exchange, KEY_HEADERS } from '../../openai/exchange.ts';
import { writeBody } from '../../openai/jsonBodies.ts';
import { type AnswerReading, readAnswer } from '../../openai/readAnswer.ts';
import type { ClientCall } from './dialect.ts';
import type { DialectName } from './ownServers.ts';
import type { Losses, ReplyEvents } from './translation.ts';

/** Headers of a client that are about its connection to the gateway, or that Karl writes itself. */
const NOT_FORWARDED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|content-type|content-encoding|accept|accept-encoding|authorization|x-api-key|x-goog-api-key|x-karl-.*|cookie|origin|referer|forwarded|x-forwarded-.*)$/;

/** The header by which a client names the gateway's token when its own key is meant for the model's server. */
export const TOKEN_HEADER = 'x-karl-token';

/** What a client's headers tell a server of the client's own API: its version, its betas, its session. */
export function forwardedHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const isOwnKey = headers[TOKEN_HEADER] !== undefined;
  const kept = Object.entries(headers).filter(
    ([name]) => !NOT_FORWARDED.test(name) || (isOwnKey && KEY_HEADERS.includes(name)),
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
  reading(): AnswerReading;
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
      const translated = async () => {
        const events = api.events(profile.id);
        const flush = async () => {
          for (const event of events.taken()) await onChunk?.(event);
        };
        const take = (delta: ModelDelta) => {
          events.take(delta);
          onDelta(delta);
        };
        const asked = api.translate(request, servers.lose);
        const answered = await chat.complete({ ...asked, onChunk: flush }, take, signal);
        if (answered.ok) events.end(answered.value);
        await flush();
        return answered;
      };
      if (!URL.canParse(baseUrl)) return translated();
      const own = async () => {
        const key = await servers.getKey(new URL(baseUrl).origin);
        const exchange = new Exchange({
          address: addressOf(baseUrl, api.path(profile.id), api.query),
          headers: { ...forwardedHeaders(headers), ...api.headers(key) },
          body: await runInSlices(writeBody(api.body(request)), SLICES),
          timeoutMs: profile.timeoutMs,
          signal,
        });
        return readAnswer(exchange, api.reading(), onDelta, onChunk);
      };
      return servers.ask({ dialect: api.dialect, baseUrl }, own, translated);
    },
  };
}
