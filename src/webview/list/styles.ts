import { css } from 'lit';

/** Groups of rows. With a budget, each group has a bar as long as its share. */
export const listStyles = css`
  :host {
    container-type: inline-size;
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
  .group {
    margin-top: 4px;
  }
  .box {
    width: 14px;
    height: 14px;
    margin: 0;
    accent-color: var(--vscode-button-background);
  }
  .label {
    flex: 1 1 0;
    min-width: 0;
    align-items: baseline;
  }
  .figure {
    flex: none;
    min-width: 3.2em;
    text-align: right;
    white-space: nowrap;
  }
  .row {
    position: relative;
  }
  .line {
    flex-wrap: wrap;
    row-gap: 0;
    overflow-wrap: anywhere;
  }
  details > p,
  ul.bare {
    padding-left: 12px;
  }
  .track {
    flex: 1 0 100%;
  }
  .bar {
    display: block;
    height: 3px;
    min-width: 1px;
    border-radius: var(--karl-radius-small);
    background: var(--karl-blue);
  }
  .actions {
    display: flex;
  }
  /* In a narrow view, the buttons are below the row while it is hovered or focused. */
  .acts {
    border: 0;
    background: none;
  }
  @container (max-width: 440px) {
    .acts {
      position: absolute;
      top: calc(100% - 2px);
      right: 0;
      z-index: 1;
      padding: 0 4px;
      border: 1px solid var(--karl-line);
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
    details > ul.bare {
      padding-left: 0;
    }
    .figure {
      min-width: 2.2em;
    }
    .row .figure.muted {
      display: none;
    }
  }
`;
