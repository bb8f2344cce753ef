import { css } from 'lit';

/** The document around the components: VS Code gives webview pages a padding at the sides that a view does not want. */
export const page = css`
  html {
    --karl-background: var(--vscode-sideBar-background, var(--vscode-editor-background));
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
