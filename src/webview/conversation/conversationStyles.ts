import { css } from 'lit';

/** The list of rows and the buttons around it. */
export const conversationStyles = css`
  :host {
    position: relative;
    min-height: 0;
  }
  .scroller {
    height: 100%;
    overflow: hidden auto;
    overflow-anchor: none;
  }
  .list {
    max-width: 950px;
    margin: 0 auto;
    padding: 4px 0 8px;
  }
  button.more {
    display: block;
    width: calc(100% - 24px);
    margin: 4px 12px;
    padding: 3px 0;
    text-align: center;
  }
  button.later {
    /* Room for the button that floats over the end. */
    margin-bottom: 44px;
  }
  .unfinished {
    gap: 2px 8px;
    margin: 0 12px 10px;
  }
  .row {
    position: relative;
    outline: none;
  }
  .row:focus::after {
    position: absolute;
    inset: 0 4px;
    border: 1px solid var(--vscode-focusBorder);
    border-radius: var(--karl-radius-medium);
    content: '';
    pointer-events: none;
  }
  .pointed .row:focus::after {
    display: none;
  }
  karl-compressions.found {
    outline: 1px solid var(--vscode-focusBorder);
  }
  button.latest {
    position: absolute;
    right: 50%;
    bottom: 8px;
    transform: translateX(50%);
    padding: 3px 10px 3px 7px;
    border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
    border-radius: var(--karl-radius-round);
    background: var(--vscode-editorWidget-background);
    color: var(--vscode-editorWidget-foreground, var(--vscode-foreground));
    box-shadow: 0 2px 6px var(--vscode-widget-shadow, transparent);
    font-size: var(--karl-font-less);
    white-space: nowrap;
  }
  button.latest:hover {
    background: var(--vscode-editorWidget-background);
    color: var(--vscode-textLink-activeForeground);
  }
  /* In a low view it covers no lines. */
  @media (height <= 640px) {
    :host {
      display: flex;
      flex-direction: column;
    }
    .scroller {
      flex: 1 1 0;
      height: auto;
      min-height: 0;
    }
    button.latest {
      position: static;
      flex: none;
      align-self: center;
      transform: none;
      margin: 2px 0;
      padding: 0 8px 0 5px;
      box-shadow: none;
    }
    button.later {
      margin-bottom: 4px;
    }
  }
`;

/** A divider in the conversation, between two dashed lines. */
export const compressionsStyles = css`
  section {
    margin: 8px 12px;
    padding: 6px 10px 8px;
    border: 1px solid var(--vscode-contrastBorder, transparent);
    border-top: 1px dashed var(--vscode-charts-blue, var(--vscode-focusBorder));
    border-bottom: 1px dashed var(--vscode-charts-blue, var(--vscode-focusBorder));
    background: var(--vscode-textBlockQuote-background);
  }
  section > details > summary {
    display: flex;
    gap: 2px;
    min-height: 22px;
  }
  section > details > summary > .chevron {
    margin-top: 3px;
  }
  header,
  .turn {
    gap: 2px 6px;
    min-height: 22px;
  }
  .tokens {
    align-items: baseline;
    gap: 0 8px;
  }
  .tokens .muted {
    font-size: var(--karl-font-less);
    white-space: nowrap;
  }
  karl-compression + karl-compression {
    margin-top: 8px;
    padding-top: 6px;
    border-top: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
  }
  details > karl-compression:first-of-type {
    margin-top: 4px;
  }
  .undone strong,
  .undone .tokens {
    color: var(--vscode-descriptionForeground);
    font-weight: normal;
  }
  .undone .tokens {
    text-decoration: line-through;
  }
  button.undo {
    margin-left: auto;
    padding: 1px 6px 1px 3px;
    color: var(--vscode-foreground);
  }
  p {
    margin: 1px 0;
    overflow-wrap: anywhere;
  }
  .ways {
    gap: 2px 12px;
    margin-top: 2px;
  }
  /* Two rows of two, not one below three. */
  @media (260px < width <= 320px) {
    .ways:has(> :nth-child(4)) {
      display: grid;
      grid-template-columns: auto auto;
      justify-content: start;
    }
  }
  button.way {
    display: inline-flex;
    align-items: center;
    min-height: 20px;
  }
  /* Compensates for the empty left part of the icon, to align the buttons. */
  .way .chevron {
    margin-left: -4px;
  }
  .receipt {
    margin: 4px 0 0;
    padding-left: 16px;
  }
  .receipt li {
    margin: 1px 0;
  }
  li::marker {
    color: var(--vscode-descriptionForeground);
  }
  .restored {
    gap: 2px 8px;
    margin-top: 4px;
  }
  .unsaid {
    max-height: 300px;
    margin: 4px 0 0;
    padding: 4px 10px 8px;
    overflow: auto;
    border: 1px solid var(--vscode-contrastBorder, var(--vscode-widget-border, transparent));
    border-radius: var(--karl-radius-medium);
    background: var(--karl-background);
  }
  .unsaid .kind {
    gap: 8px;
    margin: 6px 0 1px;
    font-weight: 600;
  }
  .unsaid .kind .link {
    margin-left: auto;
    font-size: inherit;
    font-weight: normal;
  }
  .unsaid li {
    flex-wrap: wrap;
    gap: 0 8px;
    align-items: baseline;
    padding: 1px 0;
  }
  /* Where there is little room, what can be done with it is below it. */
  .fact {
    flex: 1 1 120px;
    min-width: 0;
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
    overflow-wrap: anywhere;
  }
  .unsaid .end {
    gap: 8px;
    margin-left: auto;
  }
  karl-note {
    max-height: 300px;
    margin: 4px 0 0;
    padding: 8px 10px;
    overflow: auto;
    border: 1px solid var(--vscode-contrastBorder, var(--vscode-widget-border, transparent));
    border-radius: var(--karl-radius-medium);
    background: var(--karl-background);
    user-select: text;
  }
`;
