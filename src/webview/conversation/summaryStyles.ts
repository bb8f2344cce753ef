import { css } from 'lit';

/** Text in place of messages: a quotation with a line at its side. */
export const summaryStyles = css`
  article.summary {
    margin: 6px 0;
    padding: 5px 10px 7px;
    border: 1px solid var(--vscode-contrastBorder, transparent);
    border-left: 2px solid var(--vscode-charts-blue, var(--vscode-focusBorder));
    border-radius: 0 var(--karl-radius-medium) var(--karl-radius-medium) 0;
    background: var(--vscode-textBlockQuote-background);
  }
  .fold-title {
    font-weight: 600;
  }
  .fold[open] .fold-preview {
    visibility: hidden;
  }
  .fold-body {
    margin: 4px 0 0 4px;
    padding: 0;
    border: 0;
  }
  .folded > .end {
    background: var(--vscode-textBlockQuote-background, var(--vscode-sideBar-background));
  }
`;
