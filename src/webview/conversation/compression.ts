import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { formatShare, t } from '../../core/language.ts';
import type { CompressionState, CompressionsEntry, MomentState } from '../../protocol/entries.ts';
import { byKey, formatShort, formatTime, percentOf } from '../format.ts';
import { icon } from '../icons.ts';
import { ask, isUnfolded } from '../intent.ts';
import { dotted, shared } from '../styles/shared.ts';
import {
  capital,
  nameControls,
  nameOfRun,
  nameOfRuns,
  titleOfRun,
  titleOfRuns,
  togetherOf,
  wordsOfUndo,
} from './compressionWords.ts';
import { compressionsStyles } from './conversationStyles.ts';
import { markdownStyles } from './markdownStyles.ts';
import './note.ts';

/** One compression: time, figures, strategy, what was kept, undo or redo, and the replaced messages. */
@customElement('karl-compression')
export class KarlCompression extends LitElement {
  static override readonly styles = [shared, dotted, compressionsStyles, markdownStyles];
  @property({ attribute: false }) accessor run: CompressionState | undefined;
  /** The text of its summary, once it has arrived. */
  @property({ attribute: false }) accessor text: string | undefined;
  /** Why nothing can be undone at all. */
  @property({ attribute: false }) accessor locked: string | undefined;
  /** The unfolded parts. */
  @state() accessor shows: ReadonlySet<'summary' | 'details'> = new Set();

  protected override render(): TemplateResult | typeof nothing {
    const run = this.run;
    if (!run) return nothing;
    const names = nameControls(run);
    const by = run.model === undefined ? run.strategy : `${run.strategy}, ${run.model}`;
    const how = run.isManual === true ? [] : [capital(run.trigger), by];
    return html`<article class=${run.undone ? 'undone' : ''} aria-label=${nameOfRun(run)}>
      <header class="beside wrap">
        ${icon('compressed')}<strong>${titleOfRun(run)}</strong>
        ${renderTokens(run)} ${run.superseded ? nothing : this.#renderUndo(run)}
      </header>
      <p class="how dotted muted small"><span>${renderAt(run)}</span>${how.map((part) => html` <span>${part}</span>`)}</p>
      ${renderKept(run)}
      <div class="ways wrap">
        ${run.hasSummary ? this.#renderToggle('summary', t('Summary'), run) : nothing}
        <button
          class="link way"
          aria-label=${names.originals}
          title=${t('Open these messages as they were')}
          @click=${() => ask(this, { type: 'show-replaced', id: run.id })}
        >${t('Originals')}</button>
        <button
          class="link way"
          aria-label=${names.changes}
          title=${t('Compare what the model was sent before and after')}
          @click=${() => ask(this, { type: 'diff', id: run.id })}
        >${t('Changes')}</button>
        ${this.#renderToggle('details', t('Details'), run)}
      </div>
      ${this.shows.has('summary') ? this.#renderSummary(run) : nothing}
      ${this.shows.has('details') ? html`<ul class="receipt">${run.receipt.map((line) => html`<li>${line}</li>`)}</ul>` : nothing}
    </article>`;
  }

  #renderSummary(run: CompressionState): TemplateResult {
    if (this.text === undefined) return html`<p class="muted small">${t('Loading')}</p>`;
    return html`<karl-note
      class="markdown"
      tabindex="0"
      role="region"
      aria-label=${nameControls(run).summary}
      .text=${this.text}
      .transcriptLength=${run.transcriptLength}
    ></karl-note>`;
  }

  #renderToggle(part: 'summary' | 'details', label: string, run: CompressionState): TemplateResult {
    return html`<button
      class="link way"
      aria-expanded=${this.shows.has(part)}
      aria-label=${nameControls(run)[part]}
      @click=${() => this.#toggle(part, run)}
    ><span class="chevron">${icon('chevron')}</span>${label}</button>`;
  }

  #renderUndo(run: CompressionState): TemplateResult {
    const reason = this.locked ?? run.locked;
    const symbol = run.undone ? 'redo' : 'undo';
    const { label, object, way } = wordsOfUndo(run);
    return html`<button
      class="plain undo"
      ?disabled=${reason !== undefined}
      title=${reason ?? way}
      aria-label=${object}
      @click=${() => ask(this, { type: symbol, id: run.id })}
    >${icon(symbol)}${label}</button>`;
  }

  #toggle(part: 'summary' | 'details', run: CompressionState): void {
    const shows = new Set(this.shows);
    if (!shows.delete(part)) shows.add(part);
    this.shows = shows;
    if (shows.has('summary') && this.text === undefined) ask(this, { type: 'expand', key: `s${run.id}` });
  }
}

function renderKept({ undone, superseded, kept }: CompressionState): TemplateResult | typeof nothing {
  if (superseded) return html`<p class="muted small">${t('A later compression or change has taken its place.')}</p>`;
  return undone ? nothing : html`<p class="kept">${kept}</p>`;
}

/** The compressions of one turn as a divider: what they did together, and each one when it is unfolded. */
@customElement('karl-compressions')
export class KarlCompressions extends LitElement {
  static override readonly styles = [shared, compressionsStyles];
  @property({ attribute: false }) accessor entry: CompressionsEntry | undefined;
  /** Texts of summaries, by key. */
  @property({ attribute: false }) accessor texts: ReadonlyMap<string, readonly string[]> = new Map();
  /** Why nothing can be undone at all. */
  @property({ attribute: false }) accessor locked: string | undefined;
  @state() accessor open = false;

  protected override render(): TemplateResult | typeof nothing {
    const runs = this.entry?.runs ?? [];
    const [only] = runs;
    if (only === undefined) return nothing;
    if (runs.length === 1) return html`<section>${this.#renderRun(only)}</section>`;
    const together = togetherOf(runs);
    // Changes by hand concern different messages, so they say what was kept only when unfolded.
    const kept = together === undefined ? undefined : this.entry?.kept;
    return html`<section aria-label=${nameOfRuns(runs)}>
      <details ?open=${this.open} @toggle=${this.#toggled}>
        <summary>
          <span class="chevron">${icon('chevron')}</span>
          <span class="turn beside wrap">
            <strong>${titleOfRuns(runs)}</strong>
            ${together === undefined ? nothing : renderTokens(together)}
          </span>
        </summary>
        ${this.open ? byKey('id', runs, (run) => this.#renderRun(run)) : nothing}
      </details>
      ${this.open || kept === undefined ? nothing : html`<p class="kept">${kept}</p>`}
    </section>`;
  }

  #renderRun(run: CompressionState): TemplateResult {
    const text = this.texts.get(`s${run.id}`)?.[0];
    return html`<karl-compression .run=${run} .text=${text} .locked=${this.locked}></karl-compression>`;
  }

  #toggled(event: Event): void {
    this.open = isUnfolded(event);
  }
}

/** `13.8k → 7.4k · 95% → 51%`: the whole request before and after. */
function renderTokens({ before, after, limit }: CompressionState): TemplateResult {
  const title = t('{0} → {1} tokens of the whole request', before, after);
  const [from, to] = [before, after].map((tokens) => formatShare(percentOf(tokens, limit ?? 0)));
  return html`<span class="tokens wrap figures" title=${title}>
    ${formatShort(before)} → ${formatShort(after)}
    ${limit === undefined ? nothing : html`<span class="muted">${from} → ${to}</span>`}
  </span>`;
}

function renderAt({ at, precision }: MomentState): TemplateResult {
  return html`<time datetime=${at} title=${at}>${formatTime(at, precision)}</time>`;
}
