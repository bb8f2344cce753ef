import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { t } from '../../core/language.ts';
import type { CallAction, CallEntry } from '../../protocol/entries.ts';
import { chevron, type IconName, icon } from '../controls.ts';
import { renderPath } from '../format.ts';
import { ask, isUnfolded } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { messagesOf } from './reconcile.ts';
import { nameOfRow, type RowAction, renderEnd } from './row.ts';
import { callStyles, rowStyles } from './rowStyles.ts';
import { linkedText } from './textLinks.ts';

const ICONS: Readonly<Record<CallAction, IconName>> = {
  read: 'read',
  change: 'edit',
  run: 'run',
  search: 'search',
  recall: 'recall',
  other: 'tool',
};

/** A call with its result as one line; arguments and result unfold. */
@customElement('karl-call')
export class KarlCall extends LitElement {
  static override readonly styles = [shared, rowStyles, callStyles];
  @property({ attribute: false }) accessor entry: CallEntry | undefined;
  /** Arguments and result, once they have arrived. */
  @property({ attribute: false }) accessor expanded: readonly string[] | undefined;
  @property({ attribute: false }) accessor locked = false;
  @state() accessor open = false;

  unfold(): void {
    this.open = true;
  }

  /** Requests the texts of an unfolded row, again after a change. */
  protected override updated(changed: PropertyValues<this>): void {
    if (!this.open || this.expanded !== undefined || this.entry === undefined) return;
    if (changed.has('open') || changed.has('entry')) ask(this, { type: 'expand', key: this.entry.key });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { entry } = this;
    if (!entry) return nothing;
    const { action, changed, detail, file, name, outcome, printed, sent, target } = entry;
    const label = nameOfRow(entry);
    const mayChange = !this.locked && outcome !== 'running';
    const open: readonly RowAction[] =
      file === undefined
        ? []
        : [{ icon: 'read', label: t('Open {0}', file.path), intent: { type: 'open-file', ...file } }];
    return html`<article class="${outcome} ${action} ${sent === 'whole' ? '' : 'unsent'}" aria-label=${label}>
      <div class="line">
        <details class="fold grow" ?open=${this.open} @toggle=${this.#toggled}>
          <summary class="beside tall" aria-label=${label} aria-description="">
            ${chevron()}${icon(ICONS[action])}
            <span class="name ellipsis">${name}</span>
            <span class="target muted ellipsis less" title=${target}>${file === undefined ? target : renderPath(target)}</span>
            <span class="detail beside muted less" title=${detail}>
              ${outcome === 'failed' ? icon('error') : nothing}${
                changed === undefined
                  ? html`<span class="ellipsis">${detail}</span>`
                  : html`<span class="added">+${changed.added}</span> <span class="removed">−${changed.removed}</span>`
              }
            </span>
          </summary>
          ${this.open ? this.#renderTexts((messagesOf(entry)?.to ?? 0) + 1) : nothing}
        </details>
        ${renderEnd(entry, open, { pin: mayChange, change: mayChange }, this)}
      </div>
      ${printed === undefined ? nothing : html`<pre class="printed muted" aria-label=${t('What the command has printed last')}>${printed.join('\n')}</pre>`}
    </article>`;
  }

  #renderTexts(limit: number): TemplateResult {
    const [given, result = ''] = this.expanded ?? [];
    const text = (title: string, words: string) =>
      words === ''
        ? nothing
        : html`<h2 class="muted small">${title}</h2>
            <pre tabindex="0" aria-label=${title}>${linkedText(words, limit, true)}</pre>`;
    return html`<div class="fold-body">
      ${given === undefined ? html`<p class="muted small">${t('Loading')}</p>` : text(t('Arguments'), given)}
      ${text(t('Result'), result)}
    </div>`;
  }

  #toggled(event: Event): void {
    this.open = isUnfolded(event);
  }
}
