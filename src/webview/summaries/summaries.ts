import '@vscode-elements/elements/dist/vscode-badge/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { SummaryState } from '../../protocol/viewState.ts';
import { markdownStyles } from '../conversation/markdownStyles.ts';
import { formatDuration, formatPercent, formatShort, formatTime, formatTokens, percentOf } from '../format.ts';
import { icon } from '../icons.ts';
import { ask } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import '../conversation/note.ts';
import { summariesStyles } from './styles.ts';

/** What every compression did: when, why, how, what it saved, what now stands in place of the rest, and the way back. */
export class KarlSummaries extends LitElement {
  static override readonly properties = {
    summaries: { attribute: false },
    open: { attribute: false },
    locked: { attribute: false },
    unfolded: { state: true },
  };
  static override readonly styles = [shared, markdownStyles, summariesStyles];
  /** Newest first. */
  declare summaries: readonly SummaryState[];
  declare open: boolean;
  /** Why nothing can be undone at all. */
  declare locked: string | undefined;
  /** Summaries whose text was looked at; the text of the others is not drawn. */
  declare unfolded: ReadonlySet<string>;

  constructor() {
    super();
    this.summaries = [];
    this.open = false;
    this.unfolded = new Set();
  }

  protected override render(): TemplateResult | typeof nothing {
    const newest = this.summaries[0];
    if (!newest) return nothing;
    return html`<details class="section" ?open=${this.open} @toggle=${this.#toggled}>
      <summary>
        <span class="chevron">${icon('chevron')}</span>
        <h2>Summaries</h2>
        <span class="muted small ellipsis">last saved ${formatShort(newest.before - newest.after)} tokens</span>
        <vscode-badge variant="counter">${this.summaries.length}</vscode-badge>
      </summary>
      <div class="list">
        ${repeat(
          this.summaries,
          (summary) => summary.id,
          (summary) => this.#renderSummary(summary),
        )}
      </div>
    </details>`;
  }

  #renderSummary(summary: SummaryState): TemplateResult {
    const how = [
      ...summary.rungs,
      formatDuration(summary.ms),
      summary.model ?? (summary.modelCalls === 0 ? 'no model used' : 'nothing written by a model'),
    ];
    return html`<article aria-label="Compression at ${formatTime(summary.at)}">
      <header>
        <time datetime=${summary.at} title=${summary.at}>${formatTime(summary.at)}</time>
        <span class="muted ellipsis">${summary.trigger.replaceAll('-', ' ')} · ${summary.strategy}</span>
        ${this.#renderUndo(summary)}
      </header>
      <p class="figures" title="Tokens of the whole request, as in the gauge">
        ${formatTokens(summary.before)} → <strong>${formatTokens(summary.after)}</strong> tokens
        ${renderShares(summary)}
      </p>
      <p class="muted small">${how.join(' · ')}</p>
      ${summary.receipt.length > 0 ? html`<ul class="receipt">${summary.receipt.map((line) => html`<li>${line}</li>`)}</ul>` : nothing}
      ${
        summary.text === ''
          ? nothing
          : html`<details class="text" @toggle=${(event: Event) => this.#unfold(event, summary.id)}>
              <summary><span class="chevron">${icon('chevron')}</span>Text of the summary</summary>
              ${
                this.unfolded.has(summary.id)
                  ? html`<karl-note
                      class="markdown"
                      tabindex="0"
                      role="region"
                      aria-label="Text of the summary"
                      .text=${summary.text}
                      .transcriptLength=${summary.transcriptLength}
                    ></karl-note>`
                  : nothing
              }
            </details>`
      }
    </article>`;
  }

  #renderUndo(summary: SummaryState): TemplateResult {
    const reason =
      this.locked ?? (summary.canUndo ? undefined : (summary.undoHint ?? 'This compression cannot be undone now.'));
    return html`<button
      class="plain undo"
      ?disabled=${reason !== undefined}
      title=${reason ?? 'Put back everything that only this compression replaced'}
      @click=${() => ask(this, { type: 'undo', id: summary.id })}
    >
      ${icon('undo')}Undo
    </button>`;
  }

  /** The list is low, and what is unfolded at its end would be out of sight. */
  async #unfold({ currentTarget }: Event, id: string): Promise<void> {
    if (!(currentTarget instanceof HTMLDetailsElement && currentTarget.open)) return;
    if (!this.unfolded.has(id)) this.unfolded = new Set(this.unfolded).add(id);
    await this.updateComplete;
    currentTarget.scrollIntoView({ block: 'nearest' });
  }

  #toggled(event: Event): void {
    const { currentTarget } = event;
    if (!(currentTarget instanceof HTMLDetailsElement) || currentTarget.open === this.open) return;
    this.open = currentTarget.open;
    this.dispatchEvent(new CustomEvent('karl-summaries', { detail: { open: this.open } }));
  }
}

function renderShares({ before, after, limit }: SummaryState): TemplateResult | typeof nothing {
  if (limit === undefined) return nothing;
  const [from, to] = [before, after].map((tokens) => formatPercent(percentOf(tokens, limit)));
  return html`<span class="muted">${from} →</span> <span class="saved">${to}</span> <span class="muted">of the budget</span>`;
}

customElements.define('karl-summaries', KarlSummaries);

declare global {
  interface HTMLElementTagNameMap {
    'karl-summaries': KarlSummaries;
  }
  interface HTMLElementEventMap {
    'karl-summaries': CustomEvent<{ readonly open: boolean }>;
  }
}
