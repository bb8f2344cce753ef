import { parseLongJson } from '../../core/chat/parseJson.ts';
import type { Phrase, Words } from '../../core/phrase.ts';
import { err, ok, type Result, reasonOf } from '../../core/result.ts';
import { runInSlices } from '../../core/steps.ts';
import { sentence } from '../../language/language.ts';
import { type Fields, isFields, listAt } from '../fields.ts';
import { SLICES } from '../node/slices.ts';
import { errorCode } from '../node/storageError.ts';

/** Which server to ask, and how. */
export interface ServerQuery {
  /** The OpenAI-compatible base URL, e.g. `http://localhost:1234/v1`. */
  readonly baseUrl: string;
  readonly signal: AbortSignal;
  /** The key for an origin, if there is one; it is sent to that origin only. */
  readonly getKey?: (origin: string) => Promise<string | undefined>;
  /** For each request, milliseconds. */
  readonly timeoutMs?: number;
}

/** Why a server gave no answer to a question. */
export interface QueryFailure {
  /** `unreachable`: nothing answered there; `refused`: it answered with an error or with something other than JSON. */
  readonly kind: 'invalid-url' | 'cancelled' | 'unreachable' | 'refused';
  /** The HTTP status of an error. */
  readonly status?: number;
  readonly message: Words;
}

/** Local servers answer at once; a remote one that takes longer is not worth waiting for. */
const DEFAULT_TIMEOUT_MS = 3_000;

/** Bytes. The largest known list of models (OpenRouter's) is below 2 MB. */
const LARGEST_ANSWER = 16 * 1024 * 1024;

/**
 * Asks for JSON. Never rejects. The key goes to the base URL's own origin only; like a request to the model, a question
 * follows no redirect.
 */
export async function askJson(query: ServerQuery, url: URL, body?: unknown): Promise<Result<unknown, QueryFailure>> {
  const deadline = AbortSignal.timeout(query.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const signal = AbortSignal.any([query.signal, deadline]);
  const refused = (message: Words): Result<never, QueryFailure> => err({ kind: 'refused', message });
  try {
    const { origin, search } = new URL(query.baseUrl);
    // Azure and others refuse every address without the query of the base URL (`api-version`).
    url.search = search;
    const key = (await query.getKey?.(origin)) || undefined;
    const unsendable = key === undefined ? undefined : refuseKey(key, origin);
    if (unsendable !== undefined) return refused(unsendable);
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      redirect: 'manual',
      signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const { status } = response;
      const message =
        status >= 300 && status < 400
          ? sentence('The server redirects to another address: set the base URL to that one.')
          : sentence('{0} answered with status {1} to {2}', url.origin, String(status), url.pathname);
      return err({ kind: 'refused', status, message });
    }
    return ok(await runInSlices(parseLongJson(await readBytes(response)), SLICES));
  } catch (error) {
    if (query.signal.aborted) return err({ kind: 'cancelled', message: 'Cancelled' });
    if (error instanceof SyntaxError)
      return refused(sentence('{0} did not answer with JSON', url.origin + url.pathname));
    const message = sentence('{0} does not answer ({1})', url.origin, describeCause(error, deadline));
    return err({ kind: 'unreachable', message });
  }
}

/** Like `askJson`; undefined when there is no answer. */
export async function tryJson(query: ServerQuery, url: URL, body?: unknown): Promise<unknown> {
  const answer = await askJson(query, url, body);
  return answer.ok ? answer.value : undefined;
}

async function readBytes(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > LARGEST_ANSWER) throw new SyntaxError('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function describeCause(error: unknown, deadline: AbortSignal): Words {
  if (deadline.aborted) return sentence('no answer in time');
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return errorCode(cause) ?? reasonOf(cause);
}

/** What a header can carry (RFC 9110, field-content): no line ends or other control characters. */
const SENDABLE = /^[\x21-\x7e\x80-\xff]+(?: +[\x21-\x7e\x80-\xff]+)*$/;

/**
 * Why a key cannot be sent; `undefined` when it can. Checked before a request, because the errors of `fetch` quote a
 * header that they refuse. The sentence repeats nothing of the key.
 */
export function refuseKey(key: string, origin: string): Phrase | undefined {
  return SENDABLE.test(key)
    ? undefined
    : sentence(
        'The API key for {0} has characters that cannot be sent, such as a line end: store it again with "Karl: Set API Key"',
        origin,
      );
}

/** The entries of a list of models: in `data` or, from Together and others, a bare array. */
export function entriesOf(answer: unknown): readonly Fields[] {
  return Array.isArray(answer) ? answer.filter(isFields) : listAt(answer, 'data');
}
