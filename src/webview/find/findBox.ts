import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { t } from '../../core/language.ts';
import { iconButton } from '../icons.ts';
import { writtenIn } from '../intent.ts';
import { shared } from '../styles/shared.ts';

/** What the user does in the box. */
export type FindAct =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'step'; readonly by: 1 | -1 }
  | { readonly type: 'close' };

/** The box that finds a text in the conversation. Enter goes to the previous match, as in VS Code's terminal. Stateless. */
@customElement('karl-find')
export class KarlFind extends LitElement {
  static override readonly styles = [
    shared,
    css`
      .box {
        gap: 2px;
        padding: 4px max(12px, calc((100% - 926px) / 2));
        border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
        background: var(--vscode-editorWidget-background);
      }
      input {
        flex: 1;
        min-width: 0;
        padding: 2px 6px;
      }
      .status {
        flex: none;
        padding: 0 4px;
      }
      .up {
        transform: rotate(180deg);
      }
    `,
  ];
  @property({ attribute: false }) accessor text = '';
  /** `3 of 12`, or `No results`. */
  @property({ attribute: false }) accessor status = '';

  /** Focuses the input and selects its text. */
  override focus(): void {
    this.renderRoot.querySelector('input')?.select();
  }

  protected override render(): TemplateResult {
    const earlier = { label: t('Earlier match'), hint: t('Earlier (Enter)') };
    const later = { label: t('Later match'), hint: t('Later (Shift+Enter)') };
    const close = { label: t('Close find'), hint: t('Close (Escape)') };
    return html`<div class="box beside" role="search" @keydown=${this.#pressed}>
      <input
        class="field"
        type="text"
        aria-label=${t('Find in the conversation')}
        placeholder=${t('Find')}
        maxlength="200"
        .value=${live(this.text)}
        @input=${(event: Event) => this.#act({ type: 'text', text: writtenIn(event) })}
      />
      <span class="status small muted figures" role="status">${this.status}</span>
      ${iconButton('arrowDown', earlier, () => this.#act({ type: 'step', by: -1 }), 'up')}
      ${iconButton('arrowDown', later, () => this.#act({ type: 'step', by: 1 }))}
      ${iconButton('close', close, () => this.#act({ type: 'close' }))}
    </div>`;
  }

  #pressed(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const isInput = event.composedPath()[0] instanceof HTMLInputElement;
    if (event.key === 'Escape') this.#act({ type: 'close' });
    else if ((event.key === 'Enter' && isInput) || event.key === 'F3') {
      this.#act({ type: 'step', by: event.shiftKey ? 1 : -1 });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #act(act: FindAct): void {
    this.dispatchEvent(new CustomEvent<FindAct>('karl-find', { detail: act }));
  }
}
