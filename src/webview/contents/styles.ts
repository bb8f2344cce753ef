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
  /* Room for the ring of the focus: what is in a row stays in line with what is above. */
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
  .note {
    flex: none;
    color: var(--vscode-descriptionForeground);
  }
  .line {
    flex-wrap: wrap;
    row-gap: 0;
    overflow-wrap: anywhere;
  }
  .last {
    display: flex;
    flex-wrap: wrap;
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
  @container (max-width: 440px) {
    .row {
      flex-wrap: wrap;
      row-gap: 0;
    }
    /* Name and figures are on the first line, the buttons on the second. */
    .row .label {
      flex: 1 0 calc(100% - 8.4em);
    }
    .row .figure {
      order: 1;
    }
    .row .note {
      flex: 1 1 auto;
      order: 2;
      white-space: normal;
    }
    .row .outdated {
      order: 3;
    }
    .row .actions {
      order: 4;
      margin-left: auto;
    }
  }
  @container (max-width: 240px) {
    .line {
      gap: 0 4px;
    }
    .figure {
      min-width: 2.2em;
    }
    .row .label {
      flex-basis: calc(100% - 4.6em);
    }
    .row .figure.muted {
      display: none;
    }
  }
`;
