import { css } from 'lit';

/**
 * One line for a call: what was called, on what, how it went; two where there is little room for that.
 */
export const callStyles = css`
  .line {
    display: flex;
    align-items: flex-start;
    gap: 6px;
  }
  details {
    flex: 1;
    min-width: 0;
    margin-left: -4px;
  }
  summary {
    display: flex;
    align-items: center;
    gap: 4px;
    min-height: 22px;
    border-radius: var(--karl-radius-medium);
    color: var(--vscode-descriptionForeground);
  }
  .name {
    flex: 0 1 auto;
    min-width: 3em;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    color: var(--vscode-foreground);
  }
  summary:hover {
    color: var(--vscode-foreground);
  }
  .target {
    flex: 1 1 0;
    font-size: var(--karl-font-less);
  }
  .detail {
    display: flex;
    flex: 0 1 auto;
    align-items: center;
    gap: 3px;
    min-width: 0;
    max-width: 45%;
    font-size: var(--karl-font-less);
  }
  .failed .detail {
    color: var(--vscode-list-errorForeground, var(--vscode-errorForeground));
  }
  .unsent .name,
  .unsent .failed .detail {
    color: var(--vscode-descriptionForeground);
  }
  .texts {
    margin: 2px 0 6px 11px;
    padding-left: 10px;
    border-left: 1px solid var(--vscode-widget-border, var(--vscode-editorIndentGuide-background1, currentColor));
  }
  h2 {
    margin: 4px 0 0;
    font-weight: 600;
  }
  /* Tags that leave too little of it go below it; what is unfolded comes last. */
  .line:has(.mark):not(:has(details[open])) {
    flex-wrap: wrap;
    row-gap: 0;
  }
  .line:has(.mark) details {
    flex-basis: 8em;
  }
  .failed .line:has(.mark) details {
    flex-basis: 12em;
  }
  /* Tool and outcome are on the first line, what it is about on the second, below the name. */
  @container (max-width: 340px) {
    summary {
      flex-wrap: wrap;
      row-gap: 0;
      padding-bottom: 1px;
    }
    .name {
      flex: 1 1 0;
      line-height: 20px;
    }
    .detail {
      max-width: 55%;
    }
    .target {
      flex: 1 0 calc(100% - 40px);
      order: 1;
      margin-left: 40px;
    }
    .target:empty {
      display: none;
    }
    /* Tags go below all of it: beside it they would take the room of the tool's name. */
    .line:has(.mark) details,
    .failed .line:has(.mark) details {
      flex-basis: 14em;
    }
  }
`;
