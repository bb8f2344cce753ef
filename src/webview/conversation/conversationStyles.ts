import { css } from 'lit';

/** The list of rows and the buttons around it. */
export const conversationStyles = css`
  :host {
    position: relative;
    display: flex;
    flex-direction: column;
  }
  /* Keeps its scroll position behind what fills the window. */
  :host([hidden]) {
    display: flex;
    position: absolute;
    visibility: hidden;
    inset: auto 0 auto 0;
    height: 40vh;
  }
  .scroller {
    flex: 1 1 0;
    min-height: 0;
    overflow: hidden auto;
    overflow-anchor: none;
  }
  .list {
    max-width: 950px;
    margin: 0 auto;
    padding: 4px 0 8px;
  }
  button.more {
    overflow-anchor: none;
    display: block;
    width: calc(100% - 24px);
    margin: 4px 12px;
    padding: 3px 0;
    text-align: center;
  }
  .unfinished {
    margin: 0 12px 10px;
  }
  karl-compression.found {
    outline: 1px solid var(--vscode-focusBorder);
  }
  button.later {
    margin-bottom: 34px;
  }
  /* Floats over the rows: they must not move under the pointer when the reader comes to the end. */
  button.latest {
    position: absolute;
    right: 20px;
    bottom: 6px;
    padding: 2px 8px;
  }
`;

/** A divider in the conversation, between two dashed lines. */
export const compressionsStyles = css`
  article {
    margin: 8px 12px;
    padding: 6px 10px 8px;
    border: 1px solid var(--vscode-contrastBorder, transparent);
    border-block: 1px dashed var(--karl-blue);
    background: var(--vscode-textBlockQuote-background);
  }
  .folded {
    margin-block: 0;
    padding-block: 0;
    border-color: transparent;
    border-block: 0;
  }
  .folded header {
    flex-wrap: nowrap;
  }
  .folded header > :not(:first-child) {
    flex: none;
  }
  .folded .less {
    display: none;
  }
  /* There is no room for them beside the title, or beside it and a button. */
  @media (max-width: 260px) {
    .folded .tokens {
      display: none;
    }
  }
  @media (max-width: 360px) {
    .folded .tokens:has(+ .undo) {
      display: none;
    }
  }
  .tokens {
    align-items: baseline;
  }
  .undone :is(strong, .tokens) {
    color: var(--vscode-descriptionForeground);
    font-weight: normal;
  }
  .undone .tokens {
    text-decoration: line-through;
  }
  button.undo {
    padding: 1px 6px 1px 3px;
  }
  p {
    margin: 1px 0;
    overflow-wrap: anywhere;
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
  .unsaid li {
    align-items: baseline;
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
  .box {
    max-height: 300px;
    margin: 4px 0 0;
    padding: 6px 10px 8px;
    overflow: auto;
    border: 1px solid var(--karl-line);
    border-radius: var(--karl-radius-medium);
    background: var(--karl-background);
    user-select: text;
  }
`;
