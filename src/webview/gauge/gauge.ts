import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { GaugeState } from '../../protocol/viewState.ts';
import { formatPercent, formatTokens, percentOf } from '../format.ts';
import { icon } from '../icons.ts';
import { ask } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { type BarPiece, type BarTick, layoutBar } from './layout.ts';
import { gaugeStyles } from './styles.ts';
import { describeSource, describeUse, describeWindow } from './words.ts';

const PIECE_NAMES: Readonly<Record<BarPiece['kind'], string>> = {
  prompt: 'Prompt',
  tools: 'Tools',
  notes: 'Summaries',
  messages: 'Messages',
  free: 'Free',
  closed: 'Above the input limit',
  reserve: 'Reserved for the reply',
};
/** Parts of the window that the budget leaves out. */
const OUTSIDE: ReadonlySet<BarPiece['kind']> = new Set(['closed', 'reserve']);
const TICK_NAMES: Readonly<Record<BarTick['kind'], string>> = { target: 'Aims at', trigger: 'Compresses at' };

/** The budget at a glance: a bar as long as the window, its exact figures, and when the next compression comes. */
export class KarlGauge extends LitElement {
  static override readonly properties = { gauge: { attribute: false }, open: { attribute: false } };
  static override readonly styles = [shared, gaugeStyles];
  declare gauge: GaugeState | undefined;
  /** Whether the breakdown is unfolded. */
  declare open: boolean;

  constructor() {
    super();
    this.open = false;
  }

  protected override render(): TemplateResult | typeof nothing {
    const gauge = this.gauge;
    if (!gauge) return nothing;
    const { pieces, ticks } = layoutBar(gauge);
    return html`<section class="gauge ${gauge.level}" aria-label="Token budget">
      ${this.#renderBar(gauge, pieces, ticks)}
      <div class="use figures">
        <strong>${formatTokens(gauge.used)}</strong>
        <span class="of">of ${formatTokens(gauge.limit)} tokens ·</span>
        <strong class="share">${formatPercent(percentOf(gauge.used, gauge.limit))}</strong>
      </div>
      <p class="next">${gauge.next}</p>
      ${
        gauge.overflowTokens > 0
          ? html`<p class="overflow" role="alert">
              ${icon('warning')}<span
                >Prompt, tools and the current request alone are ${formatTokens(gauge.overflowTokens)} tokens over the
                limit. No compression can help: shorten the request, or select a model with a larger window.</span
              >
            </p>`
          : nothing
      }
      <div class="more">
        <details ?open=${this.open} @toggle=${this.#toggled}>
          <summary class="muted small">
            <span class="chevron">${icon('chevron')}</span>
            <span class="source figures">${describeSource(gauge)} · ${describeWindow(gauge)}</span>
          </summary>
          ${this.#renderBreakdown(gauge, pieces, ticks)}
        </details>
        <button class="link fills small" @click=${() => ask(this, { type: 'show', shows: 'contents' })}>What fills it</button>
      </div>
    </section>`;
  }

  // Lengths are set through the object model (`.style`), which the page's policy allows; an attribute it would refuse.
  #renderBar(gauge: GaugeState, pieces: readonly BarPiece[], ticks: readonly BarTick[]): TemplateResult {
    return html`<div
      class="meter"
      role="meter"
      aria-label="Context used"
      aria-valuemin="0"
      aria-valuemax=${gauge.limit}
      aria-valuenow=${Math.min(gauge.used, gauge.limit)}
      aria-valuetext="${describeUse(gauge)}, ${describeSource(gauge)}. ${gauge.next}"
    >
      <div class="bar">
        ${pieces.map(
          (piece) =>
            html`<div
              class="piece ${piece.kind}"
              .style=${`flex-grow: ${piece.width}`}
              title="${PIECE_NAMES[piece.kind]}: ${formatTokens(piece.tokens)} tokens"
            ></div>`,
        )}
      </div>
      ${ticks.map(
        (tick) =>
          html`<div
            class="tick ${tick.kind}"
            .style=${`left: ${tick.at}%`}
            title="${TICK_NAMES[tick.kind]} ${formatTokens(tick.tokens)} tokens"
          ></div>`,
      )}
    </div>`;
  }

  #renderBreakdown(gauge: GaugeState, pieces: readonly BarPiece[], ticks: readonly BarTick[]): TemplateResult {
    return html`<dl class="figures">
      ${pieces.map((piece) =>
        renderRow(
          html`<i class="dot ${piece.kind}"></i>${PIECE_NAMES[piece.kind]}`,
          piece.tokens,
          OUTSIDE.has(piece.kind) ? undefined : gauge.limit,
        ),
      )}
      ${ticks.map((tick) =>
        renderRow(html`<i class="dot mark ${tick.kind}"></i>${TICK_NAMES[tick.kind]}`, tick.tokens, gauge.limit),
      )}
      ${
        gauge.cached === undefined
          ? nothing
          : renderRow(html`<i class="dot none"></i>From the provider's cache`, gauge.cached, gauge.limit)
      }
    </dl>`;
  }

  #toggled(event: Event): void {
    if (!(event.currentTarget instanceof HTMLDetailsElement)) return;
    if (event.currentTarget.open === this.open) return;
    this.open = event.currentTarget.open;
    this.dispatchEvent(new CustomEvent('karl-details', { detail: { open: this.open } }));
  }
}

/** `limit`: the budget that the tokens are a part of; undefined where they lie outside of it. */
function renderRow(label: TemplateResult, tokens: number, limit: number | undefined): TemplateResult {
  return html`<div class="row">
    <dt>${label}</dt>
    <dd>${formatTokens(tokens)}</dd>
    <dd class="muted part" title="of the budget">
      ${limit === undefined ? nothing : formatPercent(percentOf(tokens, limit))}
    </dd>
  </div>`;
}

customElements.define('karl-gauge', KarlGauge);

declare global {
  interface HTMLElementTagNameMap {
    'karl-gauge': KarlGauge;
  }
  interface HTMLElementEventMap {
    'karl-details': CustomEvent<{ readonly open: boolean }>;
  }
}
