import { css } from 'lit';

/** Gauge above, composer below, the conversation takes the room between them and alone scrolls. */
export const appStyles = css`
  :host {
    height: 100vh;
  }
  .app {
    display: flex;
    flex-direction: column;
    height: 100%;
    min-width: 0;
  }
  .top,
  .bottom {
    flex: none;
    min-width: 0;
  }
  .top {
    border-bottom: 1px solid var(--vscode-sideBarSectionHeader-border, var(--vscode-widget-border, transparent));
  }
  karl-conversation,
  karl-empty-state,
  .hint {
    flex: 1;
    min-height: 0;
  }
  .hint {
    margin: 0;
    padding: 24px;
    text-align: center;
    text-wrap: balance;
  }
  .first {
    margin-top: 10px;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  .title {
    display: flex;
    align-items: center;
    gap: 4px;
    padding: 8px 12px 4px;
  }
  h1 {
    flex: 1;
    margin: 0;
    font-size: 1.05em;
    font-weight: 600;
  }
`;
