import { css } from 'lit';

/** The entry itself: what the user wrote stands in a box, what the model wrote is the page, tools are lines. */
export const messageStyles = css`
  :host {
    padding: 0 12px;
  }
  article {
    position: relative;
    padding: 6px 0;
  }
  article.user {
    margin: 8px 0 4px;
    padding: 6px 10px 8px;
    border: 1px solid var(--vscode-chat-requestBorder, var(--vscode-widget-border, transparent));
    border-radius: 6px;
    background: var(--vscode-input-background);
  }
  article.note {
    margin: 6px 0;
    padding: 5px 10px 7px;
    border: 1px solid var(--vscode-contrastBorder, transparent);
    border-left: 2px solid var(--vscode-charts-blue, var(--vscode-focusBorder));
    border-radius: 0 4px 4px 0;
    background: var(--vscode-textBlockQuote-background);
  }
  article.note .fold-title {
    color: var(--vscode-foreground);
    font-weight: 600;
  }
  article.note .fold[open] .fold-preview {
    visibility: hidden;
  }
  article.note .fold-body {
    margin: 4px 0 0 4px;
    padding: 0;
    border: 0;
  }
  article.note .folded > .end {
    background: var(--vscode-textBlockQuote-background, var(--vscode-sideBar-background));
  }
  article.assistant {
    padding-bottom: 2px;
  }
  article.tool,
  article.system {
    padding: 0;
  }
  article.pinned.user {
    border-color: var(--vscode-focusBorder);
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
    display: flex;
    flex: none;
    align-items: center;
    gap: 6px;
    min-height: 22px;
    margin-left: auto;
  }
  .actions {
    display: flex;
    width: 0;
    margin-left: -6px;
    overflow: hidden;
    opacity: 0;
  }
  article:hover .actions,
  .end:focus-within .actions,
  article:focus-within .actions {
    width: auto;
    margin-left: 0;
    overflow: visible;
    opacity: 1;
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
    background: var(--vscode-sideBar-background, var(--vscode-editor-background));
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
    border-radius: 4px;
    color: var(--vscode-descriptionForeground);
  }
  .fold > summary:hover .fold-title {
    color: var(--vscode-foreground);
  }
  .fold-title {
    flex: none;
    max-width: 75%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    color: color-mix(in srgb, var(--vscode-foreground) 85%, transparent);
  }
  .fold-preview {
    flex: 1;
    margin-left: 2px;
    font-size: 0.92em;
  }
  .fold-body {
    margin: 2px 0 6px 11px;
    padding-left: 10px;
    border-left: 1px solid var(--vscode-widget-border, var(--vscode-editorIndentGuide-background1, currentColor));
  }
  .plain-text {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
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
    border-radius: 8px;
    background: var(--vscode-badge-background);
    color: var(--vscode-badge-foreground);
    font-size: 0.8em;
    line-height: 15px;
  }
  .mark .icon {
    width: 11px;
    height: 11px;
  }
  .interrupted {
    display: flex;
    align-items: center;
    gap: 5px;
    margin: 4px 0 0;
    color: var(--vscode-editorWarning-foreground, var(--vscode-foreground));
  }
  button.more {
    display: block;
    margin-top: 4px;
  }
  .waiting {
    margin: 0;
  }
  .streaming > :last-child:not(pre, ul, ol, table)::after,
  .streaming > :is(ul, ol):last-child > li:last-child::after,
  .streaming > pre:last-child > code::after {
    content: '';
    margin-left: 2px;
    display: inline-block;
    width: 7px;
    height: 1em;
    vertical-align: -2px;
    background: var(--vscode-editorCursor-foreground, var(--vscode-foreground));
    animation: blink 1.1s steps(2, jump-none) infinite;
  }
  @keyframes blink {
    from {
      opacity: 0.9;
    }
    to {
      opacity: 0.15;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .streaming ::after {
      animation: none !important;
    }
  }
`;
