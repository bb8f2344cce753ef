import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatNumber, formatShare, t } from '../../core/language.ts';
import type { GaugeState } from '../../protocol/viewState.ts';
import { formatPart, percentOf } from '../format.ts';
import { icon } from '../icons.ts';
import { ask } from '../intent.ts';
import { dotted, shared } from '../styles/shared.ts';
import { gaugeStyles } from './styles.ts';

/** One piece of the bar; the widths of all pieces add up to 100. */
interface BarPiece {
  readonly kind: 'prompt' | 'tools' | 'notes' | 'messages' | 'free' | 'reserve' | 'closed';
  readonly tokens: number;
  /** Percent of the bar's length. */
  readonly width: number;
}

/** A mark across the bar. */
interface BarTick {
  readonly kind: 'target' | 'trigger';
  readonly tokens: number;
  /** Percent of the bar's length from its start. */
  readonly at: number;
}

/** From what stays to what changes: the frozen prompt first, the messages last, where the bar grows. */
const ORDER = ['prompt', 'tools', 'notes', 'messages'] as const;

/**
 * Lays the window out on a line. The bar is as long as the window, or as what is used when that is more; the reserve is
 * at its end and is never counted as used; `closed` is the part between an input limit and the reserve.
 */
function layoutBar(gauge: GaugeState): { pieces: readonly BarPiece[]; ticks: readonly BarTick[] } {
  const length = Math.max(gauge.window, gauge.used, 1);
  const free = Math.max(0, gauge.limit - gauge.used);
  const rest = Math.max(0, length - gauge.used - free);
  const reserve = Math.min(gauge.reserve, rest);
  const percent = (tokens: number) => (tokens / length) * 100;
  const piece = (kind: BarPiece['kind'], tokens: number): BarPiece => ({ kind, tokens, width: percent(tokens) });

  const used = ORDER.map((label) => piece(label, gauge.parts.find((part) => part.label === label)?.tokens ?? 0));
  const pieces = [...used, piece('free', free), piece('closed', rest - reserve), piece('reserve', reserve)];
  const tick = (kind: BarTick['kind'], tokens: number): BarTick => ({
    kind,
    tokens,
    at: Math.min(100, percent(tokens)),
  });
  return {
    pieces: pieces.filter((each) => each.tokens > 0),
    // A window that nobody stated has no threshold.
    ticks: gauge.accepted === undefined ? [tick('target', gauge.target), tick('trigger', gauge.trigger)] : [],
  };
}

/** "12,408 of 14,336 tokens · 87%": what is used of what may be used. The reserve is not included. */
function describeUse(gauge: GaugeState): string {
  if (gauge.accepted !== undefined) return t('{0} tokens', gauge.used);
  const share = formatShare(percentOf(gauge.used, gauge.limit));
  return t('{0} of {1} tokens · {2}', gauge.used, gauge.limit, share);
}

/** Where the figure comes from. */
export function describeSource(gauge: GaugeState): string {
  switch (gauge.usedSource) {
    case 'measured':
      return t('measured by the server');
    case 'counted':
      return t('exact count');
    case 'estimated':
      return gauge.errorPercent === undefined ? t('estimated') : t('estimated ± {0}', formatShare(gauge.errorPercent));
  }
}

/** "16,384-token window (from the model profile)". */
export function describeWindow(gauge: GaugeState): string {
  if (gauge.accepted !== undefined) return gauge.windowSource;
  return t('{0}-token window ({1})', gauge.window, gauge.windowSource);
}

function nameOfPiece(kind: BarPiece['kind']): string {
  switch (kind) {
    case 'prompt':
      return t('Prompt');
    case 'tools':
      return t('Tools');
    case 'notes':
      return t('Summaries');
    case 'messages':
      return t('Messages');
    case 'free':
      return t('Free');
    case 'closed':
      return t('Above the input limit');
    case 'reserve':
      return t('Reserved for the reply');
  }
}

/** Parts of the window that do not belong to the budget. */
const OUTSIDE: ReadonlySet<BarPiece['kind']> = new Set(['closed', 'reserve']);

/** The budget at a glance: a bar as long as the window, its exact figures, and when the next compression comes. */
@customElement('karl-gauge')
export class KarlGauge extends LitElement {
  static override readonly styles = [shared, dotted, gaugeStyles];
  @property({ attribute: false }) accessor gauge: GaugeState | undefined;
  /** Where the view is small: the bar and its figure alone. */
  @property({ type: Boolean, reflect: true }) accessor brief = false;
  /** Whether the breakdown is unfolded. */
  @property({ attribute: false }) accessor open = false;

  protected override render(): TemplateResult | typeof nothing {
    const gauge = this.gauge;
    if (!gauge) return nothing;
    const { pieces, ticks } = layoutBar(gauge);
    return html`<section class="gauge ${gauge.level} ${gauge.accepted === undefined ? '' : 'endless'}" aria-label=${t('Token budget')}>
      ${this.#renderBar(gauge, pieces, ticks)}
      <div class="use figures">
        <strong>${formatNumber(gauge.used)}</strong>
        ${
          gauge.accepted === undefined
            ? html`<span class="of">${t('of {0} tokens', gauge.limit)}</span>
                <strong class="share"><span class="dash">·</span> ${formatShare(percentOf(gauge.used, gauge.limit))}</strong>`
            : html`<span class="of">${t('tokens')}</span>`
        }
      </div>
      ${
        gauge.accepted === undefined
          ? nothing
          : html`<p class="window">
              <span class="unknown">${gauge.windowSource}</span>
              <button class="link set-window" @click=${() => ask(this, { type: 'set-window' })}>${t('Set context window…')}</button>
            </p>`
      }
      ${
        gauge.overflowTokens > 0
          ? html`<p class="overflow" role="alert">
              ${icon('warning')}<span
                >${t(
                  'Prompt, tools and the current request alone are {0} tokens over the limit. No compression can help: shorten the request, or select a model with a larger window.',
                  gauge.overflowTokens,
                )}</span
              >
            </p>`
          : html`<p class="next">${gauge.next}</p>`
      }
      <div class="more">
        <details ?open=${this.open} @toggle=${this.#toggled}>
          <summary class="muted small">
            <span class="chevron">${icon('chevron')}</span>
            <span class="source dotted figures"><span>${describeSource(gauge)}</span>${
              gauge.accepted === undefined ? html` <span>${describeWindow(gauge)}</span>` : nothing
            }</span>
          </summary>
          ${this.#renderBreakdown(gauge, pieces, ticks)}
        </details>
        <button class="link fills small" @click=${() => ask(this, { type: 'show', shows: 'contents' })}>${t('What fills it')}</button>
      </div>
    </section>`;
  }

  // Lengths are set through the object model (`.style`), which the page's policy allows; it would refuse an attribute.
  #renderBar(gauge: GaugeState, pieces: readonly BarPiece[], ticks: readonly BarTick[]): TemplateResult {
    return html`<div
      class="meter"
      role="meter"
      aria-label=${t('Context used')}
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
              title=${t('{0}: {1} tokens', nameOfPiece(piece.kind), piece.tokens)}
            ></div>`,
        )}
      </div>
      ${ticks.map(
        (tick) =>
          html`<div
            class="tick ${tick.kind}"
            .style=${`left: ${tick.at}%`}
            title=${
              tick.kind === 'target' ? t('Aims at {0} tokens', tick.tokens) : t('Compresses at {0} tokens', tick.tokens)
            }
          ></div>`,
      )}
    </div>`;
  }

  #renderBreakdown(gauge: GaugeState, pieces: readonly BarPiece[], ticks: readonly BarTick[]): TemplateResult {
    return html`<dl class="figures">
      ${pieces.map((piece) =>
        renderRow(
          html`<i class="dot ${piece.kind}"></i>${nameOfPiece(piece.kind)}`,
          piece.tokens,
          OUTSIDE.has(piece.kind) || gauge.accepted !== undefined ? undefined : gauge.limit,
        ),
      )}
      ${ticks.map((tick) =>
        renderRow(
          html`<i class="dot mark ${tick.kind}"></i>${tick.kind === 'target' ? t('Aims at') : t('Compresses at')}`,
          tick.tokens,
          gauge.limit,
        ),
      )}
      ${
        gauge.cached === undefined
          ? nothing
          : renderRow(html`<i class="dot none"></i>${t("From the provider's cache")}`, gauge.cached, gauge.limit)
      }
      ${gauge.cost === undefined ? nothing : renderCost(gauge.cost)}
    </dl>`;
  }

  #toggled(event: Event): void {
    if (!(event.currentTarget instanceof HTMLDetailsElement)) return;
    if (event.currentTarget.open === this.open) return;
    this.open = event.currentTarget.open;
    this.dispatchEvent(new CustomEvent('karl-details', { detail: { open: this.open } }));
  }
}

/** `limit`: the budget that the tokens are a part of; undefined for what is outside it. */
function renderRow(label: TemplateResult, tokens: number, limit: number | undefined): TemplateResult {
  return html`<div class="row">
    <dt>${label}</dt>
    <dd>${formatNumber(tokens)}</dd>
    <dd class="muted part" title=${t('of the budget')}>
      ${limit === undefined ? nothing : formatPart(tokens, limit)}
    </dd>
  </div>`;
}

function renderCost({ turn, all }: NonNullable<GaugeState['cost']>): TemplateResult {
  const row = (label: string, dollars: number) =>
    html`<div class="row"><dt><i class="dot none"></i>${label}</dt><dd>${formatDollars(dollars)}</dd><dd></dd></div>`;
  return html`${row(t('Cost of this turn'), turn)}${row(t('Cost of the conversation'), all)}`;
}

/** `$1.24`; small amounts with more digits. */
function formatDollars(dollars: number): string {
  return `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;
}

declare global {
  interface HTMLElementEventMap {
    'karl-details': CustomEvent<{ readonly open: boolean }>;
  }
}
