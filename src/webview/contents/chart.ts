import { css, html, nothing, type TemplateResult } from 'lit';
import { t } from '../../language/language.ts';
import type { ChartPoint } from '../../protocol/viewState.ts';
import { formatShort } from '../format.ts';

/**
 * A chart of the tokens of each request, with the budget and the threshold, 100 by 100 from the upper left. Points are at
 * equal distances, oldest first, whatever time was between them; those of compressions, errors and the like are dots. The rows of
 * the history say the same in words.
 */
export function renderChart(points: readonly ChartPoint[]): TemplateResult | typeof nothing {
  const newest = points.at(-1);
  if (points.length < 2 || newest === undefined) return nothing;
  const top = Math.max(1, ...points.flatMap(({ tokens, limit }) => [...tokens, limit])) * 1.05;
  const step = 100 / (points.length - 1);
  /** A line through the figures of each point. */
  const draw = (figuresOf: (point: ChartPoint) => readonly number[]): string => {
    const places = points.flatMap((point, index) =>
      figuresOf(point).map((figure) => `${(index * step).toFixed(2)} ${(100 - (figure / top) * 100).toFixed(2)}`),
    );
    return places.length === 0 ? '' : `M${places.join('L')}`;
  };
  const tokens = draw((point) => point.tokens);
  // A line of no length is a dot. What has no tokens, as an error, is at the bottom.
  const events = points.flatMap(({ tokens: [before, after] }, index) =>
    before !== undefined && after === undefined
      ? []
      : `M${(index * step).toFixed(2)} ${(100 - ((after ?? 0) / top) * 100).toFixed(2)}h0`,
  );
  return html`<span class="chart">
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <path class="area" d=${tokens && `${tokens}V100H0Z`}></path>
      <path class="limit" d=${draw(({ limit }) => [limit])}></path>
      <path class="trigger" d=${draw(({ trigger }) => [trigger])}></path>
      <path class="tokens" d=${tokens}></path>
      <path class="events" d=${events.join('')}></path>
    </svg>
    <span class="wrap small muted">
      <span><i class="key limit"></i>${t('budget {0}', formatShort(newest.limit))}</span>
      <span><i class="key trigger"></i>${t('threshold {0}', formatShort(newest.trigger))}</span>
    </span>
  </span>`;
}

/** The line of tokens, the budget as a solid and the threshold as a dashed line. */
export const chartStyles = css`
  .chart {
    flex: 1 0 100%;
    padding: 2px 6px 0;
  }
  .chart > svg {
    display: block;
    width: 100%;
    height: 76px;
    overflow: visible;
    fill: none;
  }
  .chart path {
    vector-effect: non-scaling-stroke;
  }
  .tokens {
    stroke: var(--karl-blue);
    stroke-width: 1.5;
  }
  .events {
    stroke: var(--vscode-foreground);
    stroke-width: 5;
    stroke-linecap: round;
  }
  .area {
    fill: var(--karl-blue);
    opacity: 0.14;
  }
  .limit {
    stroke: var(--vscode-charts-red, var(--vscode-errorForeground));
    border-top: 1px solid var(--vscode-charts-red, var(--vscode-errorForeground));
  }
  /* In the text colour, as in the gauge, since VS Code's orange is half transparent. */
  .trigger {
    stroke: var(--vscode-foreground);
    stroke-dasharray: 4 3;
    border-top: 1px dashed var(--vscode-foreground);
  }
  .key {
    display: inline-block;
    width: 14px;
    margin-right: 4px;
    vertical-align: middle;
  }
`;
