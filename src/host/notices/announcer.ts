import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import { plainText } from '../present/words.ts';
import type { Notice, NoticeId, Notices } from './notices.ts';

const SHOW = {
  info: vscode.window.showInformationMessage,
  warning: vscode.window.showWarningMessage,
  error: vscode.window.showErrorMessage,
} as const;

/** How long the view must be hidden before that counts, milliseconds: it is while it moves to another side bar, too. */
const HIDDEN_MS = 500;

/** The most buttons that a notification shows without cutting them. */
const MOST_BUTTONS = 3;

/** What of the view matters here. */
interface SeenView {
  /** Whether the user sees it. */
  readonly isVisible: boolean;
  /** Fires when the user no longer does. */
  readonly onDidHide: vscode.Event<void>;
}

/** Tells the user things: in Karl's view while it can be seen, in a notification of VS Code otherwise. */
export class Announcer {
  readonly #notices: Notices;
  readonly #view: () => SeenView;

  /** `view`: there when something is told, not yet when this is made. */
  constructor(notices: Notices, view: () => SeenView) {
    this.#notices = notices;
    this.#view = view;
  }

  /** Whether the user sees the view. */
  get isVisible(): boolean {
    return this.#view().isVisible;
  }

  /** Shows a notice in the view while that can be seen, as a notification otherwise. */
  tell(notice: Notice): void {
    if (this.isVisible) this.#notices.show(notice);
    else void this.notify(notice);
  }

  /** Shows a notice in the view, and as a notification too while the view is hidden. */
  show(notice: Notice): void {
    this.#notices.show(notice);
    void this.repeat(notice);
  }

  /**
   * Repeats a notice of the view as a notification while the view is hidden; no code can take that away again. Its
   * buttons press those of the notice, and say so when the notice is gone. Resolves when it is answered: false when it
   * was dismissed.
   */
  async repeat(notice: Notice): Promise<boolean> {
    if (this.isVisible) return true;
    const press = (label: string): void => {
      if (this.#notices.has(notice)) this.#notices.press(notice.id, label);
      else this.tell({ id: 'told', severity: 'info', text: t('That was settled meanwhile.'), passing: true });
    };
    const buttons = (notice.actions ?? []).slice(0, MOST_BUTTONS);
    const actions = buttons.map(({ label }) => ({ label, run: () => press(label) }));
    return (await this.notify({ ...notice, actions })) !== undefined;
  }

  /**
   * Repeats a question of the view as `repeat` does, and again each time that the view is hidden while it is open.
   * Resolves with false when it was dismissed where the view cannot be seen.
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
      const subscription = this.#view().onDidHide(() => {
        subscription.dispose();
        setTimeout(resolve, HIDDEN_MS);
      });
    });
  }

  /** Removes an outdated notice. */
  remove(id: NoticeId): void {
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
