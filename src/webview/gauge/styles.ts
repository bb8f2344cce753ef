import { css } from 'lit';

/** One colour shows the level; its shades distinguish the parts. */
export const gaugeStyles = css`
  :host {
    container-type: inline-size;
  }
  .gauge {
    --theme: var(--vscode-charts-blue, var(--vscode-progressBar-background));
    /* Chart colours may be half transparent, which would look like another level. */
    --level: rgb(from var(--theme) r g b / 1);
    --ground: var(--karl-background);
    --track: color-mix(in srgb, var(--vscode-foreground) 12%, var(--ground));
    padding: 2px 12px 8px;
  }
  .near {
    --theme: var(--vscode-charts-yellow, var(--vscode-editorWarning-foreground));
  }
  .due {
    --theme: var(--vscode-charts-orange, var(--vscode-editorWarning-foreground));
  }
  .over {
    --theme: var(--vscode-charts-red, var(--vscode-errorForeground));
  }
  .meter {
    position: relative;
    padding: 5px 0;
  }
  .bar {
    display: flex;
    height: 8px;
    overflow: hidden;
    border-radius: var(--karl-radius-medium);
    background: var(--track);
    outline: 1px solid var(--vscode-contrastBorder, transparent);
  }
  /* The end of an unknown window fades out. */
  .endless .bar {
    mask-image: linear-gradient(to right, #000 65%, transparent);
  }
  .piece {
    flex: 0 0 0;
    min-width: 0;
  }
  .prompt {
    background: color-mix(in srgb, var(--level) 42%, var(--ground));
  }
  .tools {
    background: color-mix(in srgb, var(--level) 58%, var(--ground));
  }
  .notes {
    background: color-mix(in srgb, var(--level) 76%, var(--ground));
  }
  .messages {
    background: var(--level);
  }
  .dot.free {
    background: var(--track);
  }
  .reserve {
    background: repeating-linear-gradient(
      -45deg,
      color-mix(in srgb, var(--vscode-foreground) 32%, var(--ground)) 0 1.5px,
      var(--track) 1.5px 4.5px
    );
  }
  .closed {
    background: color-mix(in srgb, var(--vscode-foreground) 30%, var(--ground));
  }
  .tick {
    position: absolute;
    inset-block: 2px;
    width: 2px;
    margin-left: -1px;
    border-radius: var(--karl-radius-small);
    background: var(--vscode-foreground);
    box-shadow: 0 0 0 1px var(--ground);
  }
  .figure {
    align-items: baseline;
  }
  .over .use strong {
    color: var(--vscode-list-errorForeground, var(--vscode-errorForeground));
  }
  /* In a low view there is no room for them: see appStyles.ts. */
  :is(.window, .next, details) {
    display: var(--details);
  }
  @container (max-width: 260px) {
    .of {
      display: none;
    }
  }
  /* In a low view the figure is beside the bar. */
  @media (height <= 680px) {
    .glance {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      column-gap: 10px;
    }
    .figure {
      flex-wrap: nowrap;
      line-height: 18px;
    }
    @container (max-width: 420px) {
      .of {
        display: none;
      }
    }
    @container (max-width: 260px) {
      .fills {
        display: none;
      }
    }
  }
  p {
    margin-top: 2px;
  }
  .overflow {
    display: flex;
    gap: 6px;
    margin: 6px 0 0;
    padding: 6px 8px;
    font-size: var(--karl-font-small);
    border: 1px solid var(--vscode-inputValidation-errorBorder, var(--vscode-errorForeground));
    border-radius: var(--karl-radius-medium);
    background: var(--vscode-inputValidation-errorBackground, transparent);
    color: var(--vscode-inputValidation-errorForeground, var(--vscode-foreground));
  }
  summary {
    display: flex;
    gap: 2px;
    margin-left: -4px;
  }
  summary:hover {
    color: var(--vscode-foreground);
  }
  :is(.unknown, .source)::first-letter {
    text-transform: uppercase;
  }
  .legend {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(230px, 100%), 1fr));
    gap: 1px 24px;
    margin-top: 4px;
  }
  .legend li {
    display: grid;
    grid-template-columns: 9px minmax(0, 1fr) auto 3.4em;
    align-items: baseline;
    gap: 7px;
    hyphens: auto;
  }
  .part {
    text-align: right;
  }
  .dot {
    height: 9px;
    border-radius: var(--karl-radius-small);
  }
  .dot.mark {
    width: 2px;
    margin: 0 3.5px;
    background: var(--vscode-foreground);
  }
  :is(.tick, .dot).target {
    background: color-mix(in srgb, var(--vscode-foreground) 55%, var(--ground));
  }
  @media (forced-colors: active) {
    :is(.prompt, .tools, .notes, .messages) {
      background: Highlight;
      forced-color-adjust: none;
    }
    .tick {
      background: CanvasText;
    }
  }
`;
