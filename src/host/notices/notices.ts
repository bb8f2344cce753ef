import { t } from '../../core/language.ts';
import type { StorageProblem } from '../../core/session/conversationStore.ts';
import type { NoticeState } from '../../protocol/viewState.ts';
import { titleOf } from '../present/words.ts';
import type { Announcer } from './announcer.ts';

/** What a notice is about: one takes the place of another with the same id. */
export type NoticeId =
  /** How the last turn failed. */
  | 'turn'
  /** The last compaction did not end as it should. */
  | 'compression'
  /** Something waits until nothing runs. */
  | 'busy'
  /** Offers the preview of the window before. */
  | 'preview-ended'
  /** Asks whether to compress. */
  | 'compress?'
  /** What has come of something that the user has just done. */
  | 'told'
  /** A warning of the session. */
  | 'warning'
  | 'attachment'
  /** It is not known whether the model takes the images that are attached. */
  | 'images?'
  /** Text could not be inserted, since no editor is open. */
  | 'no-editor'
  /** A link leads to no file. */
  | 'no-file'
  /** Files were restored. */
  | 'restored'
  /** The server takes no tools. */
  | 'no-tools'
  /** The server cuts what is too long and says nothing. */
  | 'drops-oldest'
  /** What is wrong with a stored conversation. */
  | `storage ${StorageProblem['kind']}`;

/** A notice as the view shows it. */
export interface ShownNotice extends NoticeState {
  readonly id: NoticeId;
}

/** A button of a notice and what it does. */
export interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
  /** The notice stays when the button is pressed: the user may stop half-way. */
  readonly keeps?: true;
}

/** A notice with its buttons. */
export interface Notice {
  readonly id: NoticeId;
  readonly severity: NoticeState['severity'];
  readonly text: string;
  readonly actions?: readonly NoticeAction[];
  /** It answers what the user has just done, and goes away when a turn begins. */
  readonly passing?: true;
  /** The user has put it away without an answer. */
  readonly onDismiss?: () => void;
}

/** What the view sends for the cross in the corner of a notice. */
const DISMISS = 'dismiss';

/** The notices in Karl's view: problems, hints and questions that stay until they are solved, answered or dismissed. */
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

  /** Whether a notice is still there, and no other in its place. */
  has(notice: Notice): boolean {
    return this.#notices.get(notice.id)?.notice === notice;
  }

  /** Takes a notice away, if it is there. */
  remove(id: NoticeId): void {
    if (this.#notices.delete(id)) this.#onChange();
  }

  /** Removes the notices that are outdated when a turn begins. */
  removePassing(): void {
    for (const [id, { notice }] of this.#notices) if (notice.passing) this.#notices.delete(id);
    this.#onChange();
  }

  /** Takes all notices away. */
  clear(): void {
    this.#notices.clear();
    this.#onChange();
  }

  /**
   * Runs a button of a notice and, unless the button keeps it, takes the notice away; `dismiss` only takes it away.
   * Does nothing for a notice or a button that is gone: the user may have pressed one that the view still showed.
   * `id`: as the view sends it.
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

/** What tells the user of a conversation. */
export type Teller = Pick<Announcer, 'isVisible' | 'tell' | 'notify' | 'remove'>;

/**
 * Tells about a conversation that the view does not show: in notifications that begin with its name, never among the
 * notices of the open conversation.
 */
export function elsewhere(announcer: Pick<Announcer, 'isVisible' | 'notify'>, name: string): Teller {
  const notify: Teller['notify'] = (notice) => announcer.notify({ ...notice, text: t('{0}: {1}', name, notice.text) });
  return { isVisible: announcer.isVisible, notify, tell: (notice) => void notify(notice), remove: () => undefined };
}

/** The name of another agent's conversation; `undefined`: a request that belongs to none. */
export function nameOfThread(
  thread: { readonly title: string; readonly client?: string | undefined } | undefined,
): string {
  if (thread === undefined) return 'Karl';
  const { title, client = '' } = thread;
  return client === '' ? t('“{0}” of another agent', titleOf(title)) : t('“{0}” of {1}', titleOf(title), client);
}
