import { css } from 'lit';

/** A list under a heading like the sections of VS Code's own side bar. */
export const summariesStyles = css`
  details.section {
    border-top: 1px solid var(--vscode-sideBarSectionHeader-border, var(--vscode-widget-border, transparent));
  }
  details.section > summary {
    display: flex;
    align-items: center;
    gap: 4px;
    height: 22px;
    padding: 0 12px 0 8px;
    background: var(--vscode-sideBarSectionHeader-background, transparent);
    color: var(--vscode-sideBarSectionHeader-foreground, var(--vscode-foreground));
  }
  summary h2 {
    flex: none;
    margin: 0;
    font-size: 11px;
    font-weight: 700;
    text-transform: uppercase;
  }
  vscode-badge {
    flex: none;
    margin-left: auto;
  }
  .list {
    max-height: 42vh;
    overflow: auto;
  }
  article {
    padding: 6px 12px 8px;
  }
  article + article {
    border-top: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
  }
  header {
    display: flex;
    align-items: center;
    gap: 6px;
    min-height: 22px;
  }
  time {
    flex: none;
    font-weight: 600;
  }
  button.undo {
    flex: none;
    margin-left: auto;
    padding: 1px 6px 1px 3px;
    color: var(--vscode-foreground);
  }
  article > p {
    margin: 1px 0;
  }
  .saved {
    color: var(--vscode-charts-green, var(--vscode-foreground));
    font-weight: 600;
  }
  .receipt {
    margin: 4px 0;
    padding-left: 16px;
    color: var(--vscode-foreground);
  }
  .receipt li {
    margin: 1px 0;
  }
  li::marker {
    color: var(--vscode-descriptionForeground);
  }
  details.text > summary {
    display: inline-flex;
    align-items: center;
    gap: 2px;
    margin-left: -4px;
    padding-right: 4px;
    border-radius: 3px;
    color: var(--vscode-textLink-foreground);
  }
  karl-note {
    max-height: 300px;
    margin: 4px 0 0;
    padding: 8px 10px;
    overflow: auto;
    border: 1px solid var(--vscode-contrastBorder, var(--vscode-widget-border, transparent));
    border-radius: 4px;
    background: var(--vscode-textBlockQuote-background);
    user-select: text;
  }
`;
