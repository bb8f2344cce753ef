import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { t } from '../../core/language.ts';
import type { SummaryEntry } from '../../protocol/entries.ts';
import { icon } from '../icons.ts';
import { ask } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { linkedText } from './handles.ts';
import { markdownStyles } from './markdownStyles.ts';
import { isLongNote, previewNote } from './note.ts';
import { copyAction, nameOfSummary, originalAction, renderActions, renderFold, renderSize } from './row.ts';
import { rowStyles, summaryStyles } from './rowStyles.ts';

/** What the model reads in place of earlier messages: a text in which every handle leads to its message. */
@customElement('karl-summary')
export class KarlSummary extends LitElement {
  static override readonly styles = [shared, rowStyles, summaryStyles, markdownStyles];
  @property({ attribute: false }) accessor entry: SummaryEntry | undefined;
  /** The whole text, once it was asked for. */
  @property({ attribute: false }) accessor expanded: readonly string[] | undefined;

  protected override render(): TemplateResult | typeof nothing {
    const entry = this.entry;
    if (!entry) return nothing;
    const { from, to, tokens } = entry;
    const of = `[t${from}${from === to ? '' : `-${to}`}]`;
    const body = html`<karl-note
        class="text markdown"
        .text=${this.expanded?.[0] ?? entry.text}
        .transcriptLength=${entry.transcriptLength}
      ></karl-note>
      ${this.#renderMore(entry)}`;
    const end = html`<span class="end">
      ${renderSize(tokens)}
      ${renderActions([copyAction(entry, t('summary')), originalAction(from, to)], this)}
    </span>`;
    return html`<article
      class="sheet"
      aria-label=${nameOfSummary(entry)}
    >
      ${
        isLongNote(entry.text)
          ? html`<div class="folded">
              ${renderFold({ icon: 'note', title: t('Summary'), preview: previewNote(entry.text), body })} ${end}
            </div>`
          : html`<header>
                ${icon('note')}<span class="speaker ellipsis">${t('Summary')}</span>
                <span class="muted small">${linkedText(of, entry.transcriptLength)}</span>
                ${end}
              </header>
              ${body}`
      }
    </article>`;
  }

  #renderMore(entry: SummaryEntry): TemplateResult | typeof nothing {
    if (!entry.truncated || this.expanded !== undefined) return nothing;
    return html`<button class="link more" @click=${() => ask(this, { type: 'expand', key: entry.key })}>
      ${t('Show the whole summary ({0} tokens)', entry.tokens)}
    </button>`;
  }
}
