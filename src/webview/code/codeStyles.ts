import { css } from 'lit';

/**
 * Code blocks. A page does not know the colours of an editor's tokens, so that code gets those that themes give to
 * values in the debugger, mixed with the colour of text so that they stand out less.
 */
export const codeStyles = css`
  .markdown .code {
    margin: 6px 0;
    border: 1px solid var(--vscode-contrastBorder, var(--vscode-widget-border, transparent));
    border-radius: var(--karl-radius-medium);
    background: var(--vscode-textCodeBlock-background);
  }
  .markdown .code pre {
    margin: 0;
    padding: 0 10px 8px;
    border: 0;
    background: none;
  }
  .code-bar {
    display: flex;
    flex-wrap: wrap;
    gap: 0 10px;
    padding: 3px 10px 0;
  }
  .code-bar span {
    margin-right: auto;
  }
  /* Underlined as links of the web are: their colour alone does not tell them from the text around. */
  .file {
    color: var(--vscode-textLink-foreground);
    cursor: pointer;
    overflow-wrap: anywhere;
    text-decoration: underline;
  }
  .file:hover {
    color: var(--vscode-textLink-activeForeground);
  }
  /* The colour of links is made for the page's background, not for that of inline code. */
  :not(pre) > code .file {
    color: inherit;
  }
  .hljs-comment,
  .hljs-quote,
  .hljs-meta {
    color: var(--vscode-descriptionForeground);
  }
  .hljs-keyword,
  .hljs-literal,
  .hljs-selector-tag,
  .hljs-name,
  .hljs-section {
    color: color-mix(in srgb, var(--vscode-debugTokenExpression-boolean, currentColor) 78%, var(--vscode-foreground));
  }
  .hljs-string,
  .hljs-regexp,
  .hljs-addition {
    color: color-mix(in srgb, var(--vscode-debugTokenExpression-string, currentColor) 78%, var(--vscode-foreground));
  }
  .hljs-number {
    color: color-mix(in srgb, var(--vscode-debugTokenExpression-number, currentColor) 78%, var(--vscode-foreground));
  }
  .hljs-title,
  .hljs-type,
  .hljs-built_in,
  .hljs-attr,
  .hljs-attribute,
  .hljs-deletion {
    color: color-mix(in srgb, var(--vscode-debugTokenExpression-name, currentColor) 78%, var(--vscode-foreground));
  }
`;
