import type { GaugeState } from '../../protocol/viewState.ts';
import { formatPercent, formatTokens, percentOf } from '../format.ts';

/** "12,408 of 14,336 tokens · 87%": what is used against what may be used. The reserve is not in it. */
export function describeUse(gauge: GaugeState): string {
  const share = formatPercent(percentOf(gauge.used, gauge.limit));
  return `${formatTokens(gauge.used)} of ${formatTokens(gauge.limit)} tokens · ${share}`;
}

/** How the figure was come by. */
export function describeSource(gauge: GaugeState): string {
  switch (gauge.usedSource) {
    case 'measured':
      return 'measured by the server';
    case 'counted':
      return 'counted';
    case 'estimated':
      return gauge.errorPercent === undefined ? 'estimated' : `estimated ± ${formatPercent(gauge.errorPercent)}`;
  }
}

/** "window 16,384 (profile)". */
export function describeWindow(gauge: GaugeState): string {
  return `window ${formatTokens(gauge.window)} (${gauge.windowSource})`;
}
