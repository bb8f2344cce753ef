import { css } from 'lit';

/** The shared styles of all components. Colours are only VS Code's theme variables. */
export const shared = css`
  :host {
    display: block;
    box-sizing: border-box;
    color: var(--vscode-foreground);
    font-family: var(--vscode-font-family);
    font-size: var(--vscode-font-size, 13px);
    line-height: 1.4;
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  :where(h1, h2, h3, p, pre, dl, dd) {
    margin: 0;
  }
  :where(h1, h2, h3) {
    font-size: inherit;
  }
  pre {
    overflow: auto;
    font-family: var(--vscode-editor-font-family, monospace);
    white-space: pre-wrap;
  }
  :where(button, input, select, textarea) {
    font: inherit;
  }
  :where(button) {
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    text-align: left;
  }
  :where(button:enabled) {
    cursor: pointer;
  }
  .icon {
    display: block;
    flex: none;
  }
  /* Parts beside each other; parts that wrap; a list without bullets. */
  .beside,
  .wrap {
    display: flex;
  }
  .beside {
    align-items: center;
    gap: 6px;
  }
  .wrap {
    flex-wrap: wrap;
    gap: 2px 8px;
  }
  .bare {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  /* In a row of parts: as high as a button, at the end, never squeezed, as wide as there is room. */
  .tall {
    min-height: 22px;
  }
  .push {
    margin-left: auto;
  }
  .firm {
    flex: none;
  }
  .grow {
    flex: 1;
    min-width: 0;
  }
  .strong,
  :where(h1, h2, h3) {
    font-weight: 600;
  }
  .muted {
    color: var(--vscode-descriptionForeground);
  }
  .small {
    font-size: var(--karl-font-small);
  }
  .less {
    font-size: var(--karl-font-less);
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  /* A theme's colours for charts and files may lack contrast as text. */
  .added {
    --tone: var(--vscode-gitDecoration-addedResourceForeground, var(--vscode-charts-green));
  }
  .removed {
    --tone: var(--vscode-gitDecoration-deletedResourceForeground, var(--vscode-charts-red));
  }
  :is(.added, .removed) {
    color: color-mix(in srgb, var(--tone) 75%, var(--vscode-foreground));
  }
  .figures {
    font-variant-numeric: tabular-nums;
  }
  .ellipsis {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    min-width: 0;
  }
  /* A right-to-left line is cut at its left; the path itself still runs from left to right. */
  .path {
    display: inline-block;
    max-width: 100%;
    vertical-align: bottom;
    direction: rtl;
  }
  .ending {
    display: flex;
    gap: 0.3em;
  }
  .ending .path {
    flex-shrink: 1000;
    min-width: 6em;
    text-align: left;
  }
  button.plain {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    padding: 2px;
    border: 1px solid transparent;
    border-radius: var(--karl-radius-medium);
    color: var(--vscode-icon-foreground, inherit);
  }
  button.plain:hover:not(:disabled, [aria-disabled='true']) {
    background: var(--vscode-toolbar-hoverBackground);
    outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  button.plain:is(:disabled, [aria-disabled='true']) {
    opacity: 0.45;
    cursor: default;
  }
  .link {
    color: var(--vscode-textLink-foreground);
    cursor: pointer;
  }
  .link:hover {
    color: var(--vscode-textLink-activeForeground);
    text-decoration: underline;
  }
  /* Underlined, since the colour alone does not distinguish links from text. */
  .file {
    overflow-wrap: anywhere;
    text-decoration: underline;
  }
  .field {
    border: 1px solid var(--vscode-input-border, var(--karl-line));
    border-radius: var(--karl-radius-small);
    background: var(--vscode-input-background);
    color: var(--vscode-input-foreground);
  }
  ::placeholder {
    color: var(--vscode-input-placeholderForeground);
  }
  /* What an icon warns of. */
  .info {
    --tone: var(--vscode-notificationsInfoIcon-foreground, var(--vscode-charts-blue));
  }
  .warning {
    --tone: var(--vscode-notificationsWarningIcon-foreground, var(--vscode-charts-yellow));
  }
  .error {
    --tone: var(--vscode-notificationsErrorIcon-foreground, var(--vscode-charts-red));
  }
  :is(.info, .warning, .error) > .icon,
  .text > .icon {
    color: var(--tone);
  }
  /* Something on a ground of its own: a notice, a question, an attachment, what floats. */
  .card {
    border: 1px solid var(--karl-line);
    border-radius: var(--karl-radius-medium);
    background: var(--vscode-editorWidget-background);
  }
  .chip {
    display: flex;
    min-width: 0;
    max-width: 100%;
  }
  /* A quotation with a line at its side, for summaries. */
  .sheet {
    margin: 6px 0;
    padding: 5px 10px 7px;
    border: 1px solid var(--vscode-contrastBorder, transparent);
    border-left: 2px solid var(--karl-blue);
    border-radius: 0 var(--karl-radius-medium) var(--karl-radius-medium) 0;
    background: var(--vscode-textBlockQuote-background);
  }
  /* VS Code's buttons. Some themes, such as high contrast, define no background for the secondary ones. */
  :is(.primary, .secondary) {
    --ground: var(--vscode-button-background);
    --pointed: var(--vscode-button-hoverBackground, var(--ground));
    padding: 1px 13px;
    border: 1px solid var(--vscode-button-border, transparent);
    border-radius: var(--karl-radius-medium);
    background: var(--ground);
    color: var(--vscode-button-foreground);
    line-height: 22px;
    text-align: center;
    white-space: nowrap;
  }
  .secondary {
    --ground: var(--vscode-button-secondaryBackground, transparent);
    --pointed: var(--vscode-button-secondaryHoverBackground, transparent);
    border-color: var(--vscode-button-border, var(--vscode-button-secondaryBackground, transparent));
    color: var(--vscode-button-secondaryForeground, var(--vscode-foreground));
  }
  :is(.primary, .secondary):hover {
    background: var(--pointed);
  }
  :is(.primary, .secondary):is(:disabled, [aria-disabled='true']) {
    background: var(--ground);
    opacity: 0.4;
    cursor: default;
  }
  :is(.primary, .secondary):focus-visible {
    outline-offset: 2px;
  }
  /* Fits more buttons into a line. */
  @media (max-width: 300px) {
    :is(.primary, .secondary) {
      padding-inline: 7px;
    }
  }
  summary {
    cursor: pointer;
    list-style: none;
  }
  .chevron {
    display: inline-flex;
  }
  details[open] > summary .chevron,
  [aria-expanded='true'] > .chevron,
  .chevron.down {
    transform: rotate(90deg);
  }
  ::highlight(karl-found) {
    background-color: var(--vscode-editor-findMatchHighlightBackground, transparent);
    text-decoration: underline var(--vscode-editor-findMatchHighlightBorder, transparent);
  }
  ::highlight(karl-found-current) {
    background-color: var(--vscode-editor-findMatchBackground, var(--vscode-editor-selectionBackground, Highlight));
    color: var(--vscode-editor-selectionForeground, currentColor);
  }
  :focus {
    outline: none;
  }
  :focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -1px;
  }
  /* Parts in a row, each a span, separated by dots. */
  .dotted > span + span::before {
    content: '· ' / '';
  }
`;

/** The document around the components, without the padding that VS Code gives to webview pages. */
export const page = css`
  html {
    --karl-background: var(--vscode-sideBar-background, var(--vscode-editor-background));
    --karl-line: var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
    --karl-blue: var(--vscode-charts-blue, var(--vscode-focusBorder));
    /* Text sizes, relative to the parent, and corner radii. */
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
  /* For check boxes and lists that the browser draws. */
  body:is(.vscode-dark, .vscode-high-contrast:not(.vscode-high-contrast-light)) {
    color-scheme: dark;
  }
`;
