import { t } from '../../core/language.ts';
import type { GaugeState } from '../../protocol/viewState.ts';
import { formatPercent, percentOf } from '../format.ts';

/** "12,408 of 14,336 tokens · 87%": what is used of what may be used. The reserve is not included. */
export function describeUse(gauge: GaugeState): string {
  if (gauge.accepted !== undefined) return t('{0} tokens', gauge.used);
  const share = formatPercent(percentOf(gauge.used, gauge.limit));
  return t('{0} of {1} tokens · {2}', gauge.used, gauge.limit, share);
}

/** Where the figure comes from. */
export function describeSource(gauge: GaugeState): string {
  switch (gauge.usedSource) {
    case 'measured':
      return t('measured by the server');
    case 'counted':
      return t('exact count');
    case 'estimated':
      return gauge.errorPercent === undefined
        ? t('estimated')
        : t('estimated ± {0}', formatPercent(gauge.errorPercent));
  }
}

/** "16,384-token window (from the model profile)". */
export function describeWindow(gauge: GaugeState): string {
  if (gauge.accepted !== undefined) return gauge.windowSource;
  return t('{0}-token window ({1})', gauge.window, gauge.windowSource);
}
