import { t } from '../../core/language.ts';
import { EDITOR_MODELS, originOf } from '../../core/model/providers.ts';
import { ok, type Result } from '../../core/result.ts';
import { SETTING_RULES } from '../../core/session/settings.ts';
import type { ReadKey } from '../adapters.ts';
import { isLocal } from '../servers/secrets.ts';

/** A server whose models are offered in VS Code's model picker. */
export interface ModelServer {
  readonly baseUrl: string;
  /** The key that VS Code asked for with this group of models; without it, Karl's own key for the origin is used. */
  readonly key?: string;
  /** VS Code has a group of models for the server, and shows the name of the group in the picker. */
  readonly isGroup: boolean;
}

/**
 * The server of a group of models in "Chat: Manage Language Models", whose fields are declared in the manifest; without
 * a group, or with an empty address in it, the server of Karl's settings. Undefined: there is none, or it is VS Code.
 * @throws Error with a sentence for the user
 */
export function findServer(configuration: unknown, settings: { readonly baseUrl: string }): ModelServer | undefined {
  const isGroup = typeof configuration === 'object' && configuration !== null;
  const { url = '', apiKey = '' }: { url?: unknown; apiKey?: unknown } = isGroup ? configuration : {};
  const named = typeof url === 'string' ? url.trim() : url;
  if (!SETTING_RULES.baseUrl.accepts(named)) {
    // The address may hold a password: it is not repeated.
    throw new Error(
      t('The server URL of this group of models cannot be used. Allowed: {0}.', SETTING_RULES.baseUrl.allowed()),
    );
  }
  const baseUrl = named === '' ? settings.baseUrl : named;
  // VS Code offers its own models without Karl.
  if (baseUrl === EDITOR_MODELS) return undefined;
  if (baseUrl === '') {
    if (!isGroup) return undefined;
    throw new Error(t('This group of models has no server URL, and karl.baseUrl is not set. Set one of them.'));
  }
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  return { baseUrl, isGroup, ...(key !== '' && { key }) };
}

/**
 * The key of a group goes to the origin of its server only; Karl's own keys serve every other origin, and a group
 * without a key.
 */
export function keysOf({ baseUrl, key }: ModelServer, readKey: ReadKey): ReadKey {
  const own = originOf(baseUrl);
  return async (origin) => (key !== undefined && origin === own ? key : await readKey(origin));
}

/** How lists are obtained, and what a failure leads to. */
interface ModelListsOptions {
  /** The names of a server's models; the error is one sentence. Never rejects. */
  readonly ask: (server: ModelServer) => Promise<Result<readonly string[], string>>;
  /** Time to ask for the models again: a server that did not answer may be running by now. */
  readonly onAskAgain: () => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls after this many milliseconds; returns what prevents it. */
  readonly later: (ms: number, call: () => void) => () => void;
}

/** VS Code asks for the models many times when its window opens: an answer holds this long, milliseconds. */
const AGE = 10_000;

/**
 * After how long a server that did not answer is asked again, milliseconds; twice as long each time, up to the longest.
 */
const FIRST_WAIT = 15_000;
const LONGEST_WAIT = 300_000;

/** The models of servers. A server on this machine that is started after VS Code is found without anyone asking. */
export class ModelLists {
  readonly #options: ModelListsOptions;
  readonly #lists = new Map<
    string,
    { readonly at: number; readonly listed: Promise<Result<readonly string[], string>> }
  >();
  #wait = FIRST_WAIT;
  #cancel: (() => void) | undefined;
  #isDisposed = false;

  constructor(options: ModelListsOptions) {
    this.#options = options;
  }

  /** The names of a server's models, as it gave them within the last `AGE` or gives them now. */
  list(server: ModelServer): Promise<Result<readonly string[], string>> {
    const now = this.#options.now();
    const name = JSON.stringify(server);
    const known = this.#lists.get(name);
    if (known !== undefined && known.at > now - AGE) return known.listed;
    const listed = this.#ask(server);
    this.#lists.set(name, { at: now, listed });
    return listed;
  }

  /** Takes what a server has just answered to somebody else. */
  know(server: ModelServer, models: readonly string[]): void {
    this.#lists.set(JSON.stringify(server), { at: this.#options.now(), listed: Promise.resolve(ok(models)) });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancel?.();
  }

  async #ask(server: ModelServer): Promise<Result<readonly string[], string>> {
    const listed = await this.#options.ask(server);
    if (listed.ok) this.#wait = FIRST_WAIT;
    else if (isLocal(server.baseUrl)) this.#askAgain();
    return listed;
  }

  #askAgain(): void {
    if (this.#cancel !== undefined || this.#isDisposed) return;
    this.#cancel = this.#options.later(this.#wait, () => {
      this.#cancel = undefined;
      this.#options.onAskAgain();
    });
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }
}
