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
  header,
  .line,
  .row {
    display: flex;
    align-items: center;
    gap: 6px;
    min-height: 22px;
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
  .note {
    flex: none;
    color: var(--vscode-descriptionForeground);
  }
  .line {
    flex-wrap: wrap;
    row-gap: 0;
  }
  .track {
    flex: 1 0 100%;
    font-weight: normal;
  }
  .bar {
    display: block;
    height: 3px;
    min-width: 1px;
    border-radius: 2px;
    background: var(--vscode-charts-blue, var(--vscode-focusBorder));
  }
  ul {
    margin: 0;
    padding-left: 12px;
    list-style: none;
  }
  .actions {
    display: flex;
    flex: none;
  }
  @container (max-width: 380px) {
    .row {
      flex-wrap: wrap;
      row-gap: 0;
    }
    .row .label {
      flex-basis: 100%;
    }
    .row .note {
      flex: 1 1 auto;
      white-space: normal;
    }
    .row .actions {
      margin-left: auto;
    }
  }
  @container (max-width: 240px) {
    .row .figure.muted {
      display: none;
    }
  }
`;
