import { t } from '../core/language.ts';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { NoticeState } from '../protocol/viewState.ts';
import { icon } from './icons.ts';
import { ask } from './intent.ts';
import { fades } from './styles/fades.ts';
import { shared } from './styles/shared.ts';

/** Problems and hints that stay until they are solved or dismissed, each with the actions that lead on. */
export class KarlNotices extends LitElement {
  static override readonly properties = { notices: { attribute: false } };
  static override readonly styles = [
    shared,
    fades,
    css`
      :host {
        display: flex;
        flex-direction: column;
        max-height: 40vh;
        overflow-y: auto;
      }
      .notice {
        display: grid;
        grid-template-columns: 1fr auto;
        grid-template-rows: minmax(1.4em, 1fr) auto;
        min-height: 2.8em;
        overflow-y: auto;
        gap: 4px 8px;
        margin: 0 12px 6px;
        padding: 7px 10px;
        border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
        border-radius: 4px;
        background: var(--vscode-editorWidget-background);
        overflow-wrap: anywhere;
      }
      /* A line of the text, and a row of buttons. */
      .notice:has(.actions) {
        min-height: 72px;
      }
      .notice.info .text .icon {
        color: var(--vscode-notificationsInfoIcon-foreground, var(--vscode-charts-blue));
      }
      .notice.warning .text .icon {
        color: var(--vscode-notificationsWarningIcon-foreground, var(--vscode-charts-yellow));
      }
      .notice.error .text .icon {
        color: var(--vscode-notificationsErrorIcon-foreground, var(--vscode-charts-red));
      }
      .text .icon {
        display: inline-block;
        margin: 1px 8px 0 0;
        vertical-align: text-bottom;
      }
      /* A long text scrolls; the buttons stay in sight. */
      .text {
        --fade: var(--vscode-editorWidget-background);
        /* Only a line may be left of it, which is not to be veiled. */
        --fade-height: 8px;
        overflow-y: auto;
      }
      /* Where there is room, the text is in line with itself, not with the icon. */
      @media (min-width: 261px) {
        .text {
          padding-left: 24px;
        }
        .text .icon {
          margin-left: -24px;
        }
      }
      .dismiss {
        align-self: start;
        margin: -2px -4px 0 0;
      }
      .actions {
        display: flex;
        flex-wrap: wrap;
        grid-column: 1 / -1;
        gap: 6px;
        margin-top: 2px;
      }
    `,
  ];
  declare notices: readonly NoticeState[];

  constructor() {
    super();
    this.notices = [];
  }

  protected override render(): TemplateResult {
    return html`${repeat(
      this.notices,
      (notice) => notice.id,
      (notice) =>
        html`<div class="notice ${notice.severity}" role=${notice.severity === 'error' ? 'alert' : 'status'}>
          <span class="text fades" tabindex="0">${icon(notice.severity)}${notice.text}</span>
          ${notice.canDismiss ? this.#renderDismiss(notice) : nothing}
          ${notice.actions.length === 0 ? nothing : this.#renderActions(notice)}
        </div>`,
    )}`;
  }

  #renderDismiss({ id }: NoticeState): TemplateResult {
    return html`<button
      class="plain dismiss"
      title=${t('Dismiss')}
      aria-label=${t('Dismiss')}
      @click=${() => ask(this, { type: 'notice', id, action: 'dismiss' })}
    >
      ${icon('close')}
    </button>`;
  }

  #renderActions(notice: NoticeState): TemplateResult {
    return html`<div class="actions">
      ${notice.actions.map(
        (action, index) =>
          html`<vscode-button
            ?secondary=${index > 0}
            @click=${() => ask(this, { type: 'notice', id: notice.id, action: action.id })}
            >${action.label}</vscode-button
          >`,
      )}
    </div>`;
  }
}

customElements.define('karl-notices', KarlNotices);

declare global {
  interface HTMLElementTagNameMap {
    'karl-notices': KarlNotices;
  }
}
