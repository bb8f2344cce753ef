import { css } from 'lit';

/**
 * What all rows of the conversation share: the line of a row, its tags, sizes and buttons, and what unfolds. The
 * buttons come before tags and size, and cover them where the row is too narrow for both.
 */
export const rowStyles = css`
  :host {
    container-type: inline-size;
    padding: 0 12px;
  }
  article {
    position: relative;
    padding: 0;
  }
  header,
  .folded {
    display: flex;
    align-items: center;
    gap: 6px;
    min-height: 22px;
  }
  .speaker {
    font-weight: 600;
  }
  .end {
    position: relative;
    display: flex;
    flex: none;
    align-items: center;
    gap: 6px;
    min-height: 22px;
    margin-left: auto;
  }
  .actions {
    position: absolute;
    top: 0;
    right: calc(100% + 2px);
    left: calc(100% - 100cqw);
    display: flex;
    justify-self: safe end;
    border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
    border-radius: var(--karl-radius-medium);
    background: var(--vscode-editorWidget-background, var(--vscode-sideBar-background));
    opacity: 0;
    pointer-events: none;
  }
  article:hover .actions,
  article:focus-within .actions {
    opacity: 1;
    pointer-events: auto;
  }
  .folded {
    position: relative;
    align-items: flex-start;
  }
  .folded > .fold {
    flex: 1;
    min-width: 0;
  }
  .folded > .end {
    position: absolute;
    top: 0;
    right: 0;
    padding-left: 8px;
    background: var(--karl-background);
  }
  .folded > .fold > summary {
    padding-right: 56px;
  }
  .fold {
    margin-left: -4px;
  }
  .fold > summary {
    display: flex;
    align-items: center;
    gap: 4px;
    min-height: 22px;
    border-radius: var(--karl-radius-medium);
    color: var(--vscode-descriptionForeground);
  }
  .fold > summary:hover {
    color: var(--vscode-foreground);
  }
  .fold-title {
    flex: none;
    max-width: 75%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    color: var(--vscode-foreground);
  }
  .fold-preview {
    flex: 1;
    margin-left: 2px;
    font-size: var(--karl-font-less);
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
  /* With it, a browser lays out a million characters in ten seconds; without it, in half a second. */
  .plain-text.wide {
    unicode-bidi: normal;
  }
  pre {
    max-height: 320px;
    margin: 2px 0;
    overflow: auto;
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: calc(var(--vscode-editor-font-size, 12px) * 0.95);
    line-height: 1.45;
    white-space: pre-wrap;
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
  button.mark {
    cursor: pointer;
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
  .together {
    white-space: nowrap;
  }
`;
