import * as vscode from 'vscode';
import type { FoundServer } from '../../adapters/servers/models.ts';
import type { ListedModels } from '../../adapters.ts';
import { t } from '../../core/language.ts';
import type { NamedServer } from '../../core/model/folderServers.ts';
import { EDITOR_MODELS, originOf } from '../../core/model/providers.ts';
import { SETTING_RULES } from '../../core/session/settings.ts';
import type { Basics } from '../basics.ts';
import type { ConversationFactory } from '../conversations/conversationFactory.ts';
import { withProgress } from '../dialogs.ts';
import { plainText, withoutIcons } from '../present/words.ts';
import { describeServer, type KeyPlace, keyPlaceOf, type keysIn, needsNoKey } from './secrets.ts';

/** How long a server may take to list its models, milliseconds. */
const LIST_TIMEOUT = 5000;

interface SetupParts extends Basics {
  readonly keys: ReturnType<typeof keysIn>;
  readonly factory: Promise<ConversationFactory>;
  /** Records whether a server that a folder names may be used. */
  readonly decide: (server: NamedServer, allowed: boolean) => Promise<void>;
  /** Resolves when the open conversation uses the current settings. */
  readonly applied: () => Promise<void>;
}

/** The dialogs that ask for server, key and model, at first use and whenever one of them is missing. */
export class ServerSetup {
  readonly #parts: SetupParts;
  #opened = 0;

  constructor(parts: SetupParts) {
    this.#parts = parts;
  }

  /** How many dialogs were opened so far. */
  get opened(): number {
    return this.#opened;
  }

  /**
   * Asks for what is missing, in order. False if the user cancelled a dialog; true once all choices, here or just before,
   * are in force.
   */
  async complete(): Promise<boolean> {
    const { settings, keys } = this.#parts;
    await settings.stored;
    if (!(await this.#findServer())) return false;
    const place = this.#keyPlace();
    if (place === undefined) return false;
    if (!needsNoKey(place.origin) && (await keys.read(place)) === undefined && !(await this.setKey())) return false;
    if (settings.current.model === '' && !(await this.selectModel())) return false;
    if (!(await this.#decideServers())) return false;
    // The settings may name another server by now, whose key was not checked.
    const now = this.#keyPlace();
    if (now?.origin !== place.origin || now.folder !== place.folder) return await this.complete();
    await this.#parts.applied();
    return true;
  }

  /** Asks about servers that the folder names, then for a server if there is none. False if the user cancelled. */
  async #findServer(): Promise<boolean> {
    if (!(await this.#decideServers())) return false;
    return this.#parts.settings.current.baseUrl !== '' || (await this.selectServer());
  }

  /** The place of the key for the server in the settings. */
  #keyPlace(): KeyPlace | undefined {
    const { current, named } = this.#parts.settings;
    const origin = originOf(current.baseUrl);
    return origin === undefined ? undefined : keyPlaceOf(origin, named);
  }

  /** Asks about each server that the folder names, once. False if the user cancelled. */
  async #decideServers(): Promise<boolean> {
    const { settings, factory, decide } = this.#parts;
    for (;;) {
      const named = settings.undecided ?? (await (await factory).models.findUndecidedServer());
      if (named === undefined) return true;
      const allowed = await this.#dialog(() => askServer(named))();
      if (allowed === undefined) return false;
      await decide(named, allowed);
    }
  }

  /**
   * Asks for the server and tests the connection; asks for the model unless the server has the one in the settings.
   * False if the user cancelled, which changes nothing.
   */
  readonly selectServer = this.#dialog(async () => {
    const { settings, keys } = this.#parts;
    const { selectServer } = await import('./serverDialog.ts');
    const selected = await selectServer(settings.current.baseUrl, this);
    if (selected === undefined) return false;
    const { baseUrl, key, listed } = selected;
    const { model: current } = settings.current;
    const isFine = current !== '' && listed.ok && (listed.value?.includes(current) ?? true);
    // Server, key and model belong together: cancelling any of the dialogs changes nothing.
    const model = isFine ? current : await askModel(listed, current);
    if (!model) return false;
    const origin = originOf(baseUrl);
    if (key !== undefined && origin !== undefined) await keys.store(keyPlaceOf(origin, settings.named), key);
    await settings.write({ baseUrl, ...(model !== current && { model }) });
    return true;
  });

  /** Asks for one of the models that the server lists, or for a name if it lists none. */
  readonly selectModel = this.#dialog(async () => {
    const { settings } = this.#parts;
    if (!(await this.#decideServers())) return false;
    if (settings.current.baseUrl === '') return await this.selectServer();
    const { baseUrl } = settings.current;
    const listed = await this.listModels(t('Karl: asking the server for its models'), baseUrl);
    const model = await askModel(listed, settings.current.model);
    if (!model) return false;
    await settings.write({ model });
    return true;
  });

  /** Asks for the key of the base URL's origin; for VS Code's models, which need none, asks for another server. */
  readonly setKey = this.#dialog(async () => {
    if (!(await this.#findServer())) return false;
    const place = this.#keyPlace();
    if (place === undefined) return false;
    if (place.origin === EDITOR_MODELS) return await this.selectServer();
    const { askKey } = await import('./serverDialog.ts');
    const key = await askKey(place.origin);
    if (key === undefined) return false;
    await this.#parts.keys.store(place, key);
    return true;
  });

  #dialog<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
    return async () => {
      this.#opened += 1;
      this.#parts.view.refresh();
      return await ask();
    };
  }

  /** Asks VS Code or a server for its models, which also tests the connection. `key` replaces the stored one. */
  listModels(title: string, baseUrl: string, key?: string): Promise<ListedModels> {
    return withProgress(title, async () => {
      const { adapters, readKey } = this.#parts;
      const signal = AbortSignal.timeout(LIST_TIMEOUT);
      // Loaded when it is needed, to keep activation fast.
      if (baseUrl === EDITOR_MODELS)
        return await (await import('../editorModels/editorModels.ts')).listEditorModels(signal);
      return await adapters.listModels(baseUrl, key === undefined ? readKey : async () => key, signal);
    });
  }

  /** Looks for servers on this machine. */
  findServers(): Promise<readonly FoundServer[]> {
    const find = () => this.#parts.adapters.findServers(AbortSignal.timeout(LIST_TIMEOUT));
    return withProgress(t('Karl: looking for servers'), find);
  }

  /** Whether a key for an origin is stored, or the information that it needs none. */
  async hasKey(origin: string): Promise<boolean> {
    const { keys, settings } = this.#parts;
    return (await keys.read(keyPlaceOf(origin, settings.named))) !== undefined;
  }
}

/** Asks whether a server may be used. The safe answer comes first; `undefined` if the user cancelled. */
async function askServer({ origin, source }: NamedServer): Promise<boolean | undefined> {
  const refuse = { label: t('Do not use it'), description: t('nothing is sent there') };
  const allow = {
    label: t('Send the conversations of this folder to {0}', describeServer(origin)),
    description: t('your keys stay here'),
  };
  const picked = await vscode.window.showQuickPick([refuse, allow], {
    title: t('Karl: This folder names a server, {0}. May it be used?', describeServer(origin)),
    placeHolder: plainText(t('Named in {0}', source)),
    ignoreFocusOut: true,
  });
  return picked === undefined ? undefined : picked === allow;
}

/** A model, or the entry for another one. */
interface Choice extends vscode.QuickPickItem {
  readonly model?: string;
}

/**
 * Asks for one of the models that the server listed, or for a name if it listed none. `current`: the one in the settings,
 * which comes first if it is listed and is proposed if the server did not answer. Undefined if the user cancelled.
 */
async function askModel(listed: ListedModels, current: string): Promise<string | undefined> {
  const models = (listed.ok ? listed.value : undefined) ?? [];
  if (models.length === 0)
    return await askName(
      listed.ok
        ? t('The server lists no models that can chat. Enter the name that the server uses.')
        : t('{0}. Enter the name that the server uses.', listed.error.message),
      listed.ok ? '' : current,
    );
  const isListed = models.includes(current);
  const items: readonly Choice[] = [
    ...(isListed ? [{ label: withoutIcons(current), description: t('in use'), model: current }] : []),
    ...models.filter((model) => model !== current).map((model) => ({ label: withoutIcons(model), model })),
    { label: t('Other model…') },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: t('Karl: Which model?'), ignoreFocusOut: true });
  return picked === undefined ? undefined : (picked.model ?? (await askName(t('The name that the server uses'))));
}

async function askName(prompt: string, value = ''): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    title: t('Karl: Name of the model'),
    value,
    prompt: plainText(prompt),
    ignoreFocusOut: true,
    validateInput: (value) =>
      SETTING_RULES.model.accepts(value) ? undefined : t('Allowed: {0}', SETTING_RULES.model.allowed),
  });
}
