import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import { plainText } from '../present/words.ts';
import type { KarlView } from '../view/view.ts';
import type { Notice, NoticeId, Notices, Teller } from './notices.ts';

const SHOW = {
  info: vscode.window.showInformationMessage,
  warning: vscode.window.showWarningMessage,
  error: vscode.window.showErrorMessage,
} as const;

/** How long the view must be hidden to count as hidden, milliseconds: moving it to another side bar hides it briefly. */
const HIDDEN_MS = 500;

/** How many buttons a notification can show in full. */
const MOST_BUTTONS = 3;

/** Informs the user: in Karl's view while it is visible, otherwise in notifications of VS Code. */
export class Announcer implements Teller {
  readonly #notices: Notices;
  readonly #view: Pick<KarlView, 'isVisible' | 'onDidHide'>;

  constructor(notices: Notices, view: Pick<KarlView, 'isVisible' | 'onDidHide'>) {
    this.#notices = notices;
    this.#view = view;
  }

  get isVisible(): boolean {
    return this.#view.isVisible;
  }

  /** Shows a notice in the visible view, otherwise a notification. */
  tell(notice: Notice): void {
    if (this.isVisible) this.#notices.show(notice);
    else void this.notify(notice);
  }

  /** Shows a notice in the view, and also as a notification while the view is hidden. */
  show(notice: Notice): void {
    this.#notices.show(notice);
    void this.repeat(notice);
  }

  /**
   * Repeats a notice as a notification while the view is hidden. Code cannot remove a notification, so its buttons press
   * those of the notice, or say that it is gone. Resolves when it is answered; false if it was dismissed.
   */
  async repeat(notice: Notice): Promise<boolean> {
    if (this.isVisible) return true;
    const press = (label: string): void => {
      if (this.#notices.has(notice)) this.#notices.press(notice.id, label);
      else
        this.tell({ id: 'told', severity: 'info', text: t('That has been settled in the meantime.'), passing: true });
    };
    const buttons = (notice.actions ?? []).slice(0, MOST_BUTTONS);
    const actions = buttons.map(({ label }) => ({ label, run: () => press(label) }));
    return (await this.notify({ ...notice, actions })) !== undefined;
  }

  /**
   * Repeats a question like `repeat`, and again whenever the view is hidden while the question is open. Resolves with
   * false if it was dismissed while the view was hidden.
   */
  async ask(question: Notice): Promise<boolean> {
    while (this.#notices.has(question)) {
      if (this.isVisible) await this.#hidden();
      else if (await this.repeat(question)) return true;
      else if (!this.isVisible) return false;
    }
    return true;
  }

  #hidden(): Promise<void> {
    return new Promise((resolve) => {
      const subscription = this.#view.onDidHide(() => {
        subscription.dispose();
        setTimeout(resolve, HIDDEN_MS);
      });
    });
  }

  remove(id: NoticeId): void {
    this.#notices.remove(id);
  }

  /** Shows a notification of VS Code. Resolves with the pressed button, or undefined if it was dismissed. */
  async notify({ severity, text, actions = [] }: Omit<Notice, 'id'>): Promise<string | undefined> {
    const pressed = await SHOW[severity](plainText(text), ...actions.map(({ label }) => label));
    actions.find(({ label }) => label === pressed)?.run();
    return pressed;
  }
}
