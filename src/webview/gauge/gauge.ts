import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatNumber, formatShare, t } from '../../language/language.ts';
import type { GaugeState } from '../../protocol/viewState.ts';
import { chevron, icon, linkButton } from '../controls.ts';
import { ofSnapshot } from '../conversation/reconcile.ts';
import { formatPart, percentOf } from '../format.ts';
import { ask } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { gaugeStyles } from './styles.ts';

/** The pieces of the bar in order: constant parts, growing parts, then unused ones. */
const pieceNames = () => ({
  prompt: t('Prompt'),
  tools: t('Tools'),
  notes: t('Summaries'),
  messages: t('Messages'),
  free: t('Free'),
  closed: t('Above the input limit'),
  reserve: t('Reserved for the reply'),
});

/**
 * Lays out the window as a bar, in percent of its length: the window, or the used tokens if there are more. The reserve is
 * at the end and never counts as used; `closed` is the part between an input limit and the reserve.
 */
function layoutBar(gauge: GaugeState) {
  const length = Math.max(gauge.window, gauge.used, 1);
  const free = Math.max(0, gauge.limit - gauge.used);
  const rest = Math.max(0, length - gauge.used - free);
  const reserve = Math.min(gauge.reserve, rest);
  const used = Object.fromEntries(gauge.parts.map(({ label, tokens }) => [label, tokens]));
  const figures: Readonly<Record<string, number>> = { ...used, free, closed: rest - reserve, reserve };
  const percent = (tokens: number) => (tokens / length) * 100;
  const ticks = [
    { kind: 'target', name: t('Aims at'), tokens: gauge.target },
    { kind: 'trigger', name: t('Compresses at'), tokens: gauge.trigger },
  ].map((tick) => ({ ...tick, at: Math.min(100, percent(tick.tokens)) }));
  return {
    pieces: Object.entries(pieceNames())
      .map(([kind, name]) => ({ kind, name, tokens: figures[kind] ?? 0, width: percent(figures[kind] ?? 0) }))
      .filter(({ tokens }) => tokens > 0),
    // An unknown window has no threshold.
    ticks: gauge.accepted === undefined ? ticks : [],
  };
}

/** "12,408 of 14,336 tokens · 87%": the used part of the budget, without the reserve. */
function describeUse(gauge: GaugeState): string {
  if (gauge.accepted !== undefined) return t('{0} tokens', gauge.used);
  const share = formatShare(percentOf(gauge.used, gauge.limit));
  return t('{0} of {1} tokens · {2}', gauge.used, gauge.limit, share);
}

/** The button for the setting of the window. `from` dispatches the intent. */
export function renderSetWindow(from: EventTarget): TemplateResult {
  return linkButton({ label: t('Set context window…') }, () => ask(from, { type: 'set-window' }));
}

/** The budget at a glance: a bar for the window, exact figures, and when the next compression comes. */
@customElement('karl-gauge')
export class KarlGauge extends LitElement {
  static override readonly styles = [shared, gaugeStyles];
  @property(ofSnapshot) accessor gauge: GaugeState | undefined;

  protected override render(): TemplateResult | typeof nothing {
    const gauge = this.gauge;
    if (!gauge) return nothing;
    const isKnown = gauge.accepted === undefined;
    return html`<section class="gauge ${gauge.level} ${isKnown ? '' : 'endless'}" aria-label=${t('Token budget')}>
      <div class="glance">
        ${renderBar(gauge)}
        <div class="figure wrap">
          <span class="use figures">
            <strong>${formatNumber(gauge.used)}</strong>
            ${
              isKnown
                ? html`<span class="of">${t('of {0} tokens', gauge.limit)}</span>
                    <strong>·&nbsp;${formatShare(percentOf(gauge.used, gauge.limit))}</strong>`
                : t('tokens')
            }
          </span>
          ${linkButton({ label: t('What fills it') }, () => ask(this, { type: 'show', shows: 'contents' }), 'fills push firm small')}
        </div>
      </div>
      ${isKnown ? nothing : html`<p class="window wrap"><span class="unknown">${gauge.windowSource}</span> ${renderSetWindow(this)}</p>`}
      ${
        gauge.overflowTokens > 0
          ? html`<p class="overflow" role="alert">${icon('warning')}<span>${gauge.next}</span></p>`
          : html`<p class="next muted">${gauge.next}</p>`
      }
      <details>
        <summary class="muted small">
          ${chevron()}
          <span class="source dotted figures"><span>${gauge.usedSource}</span>${
            isKnown ? html` <span>${t('{0}-token window ({1})', gauge.window, gauge.windowSource)}</span>` : nothing
          }</span>
        </summary>
        <ul class="legend bare figures less">
          ${legendOf(gauge).map(
            ({ kind, name, figure, part = '' }) =>
              html`<li><i class="dot ${kind}"></i><span class="muted">${name}</span><span>${figure}</span><span class="part muted">${part}</span></li>`,
          )}
        </ul>
      </details>
    </section>`;
  }
}

/** The bar. Its lengths are set as properties (`.style`), since the page's policy refuses style attributes. */
function renderBar(gauge: GaugeState): TemplateResult {
  const { pieces, ticks } = layoutBar(gauge);
  return html`<div
    class="meter"
    role="meter"
    aria-label=${t('Context used')}
    aria-valuemin="0"
    aria-valuemax=${gauge.limit}
    aria-valuenow=${Math.min(gauge.used, gauge.limit)}
    aria-valuetext="${describeUse(gauge)}, ${gauge.usedSource}. ${gauge.next}"
  >
    <div class="bar">
      ${pieces.map(({ kind, name, tokens, width }) => {
        const title = t('{0}: {1} tokens', name, tokens);
        return html`<div class="piece ${kind}" .style=${`flex-grow: ${width}`} title=${title}></div>`;
      })}
    </div>
    ${ticks.map(({ kind, name, tokens, at }) => {
      const title = t('{0}: {1} tokens', name, tokens);
      return html`<div class="tick ${kind}" .style=${`left: ${at}%`} title=${title}></div>`;
    })}
  </div>`;
}

interface LegendRow {
  readonly kind: string;
  readonly name: string;
  readonly figure: string;
  /** The share of the budget; absent for what lies outside of it. */
  readonly part?: string | undefined;
}

/** What uses the budget, where compressions start and aim, and what the provider's cache and the requests cost. */
function legendOf(gauge: GaugeState): readonly LegendRow[] {
  const { pieces, ticks } = layoutBar(gauge);
  const row = (kind: string, name: string, tokens: number): LegendRow => {
    const isPart = kind !== 'closed' && kind !== 'reserve' && gauge.accepted === undefined;
    const part = isPart ? formatPart(tokens, gauge.limit) : undefined;
    return { kind, name, figure: formatNumber(tokens), part };
  };
  // Small amounts have more digits.
  const cost = (name: string, dollars: number): LegendRow => {
    return { kind: 'none', name, figure: `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}` };
  };
  const { turn = 0, all = 0, broken = 0 } = gauge.cost ?? {};
  return [
    ...pieces.map(({ kind, name, tokens }) => row(kind, name, tokens)),
    ...ticks.map(({ kind, name, tokens }) => row(`mark ${kind}`, name, tokens)),
    ...(gauge.cached === undefined ? [] : [row('none', t("From the provider's cache"), gauge.cached)]),
    ...(gauge.cost === undefined ? [] : [cost(t('Cost of this turn'), turn), cost(t('Cost of the conversation'), all)]),
    ...(broken === 0 ? [] : [cost(t('of which for caches that compressions invalidated'), broken)]),
  ];
}
