import { css } from 'lit';

/** Markdown as in VS Code's chat: compact, with code in the editor's font. */
export const markdownStyles = css`
  .markdown {
    display: block;
    overflow-wrap: anywhere;
  }
  .markdown > :first-child {
    margin-top: 0;
  }
  .markdown > :last-child {
    margin-bottom: 0;
  }
  .markdown :is(p, ul, ol, blockquote, table) {
    margin: 6px 0;
  }
  .markdown :is(ul, ol) {
    padding-left: 20px;
  }
  .markdown li {
    margin: 2px 0;
  }
  /* The checkbox replaces the bullet. */
  .markdown li:has(> .check, > p > .check) {
    list-style: none;
  }
  .markdown li > p {
    margin: 0;
  }
  .markdown :is(h1, h2, h3, h4, h5, h6) {
    margin: 10px 0 4px;
    font-size: 1em;
    font-weight: 600;
  }
  /* Each has the direction of its first letter. */
  .markdown :is(p, li, th, td, h1, h2, h3, h4, h5, h6) {
    unicode-bidi: plaintext;
  }
  .markdown .unverified {
    text-decoration: underline wavy var(--vscode-editorWarning-foreground, var(--vscode-charts-yellow));
  }
  .markdown h1 {
    font-size: var(--karl-font-title);
  }
  .markdown h2 {
    font-size: var(--karl-font-more);
  }
  .markdown code {
    unicode-bidi: isolate;
    direction: ltr;
    padding: 1px 3px;
    border-radius: var(--karl-radius-small);
    background: var(--vscode-textPreformat-background, var(--vscode-textCodeBlock-background));
    color: var(--vscode-textPreformat-foreground, inherit);
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: var(--karl-font-less);
  }
  .markdown pre {
    max-height: none;
    padding: 8px 10px;
    white-space: pre;
  }
  .markdown :is(pre, .code) {
    margin: 6px 0;
    /* In light themes, code may have the background of the side bar. */
    border: 1px solid var(--karl-line);
    border-radius: var(--karl-radius-medium);
    background: var(--vscode-textCodeBlock-background);
  }
  .markdown pre code {
    padding: 0;
    background: none;
    color: inherit;
  }
  .markdown blockquote {
    padding: 0 10px;
    border-left: 3px solid var(--vscode-textBlockQuote-border);
    color: var(--vscode-descriptionForeground);
  }
  .markdown span.link:not(.file) {
    white-space: nowrap;
  }
  .markdown .no-link,
  .markdown .image {
    color: var(--vscode-descriptionForeground);
  }
  .markdown hr {
    height: 1px;
    border: 0;
    background: var(--vscode-widget-border, currentColor);
  }
  .markdown table {
    display: block;
    overflow-x: auto;
    border-collapse: collapse;
  }
  .markdown :is(th, td) {
    padding: 2px 8px;
    border: 1px solid var(--vscode-widget-border, var(--vscode-editorIndentGuide-background1, currentColor));
    text-align: start;
  }
`;

/**
 * Code blocks. Webviews do not get the colours of editor tokens, so code uses the theme's colours for values in the
 * debugger, mixed with the text colour.
 */
export const codeStyles = css`
  .markdown .code pre {
    margin: 0;
    padding: 0 10px 8px;
    border: 0;
    background: none;
  }
  .code-bar {
    gap: 0 10px;
    padding: 3px 10px 0;
  }
  .code-bar span {
    margin-right: auto;
  }
  /* The link colour may lack contrast on the background of inline code. */
  :not(pre) > code .file {
    color: inherit;
  }
  :is(.hljs-comment, .hljs-quote, .hljs-meta) {
    color: var(--vscode-descriptionForeground);
  }
  :is(.hljs-keyword, .hljs-literal, .hljs-selector-tag, .hljs-name, .hljs-section) {
    color: color-mix(in srgb, var(--vscode-debugTokenExpression-boolean, currentColor) 78%, var(--vscode-foreground));
  }
  :is(.hljs-string, .hljs-regexp, .hljs-addition) {
    color: color-mix(in srgb, var(--vscode-debugTokenExpression-string, currentColor) 78%, var(--vscode-foreground));
  }
  .hljs-number {
    color: color-mix(in srgb, var(--vscode-debugTokenExpression-number, currentColor) 78%, var(--vscode-foreground));
  }
  :is(.hljs-title, .hljs-type, .hljs-built_in, .hljs-attr, .hljs-attribute, .hljs-deletion) {
    color: color-mix(in srgb, var(--vscode-debugTokenExpression-name, currentColor) 78%, var(--vscode-foreground));
  }
`;
