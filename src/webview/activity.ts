import { t } from '../core/language.ts';
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { ActivityState } from '../protocol/viewState.ts';
import { shared } from './styles/shared.ts';

/** Shorter activity is not shown, milliseconds: a flashing bar says nothing and moves what is being read. */
const TOO_SHORT = 200;

/** The activity of Karl or its agent. */
@customElement('karl-activity')
export class KarlActivity extends LitElement {
  static override readonly styles = [
    shared,
    css`
      .line {
        gap: 8px;
        min-height: 24px;
        padding: 0 12px;
      }
      .words {
        column-gap: 4px;
        min-width: 0;
      }
      vscode-progress-bar {
        display: block;
      }
      :host-context(.vscode-reduce-motion) vscode-progress-bar {
        display: none;
      }
    `,
  ];
  @property({ attribute: false }) accessor activity: ActivityState = { kind: 'idle' };
  /** The activity has lasted long enough to be shown. */
  @state() accessor lasts = false;
  #begun: ReturnType<typeof setTimeout> | undefined;
  /** When the next attempt begins, in milliseconds of the page's clock, which may differ from the host's. */
  #until = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopCounting();
    clearTimeout(this.#begun);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('activity')) return;
    this.#stopCounting();
    if (this.activity.kind === 'idle') {
      clearTimeout(this.#begun);
      this.#begun = undefined;
      this.lasts = false;
    } else {
      this.#begun ??= setTimeout(() => {
        this.lasts = true;
      }, TOO_SHORT);
    }
    if (this.activity.kind !== 'retrying') return;
    this.#until = performance.now() + this.activity.remainingMs;
    this.#timer = setInterval(() => this.requestUpdate(), 1000);
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.lasts || this.activity.kind === 'idle') return nothing;
    return html`<vscode-progress-bar indeterminate aria-label=${this.activity.label}></vscode-progress-bar>
      <div class="line beside">
        <span class="words wrap muted">
          <span class=${this.activity.kind === 'retrying' ? '' : 'ellipsis'} role="status">${this.activity.label}</span>
          ${this.#renderCountdown()}
        </span>
      </div>`;
  }

  /** Outside of the status element, so that screen readers do not read every second. */
  #renderCountdown(): TemplateResult | typeof nothing {
    if (this.activity.kind !== 'retrying') return nothing;
    const { attempt, attempts } = this.activity;
    const seconds = Math.max(0, Math.ceil((this.#until - performance.now()) / 1000));
    return html`<span class="figures">${t('Retrying in {0} s ({1} of {2})', seconds, attempt, attempts)}</span>`;
  }

  #stopCounting(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
