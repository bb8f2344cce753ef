import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { CompressionState, CompressionsEntry } from '../../protocol/entries.ts';
import { icon } from '../icons.ts';
import { shared } from '../styles/shared.ts';
import { renderTokens } from './compressionFigures.ts';
import { compressionsStyles } from './compressionsStyles.ts';
import { nameOfRuns, titleOfRuns, togetherOf } from './compressionTitle.ts';
import './compression.ts';

/** The compressions of one turn as a divider: what they did together, and each by itself when it is unfolded. */
@customElement('karl-compressions')
export class KarlCompressions extends LitElement {
  static override readonly styles = [shared, compressionsStyles];
  @property({ attribute: false }) accessor entry: CompressionsEntry | undefined;
  /** Texts of summaries that were asked for, by key. */
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
    // What was changed by hand says what it is about when it is unfolded: each is about other messages.
    const kept = together === undefined ? undefined : this.entry?.kept;
    return html`<section aria-label=${nameOfRuns(runs)}>
      <details ?open=${this.open} @toggle=${this.#toggled}>
        <summary>
          <span class="chevron">${icon('chevron')}</span>
          <span class="turn">
            <strong>${titleOfRuns(runs)}</strong>
            ${together === undefined ? nothing : renderTokens(together)}
          </span>
        </summary>
        ${
          this.open
            ? repeat(
                runs,
                (run) => run.id,
                (run) => this.#renderRun(run),
              )
            : nothing
        }
      </details>
      ${this.open || kept === undefined ? nothing : html`<p class="kept">${kept}</p>`}
    </section>`;
  }

  #renderRun(run: CompressionState): TemplateResult {
    const text = this.texts.get(`s${run.id}`)?.[0];
    return html`<karl-compression .run=${run} .text=${text} .locked=${this.locked}></karl-compression>`;
  }

  #toggled({ currentTarget }: Event): void {
    if (currentTarget instanceof HTMLDetailsElement) this.open = currentTarget.open;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'karl-compressions': KarlCompressions;
  }
}
