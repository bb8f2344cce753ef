import { t } from '../../core/language.ts';
import { unreachable } from '../../core/result.ts';
import type { Cure } from './describeModelError.ts';

/** What the button of a remedy says. */
export function cureLabel(cure: Cure): string {
  switch (cure.kind) {
    case 'set-key':
      return t('Set API Key…');
    case 'select-server':
      return t('Select Server…');
    case 'select-model':
      return t('Select Model…');
    case 'compress-with':
      return t('Compress With…');
    case 'open-setting':
      return t('Open Settings');
    default:
      return unreachable(cure);
  }
}
