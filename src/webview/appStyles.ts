import { css } from 'lit';

/** Gauge above, composer below; the conversation between them has at least 40 % of the height while there is any room. */
export const appStyles = css`
  :host {
    height: 100vh;
  }
  .app {
    display: flex;
    flex-direction: column;
    height: 100%;
  }
  /* The head is never squeezed, which would cut through its rows: where there is less room it has fewer of them. */
  .top {
    flex: none;
    border-bottom: 1px solid var(--vscode-sideBarSectionHeader-border, var(--karl-line));
    --details: block;
  }
  @media (height <= 900px) {
    .busy > .top {
      --details: none;
    }
  }
  @media (height <= 700px) {
    /* Only the bar and its figure, unless the user is at the other rows. */
    .asked > .top:not(:focus-within) > :not(karl-gauge) {
      display: none;
    }
  }
  @media (height <= 680px) {
    .top {
      --details: none;
    }
  }
  karl-conversation,
  karl-contents,
  .welcome,
  .hint {
    flex: 1 1 40%;
    min-height: 20%;
    overflow: hidden auto;
  }
  karl-preview {
    flex: 1 1 49%;
    min-height: 20%;
    overflow: hidden;
  }
  /* A readable width, also in a wide tab among the editors. */
  .top > *,
  karl-activity,
  .todos,
  karl-question,
  karl-notices {
    width: 100%;
    max-width: 950px;
    margin-inline: auto;
  }
  /* What is above the message box scrolls before the conversation has less than its share. */
  karl-question {
    flex: 0 1000 auto;
    min-height: calc-size(max-content, min(size, 100px));
  }
  karl-notices {
    flex: 0 1000 auto;
    min-height: calc-size(max-content, min(size, 66px));
  }
  .hint {
    padding: 24px;
    text-align: center;
    text-wrap: balance;
  }
  .first {
    margin-top: 10px;
  }
  .find {
    flex: none;
    gap: 2px;
    padding: 4px max(12px, calc((100% - 926px) / 2));
    border-bottom: 1px solid var(--karl-line);
    background: var(--vscode-editorWidget-background);
  }
  .find :is(input, .status) {
    padding: 2px 6px;
  }
  .up {
    transform: rotate(180deg);
  }
`;
