import type { IncomingHttpHeaders } from 'node:http';
import type { ChatTool } from '../../../core/chat/wire.ts';
import type { ModelClient, ModelDelta, ModelRequest } from '../../../core/model/modelClient.ts';
import { RECALL_TOOL } from '../../../core/session/threads/own.ts';
import { runInSlices } from '../../../core/steps.ts';
import { SLICES } from '../../node/slices.ts';
import { Exchange, KEY_HEADERS } from '../../openai/exchange.ts';
import { writeBody } from '../../openai/jsonBodies.ts';
import { type AnswerReading, readAnswer } from '../../openai/readAnswer.ts';
import { TOKEN_HEADER } from '../guard.ts';
import { type AnswerForm, agentOf, type ClientCall, type ClientRequest, type ModelAndTools } from './dialect.ts';
import type { DialectName } from './ownServers.ts';
import type { Losses, ReplyEvents } from './translation.ts';

/** Headers of a client that are about its connection to the gateway, or that Karl writes itself. */
const NOT_FORWARDED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|content-type|content-encoding|accept|accept-encoding|authorization|x-api-key|x-goog-api-key|x-karl-.*|cookie|origin|referer|forwarded|x-forwarded-.*)$/;

/** The headers of a client that a server of the same API needs: version, betas, session. */
function forwardedHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const isOwnKey = headers[TOKEN_HEADER] !== undefined;
  const kept = Object.entries(headers).filter(
    ([name]) => !NOT_FORWARDED.test(name) || (isOwnKey && KEY_HEADERS.includes(name)),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** The address of an API of the server at a base URL. */
function addressOf(baseUrl: string, path: string, query = ''): string {
  const url = new URL(baseUrl);
  const folder = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/(?:chat\/completions|messages|responses)$/, '');
  return `${url.origin}${folder}${path}${url.search === '' ? query : `${url.search}${query.replace('?', '&')}`}`;
}

/** A request of another API than chat completions, and how it is put to a model's server. */
interface OwnRequest extends ModelAndTools {
  readonly dialect: Exclude<DialectName, 'chat'>;
  /** In chat completions. */
  readonly messages: readonly unknown[];
  /** The most tokens that the answer may have, as the client states it. */
  readonly limit: unknown;
  readonly hint?: string | undefined;
  readonly streams: boolean;
  readonly form: (hidesRecall: boolean) => AnswerForm;
  /** Where a server of the same API takes requests for a model. */
  readonly path: (model: string) => string;
  readonly query: string;
  /** The headers of the API itself, and of the user's key. */
  readonly headers: (key: string | undefined) => Readonly<Record<string, string>>;
  /** A tool that Karl adds, in the form of the API. */
  readonly fromTool: (tool: ChatTool) => object;
  /** The body for a server of the same API; `added`: Karl's own tools, which come after those of the client. */
  readonly body: (request: ModelRequest, added: readonly object[]) => object;
  /** Reads such a server's answer. */
  readonly reading: () => AnswerReading;
  /** The request in chat completions. */
  readonly translate: (request: ModelRequest, lose: Losses) => ModelRequest;
  /** Makes the events of the API from an answer in chat completions. */
  readonly events: (model: string) => ReplyEvents;
}

/** The request as the relay takes it. */
export function toClientRequest(call: ClientCall, own: OwnRequest): ClientRequest {
  const { model, messages, chatTools: tools, limit, hint, streams, form } = own;
  const fields = typeof limit === 'number' ? { max_tokens: limit } : {};
  const via = (chat: ModelClient) => clientFor(chat, call, own);
  return {
    request: { model, messages, tools, fields, client: agentOf(call.headers), hint, via },
    streams,
    form: form(!tools.some((tool) => tool.function?.name === RECALL_TOOL)),
  };
}

/** Asks a server in the client's own API if it speaks that, and otherwise by translation. */
function clientFor(chat: ModelClient, { servers, headers }: ClientCall, api: OwnRequest): ModelClient {
  return {
    complete: async (request, onDelta, signal) => {
      const { profile, onChunk } = request;
      const { baseUrl = '' } = profile;
      const translated = async () => {
        const reply = api.events(profile.id);
        const flush = async () => {
          for (const event of reply.events.splice(0)) await onChunk?.(event);
        };
        const take = (delta: ModelDelta) => {
          reply.take(delta);
          onDelta(delta);
        };
        const asked = api.translate(request, servers.lose);
        const answered = await chat.complete({ ...asked, onChunk: flush }, take, signal);
        if (answered.ok) reply.end(answered.value);
        await flush();
        return answered;
      };
      if (!URL.canParse(baseUrl)) return translated();
      const own = async () => {
        const key = await servers.getKey(new URL(baseUrl).origin);
        const added = request.tools.slice(api.chatTools.length).map(api.fromTool);
        const exchange = new Exchange({
          address: addressOf(baseUrl, api.path(profile.id), api.query),
          headers: { ...forwardedHeaders(headers), ...api.headers(key) },
          body: await runInSlices(writeBody(api.body(request, added)), SLICES),
          timeoutMs: profile.timeoutMs,
          signal,
        });
        return readAnswer(exchange, api.reading(), onDelta, onChunk);
      };
      return servers.ask({ dialect: api.dialect, baseUrl }, own, translated);
    },
  };
}
