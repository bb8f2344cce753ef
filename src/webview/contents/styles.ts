import { css } from 'lit';

/** A heading, figures, a list of sources and a chart, all of which scroll. */
export const contentsStyles = css`
  .scroller {
    height: 100%;
    padding: 6px 12px 10px;
    overflow: hidden auto;
  }
  p {
    margin: 1px 0 4px;
  }
`;

/** A small chart: the line of tokens, the budget as a solid and the threshold as a dashed line, and marks. */
export const historyStyles = css`
  section {
    margin: 14px 0 2px;
  }
  p {
    margin: 2px 0;
  }
  .chart {
    /* When it gets the focus, the text below it is scrolled into view as well. */
    scroll-margin-bottom: 6em;
    position: relative;
    isolation: isolate;
    height: 76px;
    margin: 2px 6px 0;
    cursor: pointer;
  }
  .chart > svg {
    display: block;
    width: 100%;
    height: 100%;
    overflow: visible;
    fill: none;
  }
  .chart > svg path {
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
  .mark,
  .dot {
    position: absolute;
    border-radius: 50%;
    pointer-events: none;
  }
  /* In front of the dot of the current point, which would hide the icon. */
  .mark {
    z-index: 1;
    margin: -7px 0 0 -7px;
    padding: 1px;
    border: 1px solid currentcolor;
    background: var(--karl-background);
  }
  .mark .icon {
    width: 10px;
    height: 10px;
  }
  .mark.error {
    color: var(--vscode-errorForeground);
  }
  .dot {
    width: 6px;
    height: 6px;
    margin: -3px 0 0 -3px;
    background: var(--vscode-foreground);
  }
`;
