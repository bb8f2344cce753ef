import { type Sentence, sentence } from '../../core/language.ts';
import { apiPath, carriesCredentials } from '../../core/model/providers.ts';
import { err, ok, type Result } from '../../core/result.ts';

/** Where requests are sent. A key is bound to `origin`. */
export interface Endpoint {
  /** The address for chat completions, with the query of the base URL (`api-version` of some servers). */
  readonly completions: string;
  readonly origin: string;
}

/** Checks the base URL. The error is one sentence that names the setting and never repeats credentials. */
export function parseEndpoint(text: string | undefined): Result<Endpoint, Sentence> {
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
  return ok({ completions: `${url.origin}${apiPath(url)}/chat/completions${url.search}`, origin: url.origin });
}

/** Text before an `@` may be a password, even in an invalid URL. */
function hideCredentials(text: string): string {
  const at = text.lastIndexOf('@');
  return at < 0 ? text : `***${text.slice(at)}`;
}
