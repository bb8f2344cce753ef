import { EDITOR_MODELS, originOf } from '../../core/model/providers.ts';
import { t } from '../../language/language.ts';
import type { Basics } from '../basics.ts';
import type { ConversationFactory } from '../conversations/conversationFactory.ts';
import type { NamedServer } from './folderServers.ts';
import { type Keys, needsNoKey } from './secrets.ts';

interface SetupParts extends Basics {
  readonly keys: Keys;
  readonly factory: Promise<ConversationFactory>;
  /** Records whether a server that a folder names may be used. */
  readonly decide: (server: NamedServer, allowed: boolean) => Promise<void>;
  /** Resolves when the open conversation uses the current settings. */
  readonly applied: () => Promise<void>;
}

/** The dialogs that ask for server, key and model, at first use and whenever one of them is missing. */
export class ServerSetup {
  readonly #parts: SetupParts;
  /** How many dialogs were opened so far. */
  opened = 0;

  constructor(parts: SetupParts) {
    this.#parts = parts;
  }

  /**
   * Asks for what is missing, in order. False if the user cancelled a dialog; true once all choices, here or just before,
   * are in force.
   */
  async complete(): Promise<boolean> {
    const { settings, keys } = this.#parts;
    await settings.stored;
    if (!(await this.#findServer())) return false;
    const origin = this.#origin;
    if (origin === undefined) return false;
    const key = keys.nameOf(origin);
    if (!needsNoKey(origin) && (await keys.read(origin)) === undefined && !(await this.setKey())) return false;
    if (settings.current.model === '' && !(await this.selectModel())) return false;
    if (!(await this.#decideServers())) return false;
    // The settings may name another server by now, whose key was not checked.
    if (this.#origin === undefined || keys.nameOf(this.#origin) !== key) return await this.complete();
    await this.#parts.applied();
    return true;
  }

  /** Asks about servers that the folder names, then for a server if there is none. False if the user cancelled. */
  async #findServer(): Promise<boolean> {
    if (!(await this.#decideServers())) return false;
    return this.#parts.settings.current.baseUrl !== '' || (await this.selectServer());
  }

  /** The origin of the server in the settings. */
  get #origin(): string | undefined {
    return originOf(this.#parts.settings.current.baseUrl);
  }

  /** Asks about each server that the folder names, once. False if the user cancelled. */
  async #decideServers(): Promise<boolean> {
    const { settings, factory, decide } = this.#parts;
    for (;;) {
      const named = settings.undecided ?? (await (await factory).models.findUndecidedServer());
      if (named === undefined) return true;
      const { askServer } = await import('./serverDialog.ts');
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
    const { askModel, selectServer } = await import('./serverDialog.ts');
    const selected = await selectServer(settings.current.baseUrl, this.#parts);
    if (selected === undefined) return false;
    const { baseUrl, key, listed } = selected;
    const { model: current } = settings.current;
    const isFine = current !== '' && listed.ok && (listed.value?.includes(current) ?? true);
    // Server, key and model belong together: cancelling any of the dialogs changes nothing.
    const model = isFine ? current : await askModel(listed, current);
    if (!model) return false;
    const origin = originOf(baseUrl);
    if (key !== undefined && origin !== undefined) await keys.store(keys.nameOf(origin), key);
    await settings.write({ baseUrl, ...(model !== current && { model }) });
    return true;
  });

  /** Asks for one of the models that the server lists, or for a name if it lists none. */
  readonly selectModel = this.#dialog(async () => {
    const { settings } = this.#parts;
    if (!(await this.#decideServers())) return false;
    if (settings.current.baseUrl === '') return await this.selectServer();
    const { baseUrl } = settings.current;
    const { askModel, listModels } = await import('./serverDialog.ts');
    const listed = await listModels(t('Karl: asking the server for its models'), baseUrl, this.#parts);
    const model = await askModel(listed, settings.current.model);
    if (!model) return false;
    await settings.write({ model });
    return true;
  });

  /** Asks for the key of the base URL's origin; for VS Code's models, which need none, asks for another server. */
  readonly setKey = this.#dialog(async () => {
    if (!(await this.#findServer())) return false;
    const origin = this.#origin;
    if (origin === undefined) return false;
    if (origin === EDITOR_MODELS) return await this.selectServer();
    const { askKey } = await import('./serverDialog.ts');
    const { keys } = this.#parts;
    const name = keys.nameOf(origin);
    const key = await askKey(origin);
    if (key === undefined) return false;
    await keys.store(name, key);
    return true;
  });

  #dialog<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
    return async () => {
      this.opened += 1;
      return await ask();
    };
  }
}
