import { css } from 'lit';

/** A list of sources, each with a bar as long as its share of the budget. */
export const contentsStyles = css`
  :host {
    container-type: inline-size;
  }
  .scroller {
    height: 100%;
    padding: 6px 12px 10px;
    overflow: hidden auto;
  }
  .head,
  .line,
  .row,
  .all {
    display: flex;
    align-items: center;
    gap: 6px;
    min-height: 22px;
  }
  /* Room for the focus ring, without moving the content of the row. */
  .line,
  .row {
    margin: 0 -4px;
    padding: 1px 4px;
  }
  .row .link:focus-visible,
  .all .link:focus-visible {
    outline-offset: 1px;
  }
  h2 {
    flex: 1;
    margin: 0;
    font-size: 1em;
    font-weight: 600;
  }
  p {
    margin: 1px 0 4px;
  }
  .group {
    margin-top: 8px;
  }
  .group > .line,
  .group summary {
    font-weight: 600;
  }
  .chevron.none {
    visibility: hidden;
  }
  .label {
    flex: 1 1 0;
    min-width: 0;
    text-align: left;
  }
  .figure {
    flex: none;
    min-width: 3.2em;
    font-weight: normal;
    text-align: right;
  }
  .row {
    position: relative;
  }
  .acts {
    display: flex;
    flex: none;
    align-items: center;
    gap: 6px;
  }
  .note {
    flex: 0 1 auto;
    min-width: 0;
    max-width: 45%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    color: var(--vscode-descriptionForeground);
  }
  .line {
    flex-wrap: wrap;
    row-gap: 0;
    overflow-wrap: anywhere;
  }
  .last {
    gap: 2px 8px;
  }
  .outdated {
    flex: 0 1 auto;
    min-width: 0;
    text-align: left;
  }
  .all {
    flex-wrap: wrap;
    margin: 0;
  }
  details > p,
  ul {
    padding-left: 12px;
  }
  .track {
    flex: 1 0 100%;
    font-weight: normal;
  }
  .bar {
    display: block;
    height: 3px;
    min-width: 1px;
    border-radius: var(--karl-radius-small);
    background: var(--vscode-charts-blue, var(--vscode-focusBorder));
  }
  ul {
    margin: 0;
    list-style: none;
  }
  .actions {
    display: flex;
    flex: none;
  }
  /* In a narrow view, the buttons are below the row while it is hovered or focused. */
  @container (max-width: 440px) {
    .acts {
      position: absolute;
      top: calc(100% - 2px);
      right: 0;
      z-index: 1;
      padding: 0 4px;
      border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
      border-radius: var(--karl-radius-medium);
      background: var(--vscode-editorWidget-background, var(--karl-background));
      opacity: 0;
      pointer-events: none;
    }
    .row:is(:hover, :focus-within) .acts {
      opacity: 1;
      pointer-events: auto;
    }
  }
  @container (max-width: 240px) {
    .line {
      gap: 0 4px;
    }
    .figure {
      min-width: 2.2em;
    }
    .row .figure.muted {
      display: none;
    }
  }
`;

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
    /* When it gets the focus, the text below it is scrolled into view as well. */
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
  /* In the text colour, as in the gauge, since VS Code's orange is half transparent. */
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
    gap: 0 12px;
  }
  /* In front of the dot of the current point, which would hide the icon. */
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
    inset-block: 0;
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
