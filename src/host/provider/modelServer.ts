import type { ListedModels, ReadKey } from '../../adapters.ts';
import { EDITOR_MODELS, originOf } from '../../core/model/providers.ts';
import { t } from '../../language/language.ts';
import { soon } from '../conversations/system.ts';
import { isLocal } from '../servers/secrets.ts';
import { SETTING_RULES } from '../settings/settingRules.ts';

/** A server whose models are offered in VS Code's model picker. */
export interface ModelServer {
  readonly baseUrl: string;
  /** The key of this group of models; without it, Karl's own key for the origin is used. */
  readonly key?: string;
  /** VS Code has a group of models for the server and shows the group's name in the picker. */
  readonly isGroup: boolean;
}

/**
 * The server of a group of models in "Chat: Manage Language Models", whose fields the manifest declares. Without a group,
 * or with an empty address, the server of Karl's settings. Undefined if there is none, or if it is VS Code itself.
 * @throws Error with a sentence for the user
 */
export function findServer(configuration: unknown, settings: { readonly baseUrl: string }): ModelServer | undefined {
  const isGroup = typeof configuration === 'object' && configuration !== null;
  const { url = '', apiKey = '' }: { url?: unknown; apiKey?: unknown } = isGroup ? configuration : {};
  const named = typeof url === 'string' ? url.trim() : url;
  if (!SETTING_RULES.baseUrl.accepts(named)) {
    // The address may hold a password: it is not repeated.
    throw new Error(
      t('The server URL of this group of models cannot be used. Allowed: {0}.', SETTING_RULES.baseUrl.allowed),
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

/** The key of a group is used only for its server's origin; Karl's own keys are used for everything else. */
export function keysOf({ baseUrl, key }: ModelServer, readKey: ReadKey): ReadKey {
  const own = originOf(baseUrl);
  return async (origin) => (key !== undefined && origin === own ? key : await readKey(origin));
}

/** How long an answer is reused, milliseconds: VS Code asks for the models many times when its window opens. */
const AGE = 10_000;

/** When to ask a server of this machine again that did not answer, milliseconds. */
const AGAIN = 60_000;

/** The models of servers. Finds a server on this machine that is started after VS Code. */
export class ModelLists {
  readonly #askServer: (server: ModelServer) => Promise<ListedModels>;
  readonly #again: ReturnType<typeof soon>;
  readonly #lists = new Map<string, { readonly at: number; readonly listed: Promise<ListedModels> }>();

  /** `ask` never rejects. `onAskAgain` is called when a server that did not answer may be running by now. */
  constructor(ask: (server: ModelServer) => Promise<ListedModels>, onAskAgain: () => void) {
    this.#askServer = ask;
    this.#again = soon(onAskAgain, AGAIN);
  }

  /** The names of a server's models, or why it did not answer: as known for at most `AGE`, or asked now. */
  list(server: ModelServer): Promise<ListedModels> {
    const name = JSON.stringify(server);
    const known = this.#lists.get(name);
    if (known !== undefined && known.at > Date.now() - AGE) return known.listed;
    const listed = this.#ask(server);
    this.#lists.set(name, { at: Date.now(), listed });
    return listed;
  }

  /** A refusal is not reused: the next time, the key may be right. */
  async #ask(server: ModelServer): Promise<ListedModels> {
    const listed = await this.#askServer(server);
    if (listed.ok) return listed;
    if (listed.error.kind !== 'unreachable') this.#lists.delete(JSON.stringify(server));
    if (isLocal(server.baseUrl)) this.#again.ask();
    return listed;
  }
}
