import { t } from '../../core/language.ts';
import { EDITOR_MODELS, originOf } from '../../core/profile/editorModels.ts';
import { SETTING_RULES } from '../../core/session/settings.ts';
import type { ReadKey } from '../adapters.ts';

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

/**
 * The key of a group goes to the origin of its server only; Karl's own keys serve every other origin, and a group
 * without a key.
 */
export function keysOf({ baseUrl, key }: ModelServer, readKey: ReadKey): ReadKey {
  const own = originOf(baseUrl);
  return async (origin) => (key !== undefined && origin === own ? key : await readKey(origin));
}
