import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { t } from '../../language/language.ts';
import type { PreviewSummary } from '../../protocol/preview.ts';
import { pushButton } from '../controls.ts';
import { markdownStyles } from '../conversation/markdownStyles.ts';
import { nameOf } from '../conversation/row.ts';
import { linkedText } from '../conversation/textLinks.ts';
import { ask, writtenIn } from '../intent.ts';
import type { SummaryDraft } from '../pageState.ts';
import { shared } from '../styles/shared.ts';
import { previewSummaryStyles } from './styles.ts';
import '../conversation/rows.ts';

/** A summary before it is recorded: rendered with links, or edited as Markdown. */
@customElement('karl-preview-summary')
export class KarlPreviewSummary extends LitElement {
  static override readonly styles = [shared, markdownStyles, previewSummaryStyles];
  @property({ attribute: false }) accessor summary: PreviewSummary | undefined;
  @property({ attribute: false }) accessor transcriptLength = 0;
  /** The text that the user is writing in its place. */
  @property({ attribute: false }) accessor draft: string | undefined;
  /** It is being recorded as it is. */
  @property({ attribute: false }) accessor locked = false;

  /** The user has written something that is not used yet. */
  get isChanged(): boolean {
    return this.draft !== undefined && this.draft !== this.summary?.text;
  }

  override focus(): void {
    this.renderRoot.querySelector('textarea')?.focus();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { summary, draft, transcriptLength: length } = this;
    if (!summary) return nothing;
    const of = nameOf(summary.from, summary.to);
    return html`<article class="sheet" aria-label=${t('Summary of {0}', of)}>
      <header class="wrap">
        <strong>${t('Summary')}</strong>
        ${summary.edited ? html`<span class="muted small">${t('edited by you')}</span>` : nothing}
        <button
          class="link push"
          aria-expanded=${draft !== undefined}
          aria-label=${t('Edit the summary of {0}', of)}
          ?disabled=${this.locked}
          @click=${() => this.#toggle(summary)}
        >${t('Edit')}</button>
      </header>
      <p class="head muted small">${linkedText(summary.head, length)}</p>
      ${draft === undefined ? this.#renderText(summary, of) : this.#renderEditor(draft, of)}
      ${summary.state && html`<karl-note class="markdown state muted less" .text=${summary.state} .transcriptLength=${length}></karl-note>`}
    </article>`;
  }

  #renderText({ text }: PreviewSummary, of: string): TemplateResult {
    if (text === '') return html`<p class="muted">${t('Only the line above.')}</p>`;
    return html`<karl-note
      class="markdown text"
      tabindex="0"
      role="region"
      aria-label=${t('Text of the summary of {0}', of)}
      .text=${text}
      .transcriptLength=${this.transcriptLength}
    ></karl-note>`;
  }

  #renderEditor(draft: string, of: string): TemplateResult {
    return html`<textarea
        class="field less"
        aria-label=${t('Text of the summary of {0}', of)}
        .value=${draft}
        @input=${(event: Event) => this.#write(writtenIn(event))}
        @keydown=${this.#pressed}
      ></textarea>
      <div class="buttons wrap">
        ${pushButton({ label: t('Use This Text') }, this.#use, { secondary: false, disabled: this.locked })}
        ${pushButton({ label: t('Discard') }, () => this.#leave())}
      </div>`;
  }

  #toggle({ text }: PreviewSummary): void {
    if (this.draft !== undefined) return void this.#close();
    this.#write(text);
    void this.updateComplete.then(() => this.focus());
  }

  #write(text: string | undefined, isUsed = false): void {
    this.draft = text;
    const { from = 0, to = 0 } = this.summary ?? {};
    const detail = { from, to, text, isUsed };
    this.dispatchEvent(new CustomEvent('karl-summary-draft', { detail, bubbles: true, composed: true }));
  }

  /** Closes the editor, unless the text was changed: the user must use or discard it. */
  #close(): void {
    if (this.isChanged) this.focus();
    else this.#leave();
  }

  /** Escape closes the editor, not the preview. */
  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.stopPropagation();
    this.#close();
  };

  readonly #use = (): void => {
    const { summary, draft } = this;
    const isUsed = summary !== undefined && draft !== undefined && draft !== summary.text;
    if (isUsed) ask(this, { type: 'preview-edit', from: summary.from, to: summary.to, text: draft });
    this.#leave(isUsed ? draft : undefined);
  };

  /** Closes the editor; the text that the preview has is kept. */
  readonly #leave = (used = this.summary?.edited ? this.summary.text : undefined): void => {
    this.#write(used, used !== undefined);
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('header button')?.focus());
  };
}

declare global {
  interface HTMLElementEventMap {
    /** What the user writes in place of a summary; `text` is undefined when the editor closes. */
    'karl-summary-draft': CustomEvent<Omit<SummaryDraft, 'text'> & { readonly text: string | undefined }>;
  }
}
