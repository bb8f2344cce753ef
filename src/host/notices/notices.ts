import type { StorageProblem } from '../../core/session/conversationStore.ts';
import { t } from '../../language/language.ts';
import type { NoticeState } from '../../protocol/viewState.ts';
import { plainText, titleOf } from '../present/words.ts';
import type { KarlView } from '../view/view.ts';

/** The subject of a notice, which replaces an earlier one with the same id. */
export type NoticeId =
  /** The last turn failed. */
  | 'turn'
  /** The last compaction did not end as it should. */
  | 'compression'
  /** Something has to wait until nothing is running. */
  | 'busy'
  /** Asks whether to compress. */
  | 'compress?'
  /** The result of something that the user has just done. */
  | 'told'
  /** A warning of the session; `shortage`: that nothing can make its requests fit. */
  | 'warning'
  | 'shortage'
  | 'attachment'
  /** Files were restored. */
  | 'restored'
  /** The server accepts no tools. */
  | 'no-tools'
  /** The server silently drops messages. */
  | 'drops-oldest'
  /** A problem with a stored conversation. */
  | `storage ${StorageProblem['kind']}`;

/** A notice as the view shows it. */
export interface ShownNotice extends NoticeState {
  readonly id: NoticeId;
}

/** A button of a notice and what it does. */
export interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
  /** The notice stays when the button is pressed, since the user may cancel the dialog. */
  readonly keeps?: true;
}

/** A notice with its buttons. */
export interface Notice {
  readonly id: NoticeId;
  readonly severity: NoticeState['severity'];
  readonly text: string;
  readonly actions?: readonly NoticeAction[];
  /** Removed when a turn begins. */
  readonly passing?: true;
}

/** The action of the close button of a notice. */
const DISMISS = 'dismiss';

/** How long the view must be hidden to count as hidden, milliseconds: moving it to another side bar hides it briefly. */
const HIDDEN_MS = 500;

/** How many buttons a notification can show in full. */
const MOST_BUTTONS = 3;

/** Shows a notification of VS Code with these buttons. Resolves with the pressed one. */
type Notify = (
  severity: Notice['severity'],
  text: string,
  labels: readonly string[],
) => PromiseLike<string | undefined>;

/**
 * Informs the user: with notices in Karl's view (problems, hints and questions, until they are solved, answered or
 * dismissed), and with notifications of VS Code while the view is hidden.
 */
export class Notices implements Teller {
  readonly #notices = new Map<string, { readonly notice: Notice; readonly canDismiss: boolean }>();
  readonly #view: Pick<KarlView, 'isVisible' | 'onDidHide' | 'refresh'>;
  readonly #notify: Notify;

  constructor(view: Pick<KarlView, 'isVisible' | 'onDidHide' | 'refresh'>, notify: Notify) {
    this.#view = view;
    this.#notify = notify;
  }

  get isVisible(): boolean {
    return this.#view.isVisible;
  }

  get states(): readonly ShownNotice[] {
    return [...this.#notices.values()].map(({ notice: { id, severity, text, actions = [] }, canDismiss }) => {
      return { id, severity, text, actions: actions.map(({ label }) => ({ id: label, label })), canDismiss };
    });
  }

  /** Shows a notice in the view that can be dismissed. */
  show(notice: Notice): void {
    this.#put(notice, true);
  }

  /** Shows a notice in the visible view, otherwise a notification. */
  tell(notice: Notice): void {
    if (this.isVisible) this.show(notice);
    else void this.notify(notice);
  }

  /** Shows a notice in the view, and also as a notification while the view is hidden. */
  announce(notice: Notice): void {
    this.show(notice);
    void this.#repeat(notice);
  }

  /**
   * Shows a notice that cannot be dismissed, since one of its buttons is the answer; as a notification too, whenever the
   * view is hidden while the question is open. Resolves with false if that was dismissed while the view was hidden.
   */
  async ask(question: Notice): Promise<boolean> {
    this.#put(question, false);
    while (this.#has(question)) {
      if (this.isVisible) await this.#hidden();
      else if (await this.#repeat(question)) return true;
      else if (!this.isVisible) return false;
    }
    return true;
  }

  /** Shows a notification of VS Code. Resolves with the pressed button, or undefined if it was dismissed. */
  async notify({ severity, text, actions = [] }: Omit<Notice, 'id'>): Promise<string | undefined> {
    const labels = actions.map(({ label }) => label);
    const pressed = await this.#notify(severity, plainText(text), labels);
    actions.find(({ label }) => label === pressed)?.run();
    return pressed;
  }

  /**
   * Repeats a notice as a notification while the view is hidden. Code cannot remove a notification, so its buttons press
   * those of the notice, or say that it is gone. Resolves when it is answered; false if it was dismissed.
   */
  async #repeat(notice: Notice): Promise<boolean> {
    if (this.isVisible) return true;
    const press = (label: string): void => {
      if (this.#has(notice)) this.press(notice.id, label);
      else this.tell({ id: 'told', severity: 'info', text: t('This has already been settled.'), passing: true });
    };
    const buttons = (notice.actions ?? []).slice(0, MOST_BUTTONS);
    const actions = buttons.map(({ label }) => ({ label, run: () => press(label) }));
    return (await this.notify({ ...notice, actions })) !== undefined;
  }

  #hidden(): Promise<void> {
    return new Promise((resolve) => {
      const subscription = this.#view.onDidHide(() => {
        subscription.dispose();
        setTimeout(resolve, HIDDEN_MS);
      });
    });
  }

  #has(notice: Notice): boolean {
    return this.#notices.get(notice.id)?.notice === notice;
  }

  remove(id: NoticeId): void {
    if (this.#notices.delete(id)) this.#view.refresh();
  }

  /** Removes the notices that are outdated when a turn begins. */
  removePassing(): void {
    for (const [id, { notice }] of this.#notices) if (notice.passing) this.#notices.delete(id);
    this.#view.refresh();
  }

  clear(): void {
    this.#notices.clear();
    this.#view.refresh();
  }

  /**
   * Runs the button of a notice and removes the notice, unless the button keeps it; `dismiss` only removes it. Does nothing
   * if the notice or the button is gone, since the view may be outdated.
   */
  press(id: string, action: string): void {
    const notice = this.#notices.get(id)?.notice;
    if (notice === undefined) return;
    const pressed = notice.actions?.find(({ label }) => label === action);
    if (action === DISMISS || (pressed !== undefined && pressed.keeps !== true)) this.remove(notice.id);
    pressed?.run();
  }

  #put(notice: Notice, canDismiss: boolean): void {
    this.#notices.set(notice.id, { notice, canDismiss });
    this.#view.refresh();
  }
}

/** Informs the user about a conversation. */
export interface Teller {
  /** Whether the view that would show a notice is visible. */
  readonly isVisible: boolean;
  tell(notice: Notice): void;
  /** Shows a notification. Resolves with the pressed button, or undefined if it was dismissed. */
  notify(notice: Omit<Notice, 'id'>): Promise<string | undefined>;
  remove(id: NoticeId): void;
}

/**
 * A teller for a conversation that the view does not show: it uses notifications that begin with the conversation's name,
 * and never adds to the notices of the open conversation.
 */
export function elsewhere(notices: Pick<Teller, 'isVisible' | 'notify'>, name: string): Teller {
  const notify: Teller['notify'] = (notice) => notices.notify({ ...notice, text: t('{0}: {1}', name, notice.text) });
  return { isVisible: notices.isVisible, notify, tell: (notice) => void notify(notice), remove: () => undefined };
}

/** The name of another agent's conversation; `undefined` stands for a request without one. */
export function nameOfThread(
  thread: { readonly title: string; readonly client?: string | undefined } | undefined,
): string {
  if (thread === undefined) return 'Karl';
  const { title, client = '' } = thread;
  return client === '' ? t('“{0}” of another agent', titleOf(title)) : t('“{0}” of {1}', titleOf(title), client);
}
