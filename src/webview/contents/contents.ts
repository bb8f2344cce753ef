import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { t } from '../../language/language.ts';
import type { ContentsState, GaugeState, Side } from '../../protocol/viewState.ts';
import { iconButton, linkButton } from '../controls.ts';
import { ofSnapshot } from '../conversation/reconcile.ts';
import { onEscape } from '../focus.ts';
import { renderSetWindow } from '../gauge/gauge.ts';
import { ask } from '../intent.ts';
import { GroupList } from '../list/list.ts';
import { listStyles } from '../list/styles.ts';
import { shared } from '../styles/shared.ts';
import { chartStyles, renderChart } from './chart.ts';

/** A heading, what can be changed and a list, all of which scroll. */
const contentsStyles = css`
  .scroller {
    height: 100%;
    padding: 6px 12px 10px;
    overflow: hidden auto;
  }
  p {
    margin: 1px 0 4px;
  }
  /* The gauge has this button too, where it has room for it: see appStyles.ts. */
  @media (height > 680px) {
    .unknown {
      display: none;
    }
  }
`;

/** What fills the window, by source, each with its share of the budget; in place of the conversation. */
@customElement('karl-contents')
export class KarlContents extends LitElement {
  static override readonly styles = [shared, listStyles, chartStyles, contentsStyles];
  @property(ofSnapshot) accessor contents: ContentsState | undefined;
  @property(ofSnapshot) accessor gauge: GaugeState | undefined;
  /** Read-only: nothing can be changed. */
  @property({ attribute: false }) accessor locked = false;
  /** The side of the conversation that the user came from. */
  @property({ attribute: false }) accessor back: Side = 'history';
  @property({ attribute: false }) accessor missingTools: string | undefined;
  readonly #list = new GroupList(this);
  /** The focused element before the update. */
  #held: Element | undefined;

  constructor() {
    super();
    onEscape(this, () => this.#close());
  }

  /** Focuses the list, or the close button without one. */
  override focus(): void {
    this.#list.focus() || this.renderRoot.querySelector<HTMLElement>('.head button')?.focus();
  }

  #close(): void {
    ask(this, { type: 'show', shows: this.back });
  }

  protected override willUpdate(): void {
    this.#held = this.shadowRoot?.activeElement ?? undefined;
  }

  /** If the focused button was removed, as *Undo* is, focuses the list. */
  protected override updated(): void {
    if (this.#held?.isConnected === false && !this.shadowRoot?.activeElement && document.hasFocus()) this.focus();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { contents, gauge } = this;
    if (!contents || !gauge) return nothing;
    const closing = { label: t('Close what fills the window'), hint: t('Back to the conversation') };
    return html`<div class="scroller" role="region" aria-label=${t('What fills the window')}>
      <div class="head beside tall">
        <h2 class="grow">${t('What fills the window')}</h2>
        ${iconButton('close', closing, () => this.#close())}
      </div>
      ${this.locked ? nothing : html`<p class=${gauge.accepted === undefined ? '' : 'unknown'}>${renderSetWindow(this)}</p>`}
      ${contents.forecast && html`<p class="muted figures">${contents.forecast}</p>`}
      ${this.missingTools && html`<p class="muted">${this.missingTools}</p>`}
      ${this.#renderLast(contents)}
      ${this.#list.render(contents.groups, { locked: this.locked, limit: gauge.limit, chart: renderChart(contents.chart) })}
    </div>`;
  }

  /** The user's last change by hand, with a button that undoes it. */
  #renderLast({ last }: ContentsState): TemplateResult | typeof nothing {
    if (last === undefined || this.locked) return nothing;
    return html`<p class="figures last wrap">
      <span>${last.text}</span>
      ${linkButton({ label: t('Undo'), name: t('Undo: {0}', last.text) }, () => ask(this, { type: 'undo', id: last.id }))}
    </p>`;
  }
}
