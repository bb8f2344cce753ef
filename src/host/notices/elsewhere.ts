import { t } from '../../core/language.ts';
import { titleOf } from '../present/title.ts';
import type { Announcer } from './announcer.ts';

/** What tells the user of a conversation. */
export type Teller = Pick<Announcer, 'isVisible' | 'tell' | 'notify' | 'remove'>;

/**
 * Tells of a conversation that the view does not show, or that the user is looking at elsewhere: in notifications that
 * begin with its name, never among the notices of the conversation that is open.
 */
export function elsewhere(announcer: Pick<Announcer, 'isVisible' | 'notify'>, name: string): Teller {
  const notify: Teller['notify'] = (notice) => announcer.notify({ ...notice, text: t('{0}: {1}', name, notice.text) });
  return { isVisible: announcer.isVisible, notify, tell: (notice) => void notify(notice), remove: () => undefined };
}

/** What a conversation of another agent is called; `undefined`: a request beside a conversation, which has no name. */
export function nameOfThread(thread: { readonly title: string; readonly client?: string } | undefined): string {
  if (thread === undefined) return 'Karl';
  const { title, client = '' } = thread;
  return client === '' ? t('“{0}” of another agent', titleOf(title)) : t('“{0}” of {1}', titleOf(title), client);
}
