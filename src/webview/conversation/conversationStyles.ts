import { css } from 'lit';

/** The list of rows and what is around it. */
export const conversationStyles = css`
  :host {
    position: relative;
    min-height: 0;
  }
  .scroller {
    height: 100%;
    overflow: hidden auto;
    overflow-anchor: none;
  }
  .list {
    max-width: 950px;
    margin: 0 auto;
    padding: 4px 0 8px;
  }
  button.more {
    display: block;
    width: calc(100% - 24px);
    margin: 4px 12px;
    padding: 3px 0;
    text-align: center;
  }
  button.later {
    /* Room for the button that floats over the end. */
    margin-bottom: 44px;
  }
  .unfinished {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 8px;
    margin: 0 12px 10px;
  }
  .row {
    outline: none;
  }
  .row:focus::after {
    position: absolute;
    inset: 0 4px;
    border: 1px solid var(--vscode-focusBorder);
    border-radius: var(--karl-radius-medium);
    content: '';
    pointer-events: none;
  }
  .row {
    position: relative;
  }
  .pointed .row:focus::after {
    display: none;
  }
  karl-compressions.found {
    outline: 1px solid var(--vscode-focusBorder);
  }
  button.latest {
    position: absolute;
    right: 50%;
    bottom: 8px;
    transform: translateX(50%);
    padding: 3px 10px 3px 7px;
    border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
    border-radius: var(--karl-radius-round);
    background: var(--vscode-editorWidget-background);
    color: var(--vscode-editorWidget-foreground, var(--vscode-foreground));
    box-shadow: 0 2px 6px var(--vscode-widget-shadow, transparent);
    font-size: var(--karl-font-less);
    white-space: nowrap;
  }
  button.latest:hover {
    background: var(--vscode-editorWidget-background);
    color: var(--vscode-textLink-activeForeground);
  }
  /* Where few lines are in sight, it covers none of them. */
  @media (height <= 640px) {
    :host {
      display: flex;
      flex-direction: column;
    }
    .scroller {
      flex: 1 1 0;
      height: auto;
      min-height: 0;
    }
    button.latest {
      position: static;
      flex: none;
      align-self: center;
      transform: none;
      margin: 2px 0;
      padding: 0 8px 0 5px;
      box-shadow: none;
    }
    button.later {
      margin-bottom: 4px;
    }
  }
`;
