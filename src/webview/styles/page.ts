import { css } from 'lit';

/** The document around the components: VS Code gives webview pages a padding at the sides that a view does not want. */
export const page = css`
  html {
    --karl-background: var(--vscode-sideBar-background, var(--vscode-editor-background));
  }
  /* The sizes of texts, each a part of the one around it, and the corners. */
  html {
    --karl-font-small: 0.85em;
    --karl-font-less: 0.92em;
    --karl-font-more: 1.05em;
    --karl-font-title: 1.2em;
    --karl-radius-small: 2px;
    --karl-radius-medium: 4px;
    --karl-radius-large: 6px;
    --karl-radius-round: 12px;
  }
  html.editor {
    --karl-background: var(--vscode-editor-background);
  }
  html,
  body {
    height: 100%;
    margin: 0;
  }
  body {
    padding: 0;
    overflow: hidden;
    background: var(--karl-background);
  }
  /* Check boxes and lists that the browser draws. */
  body:is(.vscode-dark, .vscode-high-contrast:not(.vscode-high-contrast-light)) {
    color-scheme: dark;
  }
`;
