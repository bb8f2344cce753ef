import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { t } from '../../core/language.ts';
import type { CallAction, CallEntry } from '../../protocol/entries.ts';
import { withPaths } from '../code/pathLinks.ts';
import { renderPath } from '../format.ts';
import { type IconName, icon } from '../icons.ts';
import { ask, isUnfolded } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { linkedText } from './handles.ts';
import {
  compressAction,
  copyAction,
  nameOf,
  nameOfCall,
  originalAction,
  pinAction,
  type RowAction,
  renderActions,
  renderFate,
  renderPinned,
  renderSize,
  restoreAction,
} from './row.ts';
import { callStyles, rowStyles } from './rowStyles.ts';

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
    const entry = this.entry;
    if (!entry) return nothing;
    const { from, to } = range(entry);
    const label = nameOfCall(entry);
    return html`<article
      class="${entry.outcome} ${entry.action} ${entry.sent === 'whole' ? '' : 'unsent'}"
      aria-label=${label}
    >
      <div class="line">
        <details class="fold" ?open=${this.open} @toggle=${this.#toggled}>
          <summary class="beside" aria-label=${label} aria-description="">
            <span class="chevron">${icon('chevron')}</span>${icon(ICONS[entry.action])}
            <span class="name ellipsis">${entry.name}</span>
            <span class="target muted ellipsis" title=${entry.target}>${
              entry.file === undefined ? entry.target : renderPath(entry.target)
            }</span>
            <span class="detail beside muted" title=${entry.detail}>
              ${entry.outcome === 'failed' ? icon('error') : nothing}${
                entry.changed === undefined
                  ? html`<span class="ellipsis">${entry.detail}</span>`
                  : html`<span class="added">+${entry.changed.added}</span> <span class="removed">−${entry.changed.removed}</span>`
              }
            </span>
          </summary>
          ${this.open ? this.#renderTexts(to + 1) : nothing}
        </details>
        <span class="end beside">
          ${renderFate(entry.sent, from, to, this)} ${renderPinned(entry.pinned)} ${renderSize(entry.tokens)}
          ${renderActions(this.#actions(entry), this)}
        </span>
      </div>
      ${entry.printed === undefined ? nothing : html`<pre class="printed" aria-label=${t('What the command has printed last')}>${entry.printed.join('\n')}</pre>`}
    </article>`;
  }

  #renderTexts(limit: number): TemplateResult {
    const [given, result] = this.expanded ?? [];
    return html`<div class="fold-body">
      ${given === undefined ? html`<p class="muted small">${t('Loading')}</p>` : renderText(t('Arguments'), given, limit)}
      ${result === undefined ? nothing : renderText(t('Result'), result, limit)}
    </div>`;
  }

  #actions(entry: CallEntry): readonly RowAction[] {
    const { from, to } = range(entry);
    const object = nameOf(from, to);
    const { file } = entry;
    const open: readonly RowAction[] =
      file === undefined
        ? []
        : [{ icon: 'read', label: t('Open {0}', file.path), object, intent: { type: 'open-file', ...file } }];
    if (entry.outcome === 'running') return open;
    return [
      ...open,
      ...(this.locked
        ? []
        : [pinAction(to, entry, object), ...restoreAction([to], entry.sent, object), compressAction(from, object)]),
      copyAction(entry, object),
      originalAction(from, to),
    ];
  }

  #toggled(event: Event): void {
    this.open = isUnfolded(event);
  }
}

function range(entry: CallEntry): { from: number; to: number } {
  return { from: entry.call, to: entry.result ?? entry.call };
}

function renderText(title: string, text: string, limit: number): TemplateResult | typeof nothing {
  if (text === '') return nothing;
  return html`<h2 class="muted small">${title}</h2>
    <pre tabindex="0" aria-label=${title}>${withPaths(linkedText(text, limit))}</pre>`;
}
