import { t } from '../../core/language.ts';
import type { PreviewGroup } from '../../protocol/preview.ts';

/** What becomes of the messages of a group, in words. */
export function nameOfGroup(fate: PreviewGroup['fate']): string {
  switch (fate) {
    case 'summarized':
      return t('Summarized');
    case 'dropped':
      return t('Dropped');
    case 'shortened':
      return t('Shortened');
    case 'aside':
      return t('Set aside by you');
    case 'chosen':
      return t('Kept by you');
    case 'kept':
      return t('Kept');
  }
}
