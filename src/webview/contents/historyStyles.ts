import { css } from 'lit';

/** A small chart: the line of tokens, the budget as a solid and the threshold as a dashed line, and marks. */
export const historyStyles = css`
  section {
    margin: 14px 0 2px;
  }
  summary {
    display: flex;
    align-items: flex-start;
    gap: 4px;
  }
  h3 {
    margin: 0 0 2px;
    font-size: 1em;
    font-weight: 600;
  }
  p {
    margin: 2px 0;
  }
  .chart {
    /* With the focus, the words below it are in sight too. */
    scroll-margin-bottom: 6em;
    position: relative;
    isolation: isolate;
    height: 76px;
    margin: 0 6px;
    cursor: pointer;
  }
  .chart > svg {
    display: block;
    width: 100%;
    height: 100%;
    overflow: visible;
  }
  .chart > svg path {
    fill: none;
    vector-effect: non-scaling-stroke;
  }
  .tokens {
    stroke: var(--vscode-charts-blue, var(--vscode-focusBorder));
    stroke-width: 1.5;
  }
  .chart > svg path.area {
    fill: var(--vscode-charts-blue, var(--vscode-focusBorder));
    opacity: 0.14;
  }
  .limit {
    stroke: var(--vscode-charts-red, var(--vscode-errorForeground));
    border-color: var(--vscode-charts-red, var(--vscode-errorForeground));
  }
  /* As at the gauge, where the threshold is a line in the colour of the text: VS Code's orange is half transparent. */
  .trigger {
    stroke: var(--vscode-foreground);
    stroke-dasharray: 4 3;
    border-color: var(--vscode-foreground);
  }
  .key {
    display: inline-block;
    width: 14px;
    margin-right: 4px;
    border-top-width: 1px;
    border-top-style: solid;
    vertical-align: middle;
  }
  .key.trigger {
    border-top-style: dashed;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
  }
  /* In front of the dot of the point that is read, which would hide what is in it. */
  .mark {
    position: absolute;
    z-index: 1;
    width: 14px;
    height: 14px;
    margin: -7px 0 0 -7px;
    padding: 1px;
    border: 1px solid currentcolor;
    border-radius: 50%;
    background: var(--vscode-sideBar-background, var(--vscode-editor-background));
    pointer-events: none;
  }
  .mark .icon {
    width: 10px;
    height: 10px;
  }
  .mark.error {
    color: var(--vscode-errorForeground);
  }
  .cursor,
  .dot {
    position: absolute;
    pointer-events: none;
  }
  .cursor {
    top: 0;
    bottom: 0;
    border-left: 1px solid var(--vscode-descriptionForeground);
    opacity: 0.6;
  }
  .dot {
    width: 6px;
    height: 6px;
    margin: -3px 0 0 -3px;
    border-radius: 50%;
    background: var(--vscode-foreground);
  }
  .read {
    min-height: 1.4em;
  }
  ol {
    max-height: 180px;
    margin: 2px 0;
    padding-left: 20px;
    overflow: hidden auto;
    list-style: none;
  }
  ol button {
    text-align: left;
  }
`;
