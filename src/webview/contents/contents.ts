import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatShare, t } from '../../core/language.ts';
import type { ContentsState } from '../../protocol/contents.ts';
import type { GaugeState, Side } from '../../protocol/viewState.ts';
import { iconButton, linkButton } from '../controls.ts';
import { onEscape } from '../focus.ts';
import { formatShort, percentOf } from '../format.ts';
import { describeWindow, renderSetWindow } from '../gauge/gauge.ts';
import { ask } from '../intent.ts';
import { GroupList } from '../list/list.ts';
import { listStyles } from '../list/styles.ts';
import { shared } from '../styles/shared.ts';
import { contentsStyles } from './styles.ts';
import './history.ts';

/** What fills the window, by source, each with its share of the budget; in place of the conversation. */
@customElement('karl-contents')
export class KarlContents extends LitElement {
  static override readonly styles = [shared, listStyles, contentsStyles];
  @property({ attribute: false }) accessor contents: ContentsState | undefined;
  @property({ attribute: false }) accessor gauge: GaugeState | undefined;
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
      <p class="dotted muted figures">
        ${
          gauge.accepted === undefined
            ? html`<span>${t('{0} of {1} tokens', gauge.used, gauge.limit)}</span>
                <span>${formatShare(percentOf(gauge.used, gauge.limit))}, ${gauge.usedSource}</span>
                <span>${describeWindow(gauge)}</span>
                ${this.locked ? nothing : renderSetWindow(this)}`
            : html`<span>${t('{0} tokens', gauge.used)}, ${gauge.usedSource}</span>`
        }
      </p>
      ${contents.forecast && html`<p class="muted figures">${describeForecast(contents.forecast, gauge)}</p>`}
      ${this.missingTools && html`<p class="muted">${this.missingTools}</p>`}
      ${this.#renderLast(contents)}
      ${this.#list.render(contents.groups, { locked: this.locked, limit: gauge.limit })}
      <karl-history .points=${contents.history}></karl-history>
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

function describeForecast(
  { perTurn, turnsLeft }: NonNullable<ContentsState['forecast']>,
  { used, trigger }: GaugeState,
): string {
  const more = formatShort(perTurn);
  if (used >= trigger) return t('A turn adds about {0} tokens: the conversation is already over the threshold.', more);
  if (turnsLeft === 0) return t('A turn adds about {0} tokens: the next one will cross the threshold.', more);
  return turnsLeft === 1
    ? t('A turn adds about {0} tokens: about 1 turn until the threshold.', more)
    : t('A turn adds about {0} tokens: about {1} turns until the threshold.', more, turnsLeft);
}
