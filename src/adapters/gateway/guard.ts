import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type HttpError, httpError } from './httpError.ts';

/** The header by which a client names the gateway's token when its own key is meant for the model's server. */
export const TOKEN_HEADER = 'x-karl-token';

/** The loopback names of this machine. */
const OWN_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** A host name or address with an optional port, and nothing else. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/**
 * Why a request is refused; undefined if it has the token and names one of the gateway's hosts. `hosts`: other hosts
 * under which the gateway is reached, e.g. that of a forwarded port; without a port. A web page does not know the token,
 * and is refused because of its host (a name that points at 127.0.0.1) or its origin as well.
 */
export function refuse(headers: IncomingHttpHeaders, token: string, hosts: ReadonlySet<string>): HttpError | undefined {
  const host = HOST.exec(headers.host ?? '')?.[1]?.toLowerCase();
  if (host === undefined || !(OWN_NAMES.has(host) || hosts.has(host))) {
    const message = `The gateway does not answer under the host ${JSON.stringify(headers.host ?? '')}: use 127.0.0.1 or localhost.`;
    return httpError(403, message, { code: 'wrong_host' });
  }
  if (headers.origin !== undefined && !isSameOrigin(headers.origin, headers.host))
    return httpError(403, 'The gateway does not answer web pages of another origin.', { code: 'wrong_origin' });
  const given = tokenIn(headers);
  if (given !== undefined && isSame(given, token)) return undefined;
  const message =
    given === undefined
      ? "The gateway's token is missing: give it as the API key of your client (Authorization: Bearer …, or x-api-key)."
      : "The API key is not the gateway's token: copy it again with the settings for your client.";
  return httpError(401, message, { code: 'invalid_api_key' });
}

/** What a client gave as its key, in the header of its API, or as the token beside a key of its own. */
function tokenIn(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  const given = headers[TOKEN_HEADER] ?? headers['x-api-key'] ?? bearer ?? headers['x-goog-api-key'];
  return given === undefined ? undefined : String(given);
}

/** Compared with its port: another server on this machine is another origin. */
function isSameOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).origin === `http://${host?.toLowerCase()}`;
}

/** Compares hashes, so that the time says nothing about the token. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
