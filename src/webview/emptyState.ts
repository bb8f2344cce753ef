import { t } from '../core/language.ts';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { FromWebview } from '../protocol/fromWebview.ts';
import { ask } from './intent.ts';
import { shared } from './styles/shared.ts';

/** The view without a conversation: what Karl does, and three ways to begin. */
@customElement('karl-empty-state')
export class KarlEmptyState extends LitElement {
  static override readonly styles = [
    shared,
    css`
      :host {
        overflow: auto;
      }
      .welcome {
        display: flex;
        flex-direction: column;
        align-items: center;
        justify-content: center;
        min-height: 100%;
        padding: 24px 12px;
        text-align: center;
      }
      svg {
        width: 56px;
        height: 56px;
        color: var(--vscode-charts-blue, var(--vscode-foreground));
      }
      h1 {
        margin: 14px 0 6px;
        font-size: var(--karl-font-title);
        font-weight: 600;
        text-wrap: balance;
      }
      p {
        max-width: 36em;
        margin: 0 0 18px;
        color: var(--vscode-descriptionForeground);
        text-wrap: pretty;
      }
      .buttons {
        display: flex;
        flex-direction: column;
        gap: 8px;
        width: 100%;
        max-width: 260px;
      }
    `,
  ];

  protected override render(): TemplateResult {
    return html`<div class="welcome">
      <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" aria-hidden="true">
        <path d="M5.4 18.6a9.3 9.3 0 1 1 13.2 0"></path>
        <path d="M12 12 16.2 7.8" stroke-width="2"></path>
        <circle cx="12" cy="12" r="1.7" fill="currentColor" stroke="none"></circle>
        <path d="M8.5 20.4h7" stroke-width="2"></path>
      </svg>
      <h1>${t('A context budget for your agent')}</h1>
      <p>
        ${t(
          'Karl lets an agent work for days inside a fixed token budget: it compresses what is old before the window overflows, shows every byte that it removed, and lets you undo it.',
        )}
      </p>
      <div class="buttons">
        ${this.#renderButton(t('New Conversation'), { type: 'new-conversation' }, true)}
        ${this.#renderButton(t('Open Sample Conversation'), { type: 'open-sample' }, false)}
        ${this.#renderButton(t('Select Model…'), { type: 'select-model' }, false)}
      </div>
    </div>`;
  }

  #renderButton(label: string, intent: FromWebview, primary: boolean): TemplateResult {
    return html`<vscode-button block ?secondary=${!primary} @click=${() => ask(this, intent)}>${label}</vscode-button>`;
  }
}
