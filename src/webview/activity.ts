import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { ActivityState } from '../protocol/viewState.ts';
import { shared } from './styles/shared.ts';

/** What Karl is doing, while it does something. */
export class KarlActivity extends LitElement {
  static override readonly properties = { activity: { attribute: false } };
  static override readonly styles = [
    shared,
    css`
      .line {
        display: flex;
        align-items: center;
        gap: 8px;
        min-height: 24px;
        padding: 0 12px;
      }
      vscode-progress-bar {
        display: block;
      }
    `,
  ];
  declare activity: ActivityState;

  constructor() {
    super();
    this.activity = { kind: 'idle' };
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.activity.kind === 'idle') return nothing;
    return html`<vscode-progress-bar indeterminate aria-label=${this.activity.label}></vscode-progress-bar>
      <div class="line ${this.activity.kind}" role="status">
        <span class="muted ellipsis">${this.activity.label}</span>
      </div>`;
  }
}

customElements.define('karl-activity', KarlActivity);

declare global {
  interface HTMLElementTagNameMap {
    'karl-activity': KarlActivity;
  }
}
