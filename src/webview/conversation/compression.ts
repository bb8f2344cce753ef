import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { CompressionState } from '../../protocol/entries.ts';
import type { FromWebview } from '../../protocol/viewState.ts';
import { formatTime } from '../format.ts';
import { type IconName, icon } from '../icons.ts';
import { ask } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { renderAt, renderTokens } from './compressionFigures.ts';
import { compressionsStyles } from './compressionsStyles.ts';
import { markdownStyles } from './markdownStyles.ts';
import './note.ts';

/** One compression: when, how much, by what, what was kept, the way back, and everything that it replaced. */
export class KarlCompression extends LitElement {
  static override readonly properties = {
    run: { attribute: false },
    text: { attribute: false },
    locked: { attribute: false },
    shows: { state: true },
  };
  static override readonly styles = [shared, compressionsStyles, markdownStyles];
  declare run: CompressionState | undefined;
  /** The text of its summary, once it was asked for. */
  declare text: string | undefined;
  /** Why nothing can be undone at all. */
  declare locked: string | undefined;
  /** What is unfolded. */
  declare shows: ReadonlySet<'summary' | 'details'>;

  constructor() {
    super();
    this.shows = new Set();
  }

  protected override render(): TemplateResult | typeof nothing {
    const run = this.run;
    if (!run) return nothing;
    const title = titleOf(run);
    const by = run.model === undefined ? run.strategy : `${run.strategy}, ${run.model}`;
    const how = run.isManual === true ? '' : ` · ${by} · ${run.trigger}`;
    return html`<article class=${run.undone ? 'undone' : ''} aria-label="${title} at ${formatTime(run.at)}">
      <header>
        ${icon('compressed')}<strong>${title}</strong>
        ${renderTokens(run)} ${this.#renderUndo(run)}
      </header>
      <p class="how muted small">${renderAt(run.at)}${how}</p>
      ${run.undone ? nothing : html`<p class="kept">${run.kept}</p>`}
      <div class="ways">
        ${run.hasSummary ? this.#renderToggle('summary', 'Summary', run) : nothing}
        ${this.#renderWay('Originals', run, { type: 'show-replaced', id: run.id })}
        ${this.#renderWay('Changes', run, { type: 'diff', id: run.id })}
        ${this.#renderToggle('details', 'Details', run)}
      </div>
      ${this.shows.has('summary') ? this.#renderSummary(run) : nothing}
      ${
        this.shows.has('details')
          ? html`<ul class="receipt">
              ${run.receipt.map((line) => html`<li>${line}</li>`)}
            </ul>`
          : nothing
      }
    </article>`;
  }

  #renderSummary(run: CompressionState): TemplateResult {
    if (this.text === undefined) return html`<p class="muted small">Loading</p>`;
    return html`<karl-note
      class="markdown"
      tabindex="0"
      role="region"
      aria-label="Summary of the compression at ${formatTime(run.at)}"
      .text=${this.text}
      .transcriptLength=${run.transcriptLength}
    ></karl-note>`;
  }

  #renderToggle(part: 'summary' | 'details', label: string, run: CompressionState): TemplateResult {
    const open = this.shows.has(part);
    return html`<button
      class="link way"
      aria-expanded=${open}
      aria-label="${label} of the compression at ${formatTime(run.at)}"
      @click=${() => this.#toggle(part, run)}
    ><span class="chevron ${open ? 'open' : ''}">${icon('chevron')}</span>${label}</button>`;
  }

  #renderWay(label: string, run: CompressionState, intent: FromWebview): TemplateResult {
    return html`<button
      class="link way"
      aria-label="${label} of the compression at ${formatTime(run.at)}"
      title=${label === 'Changes' ? 'Compare what the model was sent before and after' : 'Open the messages that were replaced'}
      @click=${() => ask(this, intent)}
    >${label}</button>`;
  }

  #renderUndo(run: CompressionState): TemplateResult {
    const reason = this.locked ?? run.locked;
    const { undone, undoesToo } = run;
    const [label, symbol, way]: [string, IconName, string] = undone
      ? ['Redo', 'redo', 'Compress again as it was']
      : ['Undo', 'undo', `Put back everything that only this compression replaced${describeLater(undoesToo)}`];
    const later = undone || undoesToo.length === 0 ? '' : ` and ${undoesToo.length} later`;
    return html`<button
      class="plain undo"
      ?disabled=${reason !== undefined}
      title=${reason ?? way}
      aria-label="${label} the compression at ${formatTime(run.at)}${later}"
      @click=${() => ask(this, { type: run.undone ? 'redo' : 'undo', id: run.id })}
    >${icon(symbol)}${label}${later}</button>`;
  }

  #toggle(part: 'summary' | 'details', run: CompressionState): void {
    const shows = new Set(this.shows);
    if (!shows.delete(part)) shows.add(part);
    this.shows = shows;
    if (shows.has('summary') && this.text === undefined) ask(this, { type: 'expand', key: `s${run.id}` });
  }
}

function titleOf({ undone, isManual, trigger }: CompressionState): string {
  if (isManual !== true) return undone ? 'Compression undone' : 'Compressed';
  return `${trigger.replace(/^./, (first) => first.toUpperCase())}${undone ? ', undone' : ''}`;
}

/** What else an undo brings back. */
function describeLater(times: readonly string[]): string {
  if (times.length === 0) return '';
  const what = times.length === 1 ? 'the later compression' : 'the later compressions';
  return `. Undoes ${what} at ${times.map((at) => formatTime(at)).join(', ')} too: built on this one`;
}

customElements.define('karl-compression', KarlCompression);

declare global {
  interface HTMLElementTagNameMap {
    'karl-compression': KarlCompression;
  }
}
