import type { IncomingHttpHeaders } from 'node:http';
import type { Result } from '../../../core/result.ts';
import type { AnswerChunk } from '../../../core/session/modelClient.ts';
import type { RelayReply, RelayRequest } from '../../../core/session/relay/relayRequest.ts';
import type { HttpError } from '../httpError.ts';
import type { OwnServers } from './ownServer.ts';

/** The APIs that agents speak: OpenAI's chat completions, Anthropic's Messages, OpenAI's Responses. */
export type DialectName = 'chat' | 'messages' | 'responses';

/** How one API is read and written. Everything behind it works with chat-completions messages. */
export interface Dialect {
  readonly name: DialectName;
  /** Where requests are posted, after `/v1`. */
  readonly path: string;
  /** Reads a request; messages are checked where they are appended. */
  parse(call: ClientCall): Result<ClientRequest, HttpError>;
  /** An error in the API's own form: a body, or the data of the last event of a stream. */
  error(failure: HttpError): object;
}

/** A request as a client sent it. */
export interface ClientCall {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  /** The query of the address, with its `?`; empty where there is none. */
  readonly query: string;
  /** The servers behind the gateway, where they may speak the client's own API; undefined: chat completions only. */
  readonly servers: OwnServers | undefined;
}

/** What a client asked for. */
export interface ClientRequest {
  readonly request: RelayRequest;
  readonly streams: boolean;
  /** How the answer is written. */
  readonly form: AnswerForm;
}

/** Turns the chunks of a model's server into an answer for the client; made for one answer. */
export interface AnswerForm {
  /** The events to send for a chunk, as text of the stream. */
  take(chunk: AnswerChunk): string;
  /** The last events of the stream. */
  end(reply: RelayReply): string;
  /** The whole answer, for a client that does not stream. Called after all chunks were taken. */
  whole(reply: RelayReply): object;
  /** The last event of a stream that breaks off. */
  fail(failure: HttpError): string;
  /** Sent while nothing else is: clients ignore it. */
  readonly keepAlive: string;
}

/** The name of the agent: its title in the header that OpenRouter defines, or the product at the start of its user agent. */
export function agentOf(headers: IncomingHttpHeaders): string {
  const title = headers['x-title'] ?? headers['user-agent']?.split('/', 1)[0] ?? '';
  return String(title).trim().slice(0, 60);
}

/** An event of a stream; `type` is its name where the API names events. */
export function eventText(data: unknown, type?: string): string {
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(data)}\n\n`;
}
