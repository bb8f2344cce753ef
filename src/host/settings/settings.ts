import * as vscode from 'vscode';
import { originOf } from '../../core/model/providers.ts';
import { setWindows } from '../../core/model/windows.ts';
import { isEqual } from '../../core/result.ts';
import { inEnglish, sentence, t, translate } from '../../language/language.ts';
import { plainText } from '../present/words.ts';
import type { Decision, NamedServer } from '../servers/folderServers.ts';
import {
  checkSettings,
  DEFAULT_SETTINGS,
  describeSettingProblem,
  type KarlSettings,
  SETTING_NAMES,
  SETTING_RULES,
  type SettingName,
  type SettingProblem,
} from './settingRules.ts';

/**
 * The settings in force. They are checked at every change: wrong values are reported in one warning, and the last good
 * values stay in force. VS Code ignores settings of an untrusted folder that need trust (`restrictedConfigurations` of
 * the manifest).
 */
export class Settings implements vscode.Disposable {
  #current: KarlSettings = DEFAULT_SETTINGS;
  #named: NamedServer | undefined;
  /** Resolves when everything written so far is in force or has failed. */
  stored: Promise<unknown> = Promise.resolve();
  /** How many changes are being stored. */
  #storing = 0;
  readonly #decision: Decision;
  readonly #changed = new vscode.EventEmitter<KarlSettings>();
  readonly #subscriptions: vscode.Disposable[];
  /** Fires after every change of a setting of Karl, with the settings that were in force before. */
  readonly onDidChange = this.#changed.event;

  constructor(decision: Decision) {
    this.#decision = decision;
    this.#read();
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('karl')) this.update();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.update()),
    ];
  }

  get current(): KarlSettings {
    return this.#current;
  }

  /** A server that only the settings of the workspace name. It is used only if the user allows it. */
  get named(): NamedServer | undefined {
    return this.#named;
  }

  /** That server, while the user has not decided about it. */
  get undecided(): NamedServer | undefined {
    return this.#named !== undefined && this.#decision(this.#named) === undefined ? this.#named : undefined;
  }

  /**
   * Writes settings for the user, not for the workspace, so that nothing from a dialog ends up in a repository. They come
   * into force together. Warns if the workspace has a value of its own, which takes precedence.
   */
  async write(values: Partial<Pick<KarlSettings, 'baseUrl' | 'model'>>): Promise<void> {
    await this.#store(values, (name) => this.#current[name] === (values as Partial<KarlSettings>)[name]);
  }

  /** Writes or removes the user's context window of a model in the same way. */
  async writeWindow(model: string, tokens: number | undefined): Promise<void> {
    const stored = vscode.workspace.getConfiguration('karl').inspect<unknown>('contextWindows')?.globalValue;
    const { [model]: _before, ...others } = setWindows.safeParse(stored).data ?? {};
    const value = { ...others, ...(tokens !== undefined && { [model]: tokens }) };
    const kept = Object.keys(value).length === 0 ? undefined : value;
    await this.#store({ contextWindows: kept }, () => this.#current.contextWindows[model] === tokens);
  }

  /** `applies`: whether a written value is in force. */
  async #store(values: Partial<Record<SettingName, unknown>>, applies: (name: SettingName) => boolean): Promise<void> {
    const names = SETTING_NAMES.filter((name) => name in values);
    const write = async () => {
      const configuration = vscode.workspace.getConfiguration('karl');
      this.#storing += 1;
      try {
        for (const name of names) await configuration.update(name, values[name], vscode.ConfigurationTarget.Global);
      } finally {
        this.#storing -= 1;
        this.update();
      }
    };
    const writing = write();
    this.stored = Promise.allSettled([this.stored, writing]);
    await writing;
    for (const name of names) if (!applies(name)) warnOfWorkspace(name);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Reads the settings again, because they or a decision about a server have changed. */
  update(): void {
    // Settings that are written together come into force together.
    if (this.#storing > 0) return;
    const before = this.#current;
    this.#read();
    if (!isEqual(this.#current, before)) this.#changed.fire(before);
  }

  #read(): void {
    const configuration = vscode.workspace.getConfiguration('karl');
    const { own, named } = findNamed(configuration);
    this.#named = named;
    const isOwn = named !== undefined && this.#decision(named) !== true;
    const read = (name: string) => (isOwn && name === 'baseUrl' ? own : configuration.get<unknown>(name));
    const { settings, problems } = checkSettings(read, this.#current);
    this.#current = settings;
    if (problems.length === 0) return;
    const text = problems.map((problem) => translate(describeSettingProblem(withoutSecret(problem)))).join(' ');
    // The figures of an object setting are found under its name.
    const first = problems[0]?.setting.replace(/^(karl\.(?:sandwich|actionTrace))\..*$/, '$1') ?? 'karl';
    void vscode.window.showWarningMessage(plainText(text), t('Open Settings')).then((choice) => {
      if (choice !== undefined) void vscode.commands.executeCommand('workbench.action.openSettings', first);
    });
  }
}

function warnOfWorkspace(name: SettingName): void {
  const text = t(
    '{0} is also set for this workspace, and that value takes precedence over your choice. Change or remove it there.',
    `karl.${name}`,
  );
  void vscode.window.showWarningMessage(text, t('Open Workspace Settings')).then((choice) => {
    const shown = { jsonEditor: true, revealSetting: { key: `karl.${name}` } };
    if (choice !== undefined) void vscode.commands.executeCommand('workbench.action.openWorkspaceSettings', shown);
  });
}

/** The user's own base URL, and the server that the workspace names instead. */
function findNamed(configuration: vscode.WorkspaceConfiguration): { own: unknown; named: NamedServer | undefined } {
  const found = configuration.inspect<unknown>('baseUrl');
  const own = found?.globalValue ?? found?.defaultValue;
  const baseUrl = found?.workspaceFolderValue ?? found?.workspaceValue;
  const origin = SETTING_RULES.baseUrl.accepts(baseUrl) ? originOf(baseUrl) : undefined;
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const folder = workspaceFile?.fsPath ?? workspaceFolders?.[0]?.uri.fsPath;
  if (origin === undefined || folder === undefined || origin === originOf(String(own)))
    return { own, named: undefined };
  return { own, named: { folder, origin, source: t('karl.baseUrl in the settings of the workspace') } };
}

/** A plain address, whole: scheme, host, port and path, with neither user nor query. */
const HARMLESS_ADDRESS = /^"[a-z]{2,9}:\/\/[\w.:/-]*"$/i;

/** A rejected base URL may contain a password or a key: it is repeated only if it certainly contains neither. */
function withoutSecret(problem: SettingProblem): SettingProblem {
  if (problem.setting !== 'karl.baseUrl' || HARMLESS_ADDRESS.test(inEnglish(problem.value))) return problem;
  return { ...problem, value: sentence('invalid (not shown, because it may contain a key)') };
}

/** Opens the settings at one setting, or at those whose names begin with the query. */
export async function openSetting(query: string): Promise<void> {
  // A remote window has a settings page of its own.
  const page = vscode.env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
  await vscode.commands.executeCommand(`workbench.action.${page}`, { query });
}
