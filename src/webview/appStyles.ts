import { css } from 'lit';

/** Gauge above, composer below; the conversation between them never has less than 40 % of the height. */
export const appStyles = css`
  :host {
    height: 100vh;
  }
  .app {
    display: flex;
    flex-direction: column;
    height: 100%;
    /* The parts above the message box, and the share of the conversation. */
    --with: calc(var(--queued, 0px) + var(--locked, 0px) + var(--editing, 0px) + var(--attached, 0px));
    --main: 40vh;
    /* The room for notices and the head if all other parts have their minimum height, and the minimum of the head. */
    --room: calc(100vh - var(--main) - 110px - var(--with) - var(--found, 0px));
    --top: clamp(37px, max(min(var(--bar), var(--room) - 50px), var(--room) - 110px), 93px);
    --bar: 80px;
  }
  @media (height <= 560px) {
    .app {
      --bar: 58px;
    }
  }
  /* A preview gets more room than a conversation. */
  .app:has(> karl-preview) {
    --main: max(40vh, 49vh - var(--with));
  }
  .app:has(> .find) {
    --found: 34px;
  }
  .app:has(> karl-composer[attached]) {
    --attached: 28px;
  }
  .app:has(> karl-composer[waiting]) {
    --queued: 20px;
  }
  .app:has(> karl-composer[locked]) {
    --locked: 46px;
  }
  .app:has(> karl-composer[editing]) {
    --editing: 46px;
  }
  /*
   * The conversation keeps its share. The head shrinks first, down to the bar of the gauge with its figure; then long
   * notices, down to a line with buttons. The bar itself is hidden only in a very low view. The composer shrinks last.
   */
  .top {
    flex: 0 1000000 auto;
    min-height: var(--top);
    overflow: hidden auto;
    border-bottom: 1px solid var(--vscode-sideBarSectionHeader-border, var(--karl-line));
  }
  .top > .head {
    display: none;
  }
  @media (width <= 400px), (height <= 560px) {
    .top {
      position: relative;
    }
    .top > .head:not([hidden]) {
      display: inline-flex;
      position: absolute;
      top: 2px;
      left: 6px;
      z-index: 2;
      width: auto;
    }
    .top > .head[aria-expanded='true'] ~ .title {
      padding-left: 30px;
    }
    .top.working {
      min-height: 0;
      flex-shrink: 0;
    }
    .top.working > karl-switch,
    .top.working > .title > :not(h1) {
      display: none;
    }
    /* A page has a heading. */
    .top.working > .title {
      position: absolute;
      height: 1px;
      clip-path: inset(50%);
    }
  }
  karl-conversation,
  karl-contents,
  .welcome,
  .hint {
    flex: 1 0 40%;
    min-height: 40%;
    overflow: hidden auto;
  }
  /* The preview has priority over the gauge, which scrolls. */
  karl-preview {
    flex: 1 0 var(--main);
    min-height: var(--main);
    overflow: hidden;
  }
  /* A readable width, also in a wide tab among the editors. */
  .top > *,
  karl-activity,
  .todos,
  karl-question,
  karl-notices,
  karl-composer {
    width: 100%;
    max-width: 950px;
    margin-inline: auto;
  }
  karl-question {
    flex: 0 1000 auto;
    /* The question scrolls; the answers stay visible. */
    min-height: calc-size(max-content, min(size, 190px, max(100px, var(--room) - var(--top) - 40px)));
  }
  karl-notices {
    flex: 0 1000 auto;
    /* In a low view, no more than the other parts leave. */
    min-height: calc-size(max-content, min(size, 152px, max(45px, var(--room) - var(--top))));
  }
  karl-composer {
    /* Two lines above the box; the rest scrolls. */
    min-height: calc-size(max-content, min(size, 84px + var(--with)));
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
  .title {
    container-type: inline-size;
    gap: 4px;
    padding: 4px 12px 2px;
  }
  h1 {
    font-size: var(--karl-font-more);
  }
`;
