import { css } from 'lit';

/** A message: what the user wrote is in a box, what the model wrote directly on the page. */
export const messageStyles = css`
  article.user {
    margin: 8px 0 4px;
    padding: 6px 10px 8px;
    border: 1px solid var(--vscode-chat-requestBorder, var(--vscode-widget-border, transparent));
    border-radius: var(--karl-radius-large);
    background: var(--vscode-input-background);
  }
  article.assistant {
    padding: 6px 0 2px;
  }
  article.user.unsent {
    background: none;
  }
  p.continued {
    display: flex;
    align-items: center;
    margin: 4px 0;
  }
  article.pinned.user {
    border-color: var(--vscode-focusBorder);
  }
  .attached {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    margin: 6px 0 0;
    padding: 0;
    list-style: none;
  }
  .attached li {
    display: flex;
    min-width: 0;
    max-width: 100%;
    padding: 0 6px;
    border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
    border-radius: var(--karl-radius-medium);
    background: var(--vscode-editorWidget-background);
  }
  .interrupted {
    display: flex;
    align-items: center;
    gap: 5px;
    margin: 4px 0 0;
  }
  .interrupted .icon {
    color: var(--vscode-editorWarning-foreground, var(--vscode-foreground));
  }
  .waiting {
    margin: 0;
  }
  .streaming > :last-child:not(pre, ul, ol, table)::after,
  .streaming > :is(ul, ol):last-child > li:last-child::after,
  .streaming > pre:last-child > code::after {
    content: '';
    margin-left: 2px;
    display: inline-block;
    width: 7px;
    height: 1em;
    vertical-align: -2px;
    background: var(--vscode-editorCursor-foreground, var(--vscode-foreground));
    animation: blink 1.1s steps(2, jump-none) infinite;
  }
  @keyframes blink {
    from {
      opacity: 0.9;
    }
    to {
      opacity: 0.15;
    }
  }
  /* Most messages wait for a tenth of a second: their mark would only flash. Nothing moves, so that it may be late always. */
  .mark.late {
    animation: late 0s 400ms backwards !important;
  }
  @keyframes late {
    from {
      visibility: hidden;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .streaming ::after {
      animation: none !important;
    }
  }
`;
