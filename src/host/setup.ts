import * as vscode from 'vscode';
import type { NamedServer } from '../core/profile/folderServers.ts';
import type { Result } from '../core/result.ts';
import { SETTING_RULES } from '../core/session/settingRules.ts';
import { plainText } from './plainText.ts';
import { isLocal, type KeyPlace, type Keys, keyPlaceOf, originOf } from './secrets.ts';
import type { Settings } from './settings.ts';

/** Asks a server for the names of its models. The error is one sentence for the user. */
export type ListModels = (baseUrl: string, signal: AbortSignal) => Promise<Result<readonly string[], string>>;

/** How long a server may take to list its models, milliseconds. */
const LIST_TIMEOUT = 5000;

/** Servers that speak the OpenAI API, with the address at which each answers unless it was moved. */
const KNOWN_SERVERS = [
  { label: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { label: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
  { label: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
  { label: 'OpenAI', baseUrl: 'https://api.openai.com/v1' },
  { label: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1' },
] as const;

/** What the dialogs of the first use need. */
export interface SetupOptions {
  readonly settings: Settings;
  readonly keys: Keys;
  readonly listModels: ListModels;
  /** A server that a folder names and about which nothing was decided. */
  readonly findUndecidedServer: () => Promise<NamedServer | undefined>;
  readonly decideServer: (server: NamedServer, allowed: boolean) => Promise<void>;
}

/** The dialogs that ask for server, key and model: at first use, and whenever one of them is missing. */
export class Setup {
  readonly #options: SetupOptions;

  constructor(options: SetupOptions) {
    this.#options = options;
  }

  /** Asks for what is missing, in order. False when the user left a dialog. */
  async complete(): Promise<boolean> {
    const { settings, keys } = this.#options;
    if (!(await this.#findServer())) return false;
    const place = this.#keyPlace();
    if (place === undefined) return false;
    if (!isLocal(place.origin) && (await keys.read(place)) === undefined && !(await this.setKey())) return false;
    if (settings.current.model === '' && !(await this.selectModel())) return false;
    return await this.#decideServers();
  }

  /** Asks for a server when there is none, after what the folder names. False when the user left a dialog. */
  async #findServer(): Promise<boolean> {
    if (!(await this.#decideServers())) return false;
    return this.#options.settings.current.baseUrl !== '' || (await this.selectServer());
  }

  /** What the key of the server in the settings belongs to. */
  #keyPlace(): KeyPlace | undefined {
    const { current, named } = this.#options.settings;
    const origin = originOf(current.baseUrl);
    return origin === undefined ? undefined : keyPlaceOf(origin, named);
  }

  /** Asks about each server that the folder names, once. False when the user left the dialog. */
  async #decideServers(): Promise<boolean> {
    const { findUndecidedServer, decideServer } = this.#options;
    for (let named = await findUndecidedServer(); named !== undefined; named = await findUndecidedServer()) {
      const allowed = await askServer(named);
      if (allowed === undefined) return false;
      await decideServer(named, allowed);
    }
    return true;
  }

  /** Asks for the base URL and stores it. */
  async selectServer(): Promise<boolean> {
    const other = { label: 'Other server…', description: 'any OpenAI-compatible base URL' };
    const items = [...KNOWN_SERVERS.map(({ label, baseUrl }) => ({ label, description: baseUrl })), other];
    const picked = await vscode.window.showQuickPick(items, {
      title: 'Karl: Which server runs the model?',
      placeHolder: 'Any server that speaks the OpenAI chat-completions API',
    });
    if (picked === undefined) return false;
    const baseUrl = picked === other ? await askBaseUrl() : picked.description;
    if (baseUrl === undefined || baseUrl === '') return false;
    await this.#options.settings.write('baseUrl', baseUrl);
    return true;
  }

  /** Asks for the model, out of those that the server lists; by name when it lists none. */
  async selectModel(): Promise<boolean> {
    const { settings } = this.#options;
    if (!(await this.#findServer())) return false;
    const model = await this.#askModel(settings.current.baseUrl);
    if (model === undefined || model === '') return false;
    await settings.write('model', model);
    return true;
  }

  /** Asks for the key of the base URL's origin. */
  async setKey(): Promise<boolean> {
    if (!(await this.#findServer())) return false;
    const place = this.#keyPlace();
    if (place === undefined) return false;
    const key = await vscode.window.showInputBox({
      title: `Karl: API key for ${place.origin}`,
      prompt:
        'Kept in the secret storage of VS Code and sent to this server only. Leave empty if the server needs none.',
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined) return false;
    await this.#options.keys.store(place, key.trim());
    return true;
  }

  async #askModel(baseUrl: string): Promise<string | undefined> {
    const listed = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: 'Karl: asking the server for its models' },
      () => this.#options.listModels(baseUrl, AbortSignal.timeout(LIST_TIMEOUT)),
    );
    if (listed.ok && listed.value.length > 0) {
      const other = 'Other model…';
      const picked = await vscode.window.showQuickPick([...listed.value, other], { title: 'Karl: Which model?' });
      if (picked !== other) return picked;
    }
    const reason = listed.ok ? 'The server lists no models.' : listed.error;
    return await vscode.window.showInputBox({
      title: 'Karl: Name of the model',
      prompt:
        listed.ok && listed.value.length > 0
          ? 'As the server knows it'
          : plainText(`${reason} Type the name as the server knows it.`),
      ignoreFocusOut: true,
      validateInput: (value) =>
        SETTING_RULES.model.accepts(value) ? undefined : `Allowed: ${SETTING_RULES.model.allowed}`,
    });
  }
}

/** What is safe comes first; `undefined` when the user left the dialog. */
async function askServer({ origin, source }: NamedServer): Promise<boolean | undefined> {
  const refuse = { label: 'Do not use it', description: 'nothing goes there' };
  const allow = { label: `Send the conversations of this folder to ${origin}`, description: 'your keys stay here' };
  const picked = await vscode.window.showQuickPick([refuse, allow], {
    title: `Karl: This folder names a server, ${origin}. May it be used?`,
    placeHolder: plainText(`Named in ${source}`),
    ignoreFocusOut: true,
  });
  return picked === undefined ? undefined : picked === allow;
}

async function askBaseUrl(): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    title: 'Karl: Base URL',
    placeHolder: 'https://host/v1',
    ignoreFocusOut: true,
    validateInput: (value) =>
      SETTING_RULES.baseUrl.accepts(value) ? undefined : `Allowed: ${SETTING_RULES.baseUrl.allowed}`,
  });
}
