import { t } from '../../core/language.ts';
import type { StorageProblem } from '../../core/session/conversationStore.ts';
import type { NoticeState } from '../../protocol/viewState.ts';
import { titleOf } from '../present/words.ts';

/** The subject of a notice, which replaces an earlier one with the same id. */
export type NoticeId =
  /** The last turn failed. */
  | 'turn'
  /** The last compaction did not end as it should. */
  | 'compression'
  /** Something has to wait until nothing is running. */
  | 'busy'
  /** Offers to reopen the preview of the previous window. */
  | 'preview-ended'
  /** Asks whether to compress. */
  | 'compress?'
  /** The result of something that the user has just done. */
  | 'told'
  /** A warning of the session. */
  | 'warning'
  | 'attachment'
  /** It is unknown whether the model accepts the attached images. */
  | 'images?'
  /** Text could not be inserted, since no editor is open. */
  | 'no-editor'
  /** A link leads to no file. */
  | 'no-file'
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
  /** Called when the user dismisses the notice. */
  readonly onDismiss?: () => void;
}

/** The action of the close button of a notice. */
const DISMISS = 'dismiss';

/** The notices in Karl's view: problems, hints and questions, until they are solved, answered or dismissed. */
export class Notices {
  readonly #notices = new Map<string, { readonly state: ShownNotice; readonly notice: Notice }>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get states(): readonly ShownNotice[] {
    return [...this.#notices.values()].map((notice) => notice.state);
  }

  /** Shows a notice that can be dismissed. */
  show(notice: Notice): void {
    this.#put(notice, true);
  }

  /** Shows a notice that cannot be dismissed: one of its buttons is the answer. */
  ask(notice: Notice): void {
    this.#put(notice, false);
  }

  /** Whether this notice is still shown. */
  has(notice: Notice): boolean {
    return this.#notices.get(notice.id)?.notice === notice;
  }

  remove(id: NoticeId): void {
    if (this.#notices.delete(id)) this.#onChange();
  }

  /** Removes the notices that are outdated when a turn begins. */
  removePassing(): void {
    for (const [id, { notice }] of this.#notices) if (notice.passing) this.#notices.delete(id);
    this.#onChange();
  }

  clear(): void {
    this.#notices.clear();
    this.#onChange();
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
    if (action === DISMISS) notice.onDismiss?.();
    pressed?.run();
  }

  #put(notice: Notice, canDismiss: boolean): void {
    const { id, severity, text, actions = [] } = notice;
    const buttons = actions.map(({ label }) => ({ id: label, label }));
    this.#notices.set(id, { state: { id, severity, text, actions: buttons, canDismiss }, notice });
    this.#onChange();
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
export function elsewhere(announcer: Pick<Teller, 'isVisible' | 'notify'>, name: string): Teller {
  const notify: Teller['notify'] = (notice) => announcer.notify({ ...notice, text: t('{0}: {1}', name, notice.text) });
  return { isVisible: announcer.isVisible, notify, tell: (notice) => void notify(notice), remove: () => undefined };
}

/** The name of another agent's conversation; `undefined` stands for a request without one. */
export function nameOfThread(
  thread: { readonly title: string; readonly client?: string | undefined } | undefined,
): string {
  if (thread === undefined) return 'Karl';
  const { title, client = '' } = thread;
  return client === '' ? t('“{0}” of another agent', titleOf(title)) : t('“{0}” of {1}', titleOf(title), client);
}
