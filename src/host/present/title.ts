import { t } from '../../core/language.ts';

/** The title of a conversation until its first message names it, as it is stored. */
export const UNTITLED = 'New conversation';

/** A conversation's title for the user. */
export function titleOf(title: string): string {
  if (title === UNTITLED) return t('New conversation');
  // What the store calls a conversation whose summary file cannot be read.
  return title === 'Untitled conversation' ? t('Untitled conversation') : title;
}
