import { css } from 'lit';

/**
 * Shared styles of the rows: the line, tags, sizes, buttons and unfolded parts. The buttons are before tags and size, and
 * cover them in a narrow row.
 */
export const rowStyles = css`
  :host {
    container-type: inline-size;
    padding: 0 12px;
  }
  article,
  .end {
    position: relative;
  }
  .line {
    display: flex;
    align-items: flex-start;
    gap: 6px;
  }
  .line > .fold {
    flex: 1;
    min-width: 0;
  }
  .actions {
    position: absolute;
    inset: 0 calc(100% + 2px) auto calc(100% - 100cqw);
    display: flex;
    justify-self: safe end;
    opacity: 0;
    pointer-events: none;
  }
  article:is(:hover, :focus-within) .actions {
    opacity: 1;
    pointer-events: auto;
  }
  .fold {
    margin-left: -4px;
  }
  .fold > summary {
    gap: 4px;
    color: var(--vscode-descriptionForeground);
  }
  .fold-title {
    flex: none;
  }
  .fold-preview {
    flex: 1;
    margin-left: 2px;
  }
  .fold-body {
    margin: 2px 0 6px 11px;
    padding-left: 10px;
    border-left: 1px solid var(--vscode-widget-border, var(--vscode-editorIndentGuide-background1, currentColor));
  }
  .plain-text {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
  }
  /* Detecting the direction takes ten seconds for a million characters, against half a second without it. */
  .plain-text.wide {
    unicode-bidi: normal;
  }
  pre {
    max-height: 320px;
    margin: 2px 0;
    font-size: calc(var(--vscode-editor-font-size, 12px) * 0.95);
    line-height: 1.45;
    overflow-wrap: anywhere;
  }
  .mark {
    display: inline-flex;
    flex: none;
    align-items: center;
    gap: 2px;
    padding: 0 5px;
    border: 1px solid var(--vscode-contrastBorder, transparent);
    border-radius: var(--karl-radius-round);
    background: var(--vscode-badge-background);
    color: var(--vscode-badge-foreground);
    font-size: var(--karl-font-small);
    line-height: 15px;
  }
  .mark .icon {
    width: 11px;
    height: 11px;
  }
  button.more {
    display: block;
    margin-top: 4px;
  }
  button.mark:hover {
    text-decoration: underline;
  }
  .unsent {
    color: var(--vscode-descriptionForeground);
  }
  :host(.found) article {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: 2px;
    border-radius: var(--karl-radius-medium);
  }
`;

/** Messages: the user's are in a box, the model's directly on the page. */
export const messageStyles = css`
  .user {
    margin: 8px 0 4px;
    padding: 6px 10px 8px;
    border: 1px solid var(--vscode-chat-requestBorder, var(--vscode-widget-border, transparent));
    border-radius: var(--karl-radius-large);
    background: var(--vscode-input-background);
  }
  .assistant {
    padding: 6px 0 2px;
  }
  .user.pinned {
    border-color: var(--vscode-focusBorder);
  }
  .attached {
    gap: 4px;
    margin: 6px 0 0;
  }
  .streaming > :last-child:not(ul, ol, table)::after,
  .streaming > :is(ul, ol):last-child > li:last-child::after {
    content: '';
    margin-left: 2px;
    display: inline-block;
    width: 7px;
    height: 1em;
    vertical-align: -2px;
    background: var(--vscode-editorCursor-foreground, var(--vscode-foreground));
  }
  /* Most messages wait only a moment, so their mark is delayed, which is no motion. */
  .mark.late {
    animation: late 0s 400ms backwards;
  }
  @keyframes late {
    from {
      visibility: hidden;
    }
  }
`;

/** A call in one line: tool, subject and outcome; in two lines if there is little room. */
export const callStyles = css`
  .name {
    min-width: 3em;
    color: var(--vscode-foreground);
  }
  .target {
    flex: 1 1 0;
  }
  .detail {
    gap: 3px;
    min-width: 0;
    max-width: 45%;
  }
  .printed {
    max-height: 5em;
    margin: 0 0 4px 22px;
    overflow: hidden;
    font-size: var(--karl-font-small);
    line-height: inherit;
  }
  .failed .detail {
    color: var(--vscode-list-errorForeground, var(--vscode-errorForeground));
  }
  .unsent .name {
    color: var(--vscode-descriptionForeground);
  }
  h2 {
    margin-top: 4px;
  }
  /* Tags wrap below the call if they leave too little room for it. */
  .line:has(.mark):not(:has(details[open])) {
    flex-wrap: wrap;
    row-gap: 0;
  }
  .line:has(.mark) details {
    flex-basis: 12em;
  }
  /* Tool and outcome are on the first line, the subject on the second. */
  @container (max-width: 340px) {
    .fold > summary {
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
    /* Tags wrap below, since they would take the room of the tool's name. */
    .line:has(.mark) details {
      flex-basis: 14em;
    }
  }
`;

/** A summary: a quotation with a line at its side. A long one scrolls. */
export const summaryStyles = css`
  karl-note {
    max-height: 300px;
    overflow: auto;
  }
`;
