import * as vscode from 'vscode';
import type { Notice, Notices } from './notices.ts';
import { plainText } from './plainText.ts';

const SHOW = {
  info: vscode.window.showInformationMessage,
  warning: vscode.window.showWarningMessage,
  error: vscode.window.showErrorMessage,
} as const;

/** Tells the user things: in Karl's view while it can be seen, in a notification of VS Code otherwise. */
export class Announcer {
  readonly #notices: Notices;
  readonly #isVisible: () => boolean;

  constructor(notices: Notices, isVisible: () => boolean) {
    this.#notices = notices;
    this.#isVisible = isVisible;
  }

  /** Whether the user sees the view. */
  get isVisible(): boolean {
    return this.#isVisible();
  }

  /** Shows a notice in the view while that can be seen, as a notification otherwise. */
  tell(notice: Notice): void {
    if (this.isVisible) this.#notices.show(notice);
    else void this.notify(notice);
  }

  /** Takes a notice away that no longer holds. */
  withdraw(id: string): void {
    this.#notices.remove(id);
  }

  /**
   * A notification of VS Code, for failures and while the view is hidden. Resolves when it is answered or dismissed.
   */
  async notify({ severity, text, actions = [] }: Omit<Notice, 'id'>): Promise<string | undefined> {
    const pressed = await SHOW[severity](plainText(text), ...actions.map(({ label }) => label));
    actions.find(({ label }) => label === pressed)?.run();
    return pressed;
  }
}
