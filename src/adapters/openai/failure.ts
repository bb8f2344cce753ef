import { INVISIBLE } from '../../core/chat/fence.ts';
import { parseJson } from '../../core/chat/parseJson.ts';
import { classifyModelError, type ModelError } from '../../core/model/classify.ts';
import { gather } from '../../core/model/gather.ts';
import type { Phrase, Words } from '../../core/phrase.ts';
import { sentence } from '../../language/language.ts';
import { isFields } from '../fields.ts';
import { type Ending, type Exchange, IDLE_TIMES, type RawAnswer } from './exchange.ts';

/** A failure detected on this side that would recur. */
export function finalFailure(evidence: Words): ModelError {
  return { kind: 'other', retryable: false, evidence };
}

/** A failure detected on this side that may not recur. */
function passingFailure(evidence: Words): ModelError {
  return { kind: 'other', retryable: true, evidence };
}

/** The request was cancelled. */
export const CANCELLED: ModelError = { kind: 'cancelled', retryable: false, evidence: 'cancelled' };

const ENDED_EARLY = sentence('The stream ended before the reply was finished (no finish_reason).');
const NOT_JSON = sentence('The server sent an event that is not JSON (malformed event stream).');

/**
 * Classifies a failed request: first by what this side did, then by the raw answer, then by what was thrown. `replied`: the
 * model has said something, so that the raw head of the stream is its words and no evidence.
 */
export function classifyFailure(exchange: Exchange, thrown: unknown, replied: boolean): ModelError {
  const { ending, timeoutMs } = exchange.watchdog;
  if (ending !== undefined && ending !== 'settled') return describeEnding(ending, timeoutMs);
  if (exchange.tooLarge !== undefined) return finalFailure(exchange.tooLarge);
  if (exchange.answer !== undefined) return classifyAnswer(exchange.answer);
  if (thrown === undefined || thrown instanceof SyntaxError || ending === 'settled') {
    // The stream may contain an error that is not an event.
    const isWord = !replied && exchange.head !== '' && !isWebPage(exchange.head);
    const told = isWord ? classifyModelError({ body: exchange.head }) : undefined;
    if (told !== undefined && told.kind !== 'other') return told;
    const evidence = thrown instanceof SyntaxError ? NOT_JSON : ENDED_EARLY;
    return { ...passingFailure(evidence), answered: true };
  }
  return describeConnection(thrown, exchange.server, replied) ?? classifyModelError(thrown);
}

function isWebPage(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body)\b/i.test(text);
}

/** The fields in which a body with status 200 reports an error; its other words may be anybody's. */
const ERROR_FIELD = /^(?:errors?|err|detail|base_resp|error_?(?:code|type|msg|message))$/i;

/** Whether a body, or its first line, is an error: by a field of such a name, or by its type. */
function tellsError(body: string): boolean {
  const told = parseJson(body) ?? parseJson(body.split('\n', 1)[0] ?? '');
  const levels: readonly unknown[] = Array.isArray(told) ? told : [told];
  return levels.some(
    (level) =>
      isFields(level) &&
      (level.type === 'error' || level.object === 'error' || Object.keys(level).some((key) => ERROR_FIELD.test(key))),
  );
}

/** The meaning of the codes of Node's sockets and name service, in lower case, in words. */
const CONNECTION_CODES: Readonly<Record<string, Phrase>> = {
  econnrefused: sentence('nothing listens there (connection refused)'),
  econnreset: sentence('the connection was cut'),
  epipe: sentence('the connection was cut'),
  enotfound: sentence('its host name is unknown'),
  eai_again: sentence('its host name could not be looked up'),
  ehostunreach: sentence('it cannot be reached from here'),
  enetunreach: sentence('there is no network'),
};

/** Failures of TLS, which would recur. */
const CERTIFICATE_CODES =
  /^(?:cert_|err_tls_cert|depth_zero_self_signed_cert$|self_signed_cert|unable_to_(?:verify|get_issuer))/;

/** Describes a failed connection by its code, which may be nested in causes. `replied`: the answer had begun. */
function describeConnection(thrown: unknown, server: string, replied: boolean): ModelError | undefined {
  const { codes } = gather(thrown);
  const certificate = codes.find((code) => CERTIFICATE_CODES.test(code))?.toUpperCase();
  if (certificate !== undefined)
    return finalFailure(sentence('{0} has a certificate that is not trusted here ({1}).', server, certificate));
  if (codes.some((code) => code === 'eproto' || code.startsWith('err_ssl')))
    return finalFailure(sentence('{0} does not speak TLS: use http:// in its base URL.', server));
  const [meaning] = codes.flatMap((code) => CONNECTION_CODES[code] ?? []);
  if (meaning === undefined) return undefined;
  if (!replied) return passingFailure(sentence('No connection to {0}: {1}.', server, meaning));
  const evidence = sentence('The connection to {0} broke off while the answer arrived.', server);
  return { ...passingFailure(evidence), brokeOff: true };
}

function describeEnding(ending: Exclude<Ending, 'settled'>, timeoutMs: number): ModelError {
  if (ending === 'cancelled') return CANCELLED;
  const seconds = String(Math.round((ending === 'idle' ? timeoutMs * IDLE_TIMES : timeoutMs) / 100) / 10);
  const evidence = {
    'no-headers': sentence('no answer within {0} s', seconds),
    stalled: sentence('the stream stalled: nothing came for {0} s', seconds),
    idle: sentence('the server kept the connection open for {0} s without any content', seconds),
  }[ending];
  return { kind: 'timeout', retryable: ending !== 'idle', evidence };
}

/** Classifies an answer that is not an event stream: an error (perhaps with status 200), a web page, or something else. */
function classifyAnswer(answer: RawAnswer): ModelError {
  const { status, body, headers, contentType } = answer;
  if (status >= 300 && status < 400) {
    const location = headers.get('location') ?? '';
    const evidence = URL.canParse(location)
      ? sentence('The server redirects to {0}: set the base URL to the address it names.', new URL(location).origin)
      : sentence('The server redirects to another address: set the base URL to that one.');
    return { ...finalFailure(evidence), status };
  }
  if (answer.compressed === true) {
    const evidence = sentence(
      'The server sent compressed data with status {0}, which Karl does not ask for: switch compression off in the server or the proxy before it.',
      String(status),
    );
    return { ...classifyModelError({ status, headers }), retryable: false, status, evidence };
  }
  const isPage = isWebPage(body);
  if (status < 300 && (isPage || body.trim() === '')) {
    const what = isPage ? sentence('a web page') : sentence('an empty answer');
    const type = contentType || sentence('no content type');
    const evidence = sentence('The server sent {0} ({1}) instead of a chat completion.', what, type);
    return { ...finalFailure(evidence), status };
  }
  // A web page comes from a proxy, so its words are not about this request.
  if (isPage) {
    const evidence = sentence('The server sent a web page with status {0}.', String(status));
    return { ...classifyModelError({ status, headers }), status, evidence };
  }
  const classified = classifyModelError({ status, headers, body: status < 300 && !tellsError(body) ? '' : body });
  if (status >= 300 || classified.kind !== 'other') return { ...classified, status };
  const start = body.trim().slice(0, 120);
  return { ...classified, status, evidence: sentence('The server answered 200 with no chat completion: {0}', start) };
}

/** Shorter pieces of a key at the edge of a quotation cannot be distinguished from words. */
const LEAST_PIECE = 4;

/** An escape of JSON, also in JSON within JSON, such as a call's arguments. */
const ESCAPE = String.raw`\\(?:[nrtbf]|u[0-9a-f]{4})?`;

/** What may separate the characters of a key: white space and invisible characters, also escaped. */
const GAP = `(?:[\\s${INVISIBLE}]|${ESCAPE})*`;

/** A visible character, not part of a gap. */
const SEEN = new RegExp(`[^\\s${INVISIBLE}]`, 'gu');

/**
 * Removes the key from an error, however the server echoed it: verbatim, in an address, in another case, with gaps between
 * its characters, or cut off at the edge of a quotation.
 */
export function withoutKey(error: ModelError, key: string): ModelError {
  const hide = (text: string): string =>
    [...new Set([key, encodeURIComponent(key)])].reduce(
      (hidden, form) => withoutPieces(hidden.replaceAll(drawnApart(form), '***'), form),
      text,
    );
  const hideIn = (said: Words): Words =>
    typeof said === 'string'
      ? hide(said)
      : { ...said, values: said.values.map((value) => (typeof value === 'number' ? value : hideIn(value))) };
  const { evidence, words } = error;
  return { ...error, evidence: hideIn(evidence), ...(words !== undefined && { words: hide(words) }) };
}

/** Matches a text in any case, also with gaps between its characters. */
function drawnApart(text: string): RegExp {
  const characters = Array.from(text, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return new RegExp(characters.join(GAP), 'giu');
}

function withoutPieces(evidence: string, key: string): string {
  const seen = [...evidence.matchAll(SEEN)].map(({ index }) => index);
  const text = seen
    .map((at) => evidence.charAt(at))
    .join('')
    .toLowerCase();
  const secret = key.toLowerCase();
  const end = text.endsWith('…') ? text.length - 1 : text.length;
  for (let length = secret.length - 1; length >= LEAST_PIECE; length -= 1) {
    if (text.slice(0, end).endsWith(secret.slice(0, length))) return `${evidence.slice(0, seen[end - length])}***…`;
    if (text.startsWith(secret.slice(-length)))
      return withoutPieces(`***${evidence.slice((seen[length - 1] ?? 0) + 1)}`, key);
  }
  return evidence;
}
