import { css } from 'lit';

/** A box like the input of VS Code's own chat: the text above, the buttons below. */
export const composerStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    padding: 4px 10px 10px;
  }
  .box {
    position: relative;
    display: flex;
    flex: 0 4 auto;
    flex-direction: column;
    min-height: 68px;
    border: 1px solid var(--vscode-input-border, var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)));
    border-radius: var(--karl-radius-large);
    background: var(--vscode-input-background);
  }
  .box:has(.attachments) {
    min-height: 98px;
  }
  .box:has(textarea:focus) {
    border-color: var(--vscode-focusBorder);
  }
  textarea {
    display: block;
    width: 100%;
    /* A long text scrolls before the attachments and the queue are squeezed. */
    flex: 0 1000 auto;
    min-height: 34px;
    max-height: 34vh;
    padding: 8px 10px 2px;
    border: 0;
    outline: none !important;
    background: transparent;
    color: var(--vscode-input-foreground);
    font: inherit;
    resize: none;
    field-sizing: content;
    overflow-y: auto;
  }
  /* One line, so that typing does not change the height. */
  textarea::placeholder {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    color: var(--vscode-input-placeholderForeground);
  }
  textarea:disabled {
    cursor: not-allowed;
    opacity: 0.6;
  }
  .bar {
    container-type: inline-size;
    flex: none;
    gap: 4px;
    padding: 0 4px 4px;
  }
  button.model {
    min-width: 0;
    padding: 1px 3px 1px 6px;
    color: var(--vscode-descriptionForeground);
  }
  button.model:hover {
    color: var(--vscode-foreground);
  }
  button.server {
    /* A long name keeps its beginning, also beside a long model. */
    min-width: calc-size(max-content, min(size, 6em));
    flex-shrink: 4;
    padding: 1px 3px;
  }
  /* There is no room for it. */
  @container (max-width: 230px) {
    button.server {
      display: none;
    }
  }
  .down {
    display: inline-flex;
    transform: rotate(90deg) scale(0.8);
  }
  .buttons {
    display: flex;
    gap: 2px;
    margin-left: auto;
  }
  button.send,
  button:is(.stop, .pause) {
    padding: 3px;
  }
  button.send:not(:disabled) {
    color: var(--vscode-button-foreground);
    background: var(--vscode-button-background);
  }
  /* Outside of the button, whose background may have the colour of the ring. */
  button.send:focus-visible {
    outline-offset: 1px;
  }
  button.send:not(:disabled):hover {
    background: var(--vscode-button-hoverBackground, var(--vscode-button-background));
  }
  .held {
    display: flex;
    gap: 8px;
    padding: 0 2px 2px 10px;
  }
  .attachments {
    flex: 0 1 auto;
    gap: 4px;
    max-height: max(30px, 15vh);
    min-height: 30px;
    padding: 6px 6px 0;
    overflow: hidden auto;
  }
  .attachments li {
    align-items: baseline;
    gap: 4px;
    padding: 2px 0 2px 6px;
    font-size: var(--karl-font-less);
  }
  .attachments .plain {
    align-self: center;
    margin: -2px 0;
  }
  .attachments + textarea {
    margin-top: 4px;
    padding-top: 4px;
  }
  /* Overlays the content above the box. */
  .mentions {
    position: absolute;
    inset: auto -1px calc(100% + 4px);
    z-index: 2;
    max-height: 30vh;
    padding: 2px;
    overflow: hidden auto;
    border: 1px solid
      var(--vscode-editorSuggestWidget-border, var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)));
    border-radius: var(--karl-radius-medium);
    background: var(--vscode-editorSuggestWidget-background, var(--vscode-editorWidget-background));
    box-shadow: 0 0 8px var(--vscode-widget-shadow, transparent);
  }
  .mentions.none {
    padding: 3px 8px;
  }
  .mentions li {
    display: flex;
    align-items: baseline;
    gap: 6px;
    padding: 1px 6px;
    border-radius: var(--karl-radius-small);
    white-space: nowrap;
    cursor: pointer;
  }
  /* The file name is cut last. */
  .mentions li > :first-child {
    flex: none;
    max-width: calc(100% - 6px);
  }
  .mentions li[aria-selected='true'] {
    outline: 1px solid var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
    background: var(--vscode-list-activeSelectionBackground);
    color: var(--vscode-list-activeSelectionForeground);
  }
  .mentions li[aria-selected='true'] .muted {
    color: inherit;
  }
  .queue {
    margin-bottom: 4px;
    flex: 0 1 auto;
    min-height: 16px;
    max-height: 20vh;
    overflow: auto;
  }
  .queue li {
    gap: 6px;
    padding: 0 2px 0 10px;
    min-height: 24px;
  }
  .queue li .plain {
    margin-left: auto;
  }
  .editing,
  .locked {
    flex: 0 3 auto;
    min-height: calc-size(max-content, min(size, 40px));
    overflow: hidden auto;
  }
  .editing {
    display: flex;
    align-items: flex-start;
    gap: 6px;
    margin-bottom: 4px;
    padding-left: 2px;
    font-size: var(--karl-font-less);
  }
  .editing button {
    flex: none;
    margin-left: auto;
  }
  .locked {
    align-items: flex-start;
    gap: 0 6px;
    margin-bottom: 6px;
    padding: 0 2px;
    color: var(--vscode-descriptionForeground);
  }
  .locked span {
    flex: 1 1 0;
    min-width: 60%;
  }
  .locked .link {
    flex: none;
    margin-left: auto;
  }
`;
