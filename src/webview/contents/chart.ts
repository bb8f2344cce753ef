import { css, html, nothing, type TemplateResult } from 'lit';
import { t } from '../../core/language.ts';
import type { ChartPoint } from '../../protocol/viewState.ts';
import { formatShort } from '../format.ts';

/** A chart of the tokens of each request, with the budget and the threshold. The rows of the history say the same in words. */
export function renderChart(points: readonly ChartPoint[]): TemplateResult | typeof nothing {
  const newest = points.at(-1);
  if (points.length < 2 || newest === undefined) return nothing;
  const { tokens, limit, trigger } = layoutChart(points);
  return html`<span class="chart">
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <path class="area" d=${tokens && `${tokens}V100H0Z`}></path>
      <path class="limit" d=${limit}></path>
      <path class="trigger" d=${trigger}></path>
      <path class="tokens" d=${tokens}></path>
    </svg>
    <span class="wrap small muted">
      <span><i class="key limit"></i>${t('budget {0}', formatShort(newest.limit))}</span>
      <span><i class="key trigger"></i>${t('threshold {0}', formatShort(newest.trigger))}</span>
    </span>
  </span>`;
}

/**
 * Lays out a chart of 100 by 100 with the origin at the upper left: the paths of the figures. Points are at equal
 * distances, oldest first, whatever time was between them.
 */
export function layoutChart(points: readonly ChartPoint[]) {
  const top = Math.max(1, ...points.flatMap(({ tokens, limit }) => [...tokens, limit])) * 1.05;
  const step = 100 / Math.max(1, points.length - 1);
  /** A line through the figures of each point. */
  const draw = (figuresOf: (point: ChartPoint) => readonly number[]): string => {
    const places = points.flatMap((point, index) =>
      figuresOf(point).map((figure) => `${round(index * step)} ${round(100 - (figure / top) * 100)}`),
    );
    return places.length === 0 ? '' : `M${places.join('L')}`;
  };
  return {
    tokens: draw(({ tokens }) => tokens),
    limit: draw(({ limit }) => [limit]),
    trigger: draw(({ trigger }) => [trigger]),
  };
}

function round(figure: number): number {
  return Math.round(figure * 100) / 100;
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
