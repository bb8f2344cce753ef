import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { t } from '../../core/language.ts';
import type { SummaryEntry } from '../../protocol/entries.ts';
import { icon } from '../controls.ts';
import { shared } from '../styles/shared.ts';
import { renderMarkdown } from './markdown.ts';
import { markdownStyles } from './markdownStyles.ts';
import { nameOfRow, renderEnd, renderFold, renderMore } from './row.ts';
import { rowStyles, summaryStyles } from './rowStyles.ts';
import { linkedText, linkHandles } from './textLinks.ts';

/** A note of more lines than this is folded. A long line counts once per this many characters. */
const MOST_LINES = 14;
const LINE_CHARACTERS = 60;

/** A longer note is parsed in pieces, characters: the cost of parsing grows faster than the text. */
const PIECE = 20_000;

/** Marks a statement that the conversation does not support. */
const UNVERIFIED = '(unverified)';

/** Karl's text in place of earlier messages: Markdown in which every handle leads to its message. */
@customElement('karl-note')
export class KarlNote extends LitElement {
  @property({ attribute: false }) accessor text = '';
  /** How many raw messages there were when it was written. */
  @property({ attribute: false }) accessor transcriptLength = 0;

  /** Renders into the light DOM, so that the parent's styles apply. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): Node {
    const note = document.createDocumentFragment();
    note.append(...splitNote(this.text).map((piece) => renderMarkdown(piece, 'note')));
    linkHandles(note, this.transcriptLength);
    for (const mark of note.querySelectorAll('em')) if (mark.textContent === UNVERIFIED) mark.className = 'unverified';
    return note;
  }
}

/** Splits a note before headings and list items. */
function splitNote(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const { index } of text.matchAll(/\n(?=#{1,6} |- )/g)) {
    if (index - start < PIECE) continue;
    pieces.push(text.slice(start, index));
    start = index + 1;
  }
  return [...pieces, text.slice(start)];
}

/** Whether a note is so long that it is folded. */
function isLongNote(text: string): boolean {
  const lines = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / LINE_CHARACTERS), 0);
  return lines > MOST_LINES;
}

/** The start of a note without the marks of Markdown. */
function previewNote(text: string): string {
  return text.slice(0, 400).replace(/^(?:#{1,6}|-) |[*`]/gm, '');
}

/** The row of a summary in place of earlier messages. */
@customElement('karl-summary')
export class KarlSummary extends LitElement {
  static override readonly styles = [shared, rowStyles, summaryStyles, markdownStyles];
  @property({ attribute: false }) accessor entry: SummaryEntry | undefined;
  /** The whole text, once it has arrived. */
  @property({ attribute: false }) accessor expanded: readonly string[] | undefined;

  protected override render(): TemplateResult | typeof nothing {
    const entry = this.entry;
    if (!entry) return nothing;
    const { from, to, text, transcriptLength } = entry;
    const of = `[t${from}${from === to ? '' : `-${to}`}]`;
    const label = t('Show the whole summary ({0} tokens)', entry.tokens);
    const [whole = text] = this.expanded ?? [];
    const body = html`<karl-note class="text markdown" .text=${whole} .transcriptLength=${transcriptLength}></karl-note>
      ${entry.truncated && this.expanded === undefined ? renderMore(entry, label, label, this) : nothing}`;
    const end = renderEnd(entry, [], { pin: false, change: false }, this);
    return html`<article class="sheet" aria-label=${nameOfRow(entry)}>
      ${
        isLongNote(text)
          ? html`<div class="folded tall">${renderFold('note', t('Summary'), previewNote(text), body)} ${end}</div>`
          : html`<header class="beside tall">
                ${icon('note')}<span class="strong ellipsis">${t('Summary')}</span>
                <span class="muted small">${linkedText(of, transcriptLength)}</span>
                ${end}
              </header>
              ${body}`
      }
    </article>`;
  }
}
