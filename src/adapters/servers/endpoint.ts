import { apiPath, carriesCredentials } from '../../core/model/providers.ts';
import type { Phrase } from '../../core/phrase.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { sentence } from '../../language/language.ts';

/** The addresses of a server. A key is bound to `origin`. */
export interface Endpoint {
  readonly origin: string;
  /** The base URL with a slash at its end, without query. */
  readonly base: URL;
  /** The base URL without `v1`. */
  readonly root: URL;
  /** The address for chat completions, with the query of the base URL (`api-version` of some servers). */
  readonly completions: string;
}

/** Checks a base URL. The error is one sentence that names the setting and never repeats credentials. */
export function parseEndpoint(text: string | undefined): Result<Endpoint, Phrase> {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '')
    return err(
      sentence(
        'The setting karl.baseUrl is empty: enter the address of an OpenAI-compatible server, e.g. http://localhost:1234/v1.',
      ),
    );
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return err(
      sentence(
        'The setting karl.baseUrl is not an http or https address: {0}.',
        JSON.stringify(hideCredentials(trimmed).slice(0, 120)),
      ),
    );
  }
  if (carriesCredentials(url)) {
    return err(
      sentence(
        'The setting karl.baseUrl contains a user name, a password or a key: remove it and use the command "Karl: Set API Key", which stores the key safely.',
      ),
    );
  }
  const { origin } = url;
  const base = `${origin}${apiPath(url)}`;
  const root = new URL(base.endsWith('/v1') ? base.slice(0, -2) : `${base}/`);
  return ok({ origin, base: new URL(`${base}/`), root, completions: `${base}/chat/completions${url.search}` });
}

/** Text before an `@` may be a password, even in an invalid URL. */
function hideCredentials(text: string): string {
  const at = text.lastIndexOf('@');
  return at < 0 ? text : `***${text.slice(at)}`;
}
