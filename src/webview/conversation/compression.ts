import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { t } from '../../core/language.ts';
import type { CompressionState } from '../../protocol/entries.ts';
import type { FromWebview } from '../../protocol/viewState.ts';
import { formatTime } from '../format.ts';
import { type IconName, icon } from '../icons.ts';
import { ask } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { renderAt, renderTokens } from './compressionFigures.ts';
import { compressionsStyles } from './compressionsStyles.ts';
import { titleOfRun } from './compressionTitle.ts';
import { markdownStyles } from './markdownStyles.ts';
import './note.ts';

/** One compression: when, how much, by what, what was kept, undo or redo, and everything that it replaced. */
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
    const title = titleOfRun(run);
    const by = run.model === undefined ? run.strategy : `${run.strategy}, ${run.model}`;
    const how = run.isManual === true ? '' : ` · ${by} · ${run.trigger}`;
    return html`<article class=${run.undone ? 'undone' : ''} aria-label=${t('{0} at {1}', title, formatTime(run.at))}>
      <header>
        ${icon('compressed')}<strong>${title}</strong>
        ${renderTokens(run)} ${this.#renderUndo(run)}
      </header>
      <p class="how muted small">${renderAt(run.at)}${how}</p>
      ${run.undone ? nothing : html`<p class="kept">${run.kept}</p>`}
      <div class="ways">
        ${run.hasSummary ? this.#renderToggle('summary', run) : nothing}
        ${this.#renderWay('originals', run, { type: 'show-replaced', id: run.id })}
        ${this.#renderWay('changes', run, { type: 'diff', id: run.id })}
        ${this.#renderToggle('details', run)}
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
    if (this.text === undefined) return html`<p class="muted small">${t('Loading')}</p>`;
    return html`<karl-note
      class="markdown"
      tabindex="0"
      role="region"
      aria-label=${t('Summary of the {0}', nameOf(run))}
      .text=${this.text}
      .transcriptLength=${run.transcriptLength}
    ></karl-note>`;
  }

  #renderToggle(part: 'summary' | 'details', run: CompressionState): TemplateResult {
    const open = this.shows.has(part);
    const [label, object] =
      part === 'summary'
        ? [t('Summary'), t('Summary of the {0}', nameOf(run))]
        : [t('Details'), t('Details of the {0}', nameOf(run))];
    return html`<button
      class="link way"
      aria-expanded=${open}
      aria-label=${object}
      @click=${() => this.#toggle(part, run)}
    ><span class="chevron ${open ? 'open' : ''}">${icon('chevron')}</span>${label}</button>`;
  }

  #renderWay(part: 'originals' | 'changes', run: CompressionState, intent: FromWebview): TemplateResult {
    const name = nameOf(run);
    const [label, object, title] =
      part === 'changes'
        ? [t('Changes'), t('Changes of the {0}', name), t('Compare what the model was sent before and after')]
        : [t('Originals'), t('Originals of the {0}', name), t('Open the messages that were replaced')];
    return html`<button
      class="link way"
      aria-label=${object}
      title=${title}
      @click=${() => ask(this, intent)}
    >${label}</button>`;
  }

  #renderUndo(run: CompressionState): TemplateResult {
    const reason = this.locked ?? run.locked;
    const { undone } = run;
    const symbol: IconName = undone ? 'redo' : 'undo';
    const { label, object, way } = undone ? wordsOfRedo(run) : wordsOfUndo(run);
    return html`<button
      class="plain undo"
      ?disabled=${reason !== undefined}
      title=${reason ?? way}
      aria-label=${object}
      @click=${() => ask(this, { type: run.undone ? 'redo' : 'undo', id: run.id })}
    >${icon(symbol)}${label}</button>`;
  }

  #toggle(part: 'summary' | 'details', run: CompressionState): void {
    const shows = new Set(this.shows);
    if (!shows.delete(part)) shows.add(part);
    this.shows = shows;
    if (shows.has('summary') && this.text === undefined) ask(this, { type: 'expand', key: `s${run.id}` });
  }
}

/** What a button says, what it acts on, and what it does. */
interface Words {
  readonly label: string;
  readonly object: string;
  readonly way: string;
}

/** What the controls of one compression, or of a change by hand, act on. */
function nameOf({ isManual, at }: CompressionState): string {
  const time = formatTime(at);
  return isManual === true ? t('change at {0}', time) : t('compression at {0}', time);
}

function wordsOfRedo(run: CompressionState): Words {
  return {
    label: t('Redo'),
    object: t('Redo the {0}', nameOf(run)),
    way: run.isManual === true ? t('Make this change again') : t('Compress again as it was'),
  };
}

/** Says what else is undone. */
function wordsOfUndo(run: CompressionState): Words {
  const name = nameOf(run);
  const way =
    run.isManual === true
      ? t('Put back everything that only this change replaced')
      : t('Put back everything that only this compression replaced');
  const { length } = run.undoesToo;
  if (length === 0) return { label: t('Undo'), object: t('Undo the {0}', name), way };
  const times = run.undoesToo.map((later) => formatTime(later)).join(', ');
  return {
    label: t('Undo and {0} later', length),
    object: t('Undo the {0} and {1} later', name, length),
    way:
      length === 1
        ? t('{0}. Undoes the later compression at {1} too: built on this one', way, times)
        : t('{0}. Undoes the later compressions at {1} too: built on this one', way, times),
  };
}

customElements.define('karl-compression', KarlCompression);

declare global {
  interface HTMLElementTagNameMap {
    'karl-compression': KarlCompression;
  }
}
