import * as vscode from 'vscode';
import {
  checkSettings,
  DEFAULT_SETTINGS,
  describeSettingProblem,
  type KarlSettings,
  type SettingName,
  type SettingProblem,
} from '../core/session/settings.ts';
import { plainText } from './plainText.ts';

/**
 * The settings in force. Checked at every change: a wrong value is announced once, with one warning for the change,
 * and the last good value stays in force. Settings that a folder may only set when it is trusted are left out of an
 * untrusted one by VS Code (`restrictedConfigurations` of the manifest).
 */
export class Settings implements vscode.Disposable {
  #current: KarlSettings = DEFAULT_SETTINGS;
  readonly #changed = new vscode.EventEmitter<KarlSettings>();
  readonly #subscriptions: vscode.Disposable[];
  /** Fires after every change of a setting of Karl, with the settings now in force. */
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#read();
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('karl')) this.#update();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#update()),
    ];
  }

  get current(): KarlSettings {
    return this.#current;
  }

  /**
   * Writes a setting for the user, not for the workspace: what a dialog asked for must not land in a repository. Says so
   * when the workspace has a value of its own, which stands over it.
   */
  async write<Name extends SettingName>(name: Name, value: KarlSettings[Name]): Promise<void> {
    const configuration = vscode.workspace.getConfiguration('karl');
    await configuration.update(name, value, vscode.ConfigurationTarget.Global);
    this.#update();
    if (this.#current[name] === value) return;
    const text = `karl.${name} is also set for this workspace, and that value stands over your choice. Change or remove it there.`;
    void vscode.window.showWarningMessage(text, WORKSPACE_SETTINGS).then((choice) => {
      const shown = { jsonEditor: true, revealSetting: { key: `karl.${name}` } };
      if (choice !== undefined) void vscode.commands.executeCommand('workbench.action.openWorkspaceSettings', shown);
    });
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #update(): void {
    const before = JSON.stringify(this.#current);
    this.#read();
    if (JSON.stringify(this.#current) !== before) this.#changed.fire(this.#current);
  }

  #read(): void {
    const configuration = vscode.workspace.getConfiguration('karl');
    const { settings, problems } = checkSettings((name) => configuration.get<unknown>(name), this.#current);
    this.#current = settings;
    if (problems.length === 0) return;
    const text = problems.map((problem) => describeSettingProblem(withoutSecret(problem))).join(' ');
    const first = problems[0]?.setting ?? 'karl';
    void vscode.window.showWarningMessage(plainText(text), 'Open Settings').then((choice) => {
      if (choice !== undefined) void vscode.commands.executeCommand('workbench.action.openSettings', first);
    });
  }
}

/** The button that leads to the value which stands over the user's. */
const WORKSPACE_SETTINGS = 'Open Workspace Settings';

/** A plain address, whole: scheme, host, port and path, with neither user nor query. */
const HARMLESS_ADDRESS = /^"[a-z]{2,9}:\/\/[\w.:/-]*"$/i;

/** A base URL that was turned away may hold a password or a key: it is repeated only when it cannot. */
function withoutSecret(problem: SettingProblem): SettingProblem {
  if (problem.setting !== 'karl.baseUrl' || HARMLESS_ADDRESS.test(problem.value)) return problem;
  return { ...problem, value: 'wrong (it is not repeated here, since it may hold a key)' };
}
