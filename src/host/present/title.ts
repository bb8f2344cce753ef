import { t } from '../../core/language.ts';

/** The title of a conversation until its first message names it, as it is stored. */
export const UNTITLED = 'New conversation';

/** A conversation's title for the user. */
export function titleOf(title: string): string {
  return title === UNTITLED ? t('New conversation') : title;
}
