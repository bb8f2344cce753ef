import { css } from 'lit';

/** A box like the input of VS Code's own chat: the text above, the buttons below. */
export const composerStyles = css`
  /* Its parts are parts of the page: each is squeezed to its own minimum, where it scrolls. */
  :host {
    display: contents;
  }
  :host > * {
    flex: 0 1000 auto;
    width: min(100% - 20px, 930px);
    margin-inline: auto;
  }
  .box {
    position: relative;
    display: flex;
    flex-direction: column;
    min-height: 68px;
    margin-block: 4px 10px;
    border-radius: var(--karl-radius-large);
  }
  .box:has(.attachments) {
    min-height: 98px;
  }
  .box:has(textarea:focus) {
    border-color: var(--vscode-focusBorder);
  }
  textarea {
    /* A long text scrolls before the attachments and the queue are squeezed. */
    flex: 0 1000 auto;
    min-height: 34px;
    max-height: 34vh;
    padding: 8px 10px 2px;
    border: 0;
    outline: none !important;
    background: transparent;
    color: inherit;
    resize: none;
    field-sizing: content;
  }
  /* One line, so that typing does not change the height. */
  textarea::placeholder {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  textarea:disabled {
    cursor: not-allowed;
    opacity: 0.6;
  }
  .bar {
    container-type: inline-size;
    gap: 4px;
    padding: 0 4px 4px;
  }
  button:is(.model, .server) {
    padding: 1px 3px;
  }
  button.model {
    min-width: 0;
    color: var(--vscode-descriptionForeground);
  }
  button.server {
    /* A long name keeps its beginning, also beside a long model. */
    min-width: calc-size(max-content, min(size, 6em));
    flex-shrink: 4;
  }
  /* There is no room for it. */
  @container (max-width: 230px) {
    button.server {
      display: none;
    }
  }
  .buttons {
    gap: 2px;
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
    padding: 0 2px 2px 10px;
  }
  .attachments {
    max-height: max(30px, 15vh);
    min-height: 30px;
    padding: 6px 6px 0;
    overflow: hidden auto;
  }
  .attachments li {
    align-items: baseline;
    gap: 4px;
    padding: 2px 0 2px 6px;
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
    padding: 3px;
    overflow: hidden auto;
    box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
  }
  .mentions li {
    align-items: baseline;
    padding: 1px 6px;
    border-radius: var(--karl-radius-small);
    cursor: pointer;
  }
  /* The file name is cut last. */
  .mentions li > :first-child {
    flex: none;
    max-width: calc(100% - 6px);
  }
  .mentions [aria-selected='true'] {
    outline: 1px solid var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
    background: var(--vscode-list-activeSelectionBackground);
  }
  .mentions [aria-selected='true'] span {
    color: var(--vscode-list-activeSelectionForeground);
  }
  .queue {
    margin-bottom: 4px;
    min-height: 24px;
    max-height: 20vh;
    overflow: auto;
  }
  .queue li {
    padding: 0 2px 0 10px;
    min-height: 24px;
  }
  .editing,
  .locked {
    align-items: flex-start;
    gap: 0 6px;
    min-height: calc-size(max-content, min(size, 34px));
    margin-bottom: 5px;
    padding: 0 2px;
    overflow: hidden auto;
  }
  .locked span {
    flex: 1 1 0;
    min-width: 60%;
  }
`;
