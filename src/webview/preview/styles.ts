import { css } from 'lit';

/** Figures at the top, buttons at the bottom, and a scrolling part between them. */
export const previewStyles = css`
  section {
    display: flex;
    flex-direction: column;
    height: 100%;
  }
  .scroller {
    flex: auto;
    min-height: 0;
    padding: 6px 12px 8px;
    overflow: hidden auto;
    border-bottom: 1px solid var(--karl-line);
  }
  header {
    align-items: baseline;
    justify-content: space-between;
    gap: 2px 10px;
  }
  h2 {
    align-items: baseline;
    gap: 0 8px;
    font-size: var(--karl-font-title);
  }
  h2 .small {
    font-weight: normal;
  }
  select {
    max-width: 100%;
    padding: 1px 2px;
  }
  input.instructions {
    width: 100%;
    margin: 4px 0;
    padding: 3px 6px;
    text-overflow: ellipsis;
  }
  p {
    margin: 4px 0;
    overflow-wrap: anywhere;
  }
  .problem {
    flex: none;
    max-height: 30%;
    margin: 0;
    padding: 6px 12px 0;
    overflow-y: auto;
  }
  .remark,
  .problem {
    align-items: flex-start;
  }
  .buttons {
    gap: 6px;
    padding: 6px 12px;
  }
`;

/** A summary and its editor. */
export const previewSummaryStyles = css`
  header {
    align-items: baseline;
    gap: 0 8px;
  }
  .head {
    margin: 1px 0 4px;
    overflow-wrap: anywhere;
  }
  karl-note {
    overflow: auto;
    user-select: text;
  }
  .text {
    max-height: 240px;
  }
  .state {
    max-height: 120px;
    margin-top: 6px;
    padding-top: 4px;
    border-top: 1px solid var(--karl-line);
  }
  textarea {
    display: block;
    width: 100%;
    min-height: 80px;
    max-height: 300px;
    padding: 6px 8px;
    font-family: var(--vscode-editor-font-family, monospace);
    line-height: 1.4;
    resize: vertical;
    field-sizing: content;
  }
  .buttons {
    gap: 6px;
    margin-top: 6px;
  }
`;
