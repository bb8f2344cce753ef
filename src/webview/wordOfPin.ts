import { t } from '../core/language.ts';

/** What a pin does. What is not sent whole is restored by it. */
export function wordOfPin(isSentWhole: boolean): string {
  return isSentWhole
    ? t('Pin: keep through every compression')
    : t('Pin: sent whole again, and kept through every compression');
}
