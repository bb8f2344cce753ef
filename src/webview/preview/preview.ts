import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { formatShare, t } from '../../language/language.ts';
import type { PreviewPlan, PreviewState, PreviewSummary } from '../../protocol/preview.ts';
import type { ActivityState, ViewState } from '../../protocol/viewState.ts';
import { icon, linkButton, pushButton } from '../controls.ts';
import { onEscape } from '../focus.ts';
import { formatShort } from '../format.ts';
import { ask, writtenIn } from '../intent.ts';
import { GroupList } from '../list/list.ts';
import { listStyles } from '../list/styles.ts';
import type { SummaryDraft } from '../pageState.ts';
import { shared } from '../styles/shared.ts';
import { previewStyles } from './styles.ts';
import type { KarlPreviewSummary } from './summary.ts';
import './summary.ts';
import '../work.ts';

const planning = (): ActivityState => ({ kind: 'compacting', label: t('Preparing the preview') });

/** A compression before it is done: figures, the outcome for each message, and the summary, all of which can be changed. */
@customElement('karl-preview')
export class KarlPreview extends LitElement {
  static override readonly styles = [shared, listStyles, previewStyles];
  @property({ attribute: false }) accessor preview: PreviewState | undefined;
  /** The texts that the user is writing in place of summaries. */
  @property({ attribute: false }) accessor drafts: readonly SummaryDraft[] = [];
  readonly #list = new GroupList(this);

  constructor() {
    super();
    onEscape(this, () => {
      const summaries = [...this.renderRoot.querySelectorAll<KarlPreviewSummary>('karl-preview-summary')];
      const changed = summaries.find((one) => one.isChanged);
      if (changed === undefined) ask(this, { type: 'preview-close' });
      else changed.focus();
    });
    // The conversation is hidden, so the messages of a handle open in an editor.
    this.addEventListener('karl-reveal', (event) => {
      if (!('from' in event.place)) return;
      event.stopPropagation();
      const { from, to } = event.place;
      ask(this, { type: 'show-original', from, to });
    });
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('.scroller')?.focus();
  }

  protected override firstUpdated(_changed: PropertyValues<this>): void {
    this.focus();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { preview } = this;
    if (!preview) return nothing;
    const { plan, busy } = preview;
    return html`<section aria-label=${t('Preview of a compression')} aria-busy=${busy !== false}>
      <div class="scroller" tabindex="0" role="region" aria-label=${t('What the compression would do')}>
        <header class="wrap">
          <h2 class="wrap figures">
            <span class="muted small">${t('Preview')}</span>
            <span role="status">${plan === undefined ? nothing : renderFigures(plan)}</span>
          </h2>
          ${this.#renderStrategy(preview)}
        </header>
        ${renderInstructions(preview.instructions, this.#isFixed, this)}
        ${
          preview.upTo === undefined
            ? nothing
            : html`<p class="muted">${t('Message {0} and everything after it stay as they are.', String(preview.upTo))}</p>`
        }
        ${plan === undefined ? nothing : this.#renderPlan(plan, preview.problem === undefined ? plan.remarks : [])}
      </div>
      ${busy === 'planning' ? html`<karl-activity .activity=${planning()}></karl-activity>` : nothing}
      ${
        preview.problem === undefined || busy
          ? nothing
          : html`<p class="problem warning beside" role="alert">${icon('warning')}<span>${preview.problem}</span></p>`
      }
      ${renderButtons(preview, this.#isWriting, this)}
    </section>`;
  }

  #renderStrategy({ strategy, strategies }: PreviewState): TemplateResult {
    return html`<label class="strategy muted small"
      >${t('Strategy')}
      <select
        class="field"
        ?disabled=${this.#isFixed}
        @change=${(event: Event) => ask(this, { type: 'preview-strategy', strategy: writtenIn(event) })}
      >
        ${strategies.map((id) => html`<option value=${id} ?selected=${id === strategy}>${id}</option>`)}
      </select></label
    >`;
  }

  #renderPlan(plan: PreviewPlan, remarks: readonly string[]): TemplateResult {
    const unedit = linkButton({ label: t('Discard the edit') }, () => ask(this, { type: 'preview-unedit' }));
    return html`${remarks.map((remark) => html`<p class="remark info beside">${icon('info')}<span>${remark}</span></p>`)}
      ${
        this.#isEdited || this.#isWriting
          ? html`<p class="muted">
              ${t('While a summary is edited, the outcome of each message is fixed.')}
              ${this.#isWriting || this.preview?.busy === 'applying' ? nothing : unedit}
            </p>`
          : html`<p class="muted">${t('Checked messages stay whole this time. Uncheck one to set it aside.')}</p>`
      }
      ${this.#list.render(plan.groups, { locked: this.#isFixed, more: { type: 'preview-more' } })}
      ${repeat(
        plan.summaries,
        ({ from }) => from,
        (summary) =>
          html`<karl-preview-summary
            .summary=${summary}
            .draft=${this.#draftOf(summary)}
            .locked=${this.preview?.busy === 'applying'}
            .transcriptLength=${plan.transcriptLength}
          ></karl-preview-summary>`,
      )}`;
  }

  get #isEdited(): boolean {
    return this.preview?.plan?.summaries.some(({ edited }) => edited) ?? false;
  }

  /** A summary is being edited, and its text would not be recorded yet. */
  get #isWriting(): boolean {
    return this.preview?.plan?.summaries.some((summary) => this.#draftOf(summary) !== undefined) ?? false;
  }

  /** Rows and strategy cannot be changed, since another plan might have no place for the user's text. */
  get #isFixed(): boolean {
    return this.#isEdited || this.#isWriting || this.preview?.busy === 'applying';
  }

  /** A text that the preview has is no draft. */
  #draftOf({ from, to, edited }: PreviewSummary): string | undefined {
    return this.drafts.find((one) => one.from === from && one.to === to && !(one.isUsed && edited))?.text;
  }
}

/** `13.8k → 7.4k of 16.4k`, as the gauge would show it. */
function renderFigures({ before, after, limit }: PreviewPlan): TemplateResult {
  const title =
    limit === undefined
      ? t('{0} → {1} tokens of the whole request', before, after)
      : t('{0} → {1} of {2} tokens', before, after, limit);
  const of = limit === undefined ? nothing : html` <span class="muted small">${t('of {0}', formatShort(limit))}</span>`;
  return html`<span title=${title}>${formatShort(before)} → ${formatShort(after)}${of}</span>`;
}

/** The input for what the compression must keep. Enter, or leaving it, plans the preview again. */
function renderInstructions(instructions: string, disabled: boolean, of: EventTarget): TemplateResult {
  return html`<input
    class="field instructions"
    type="text"
    maxlength="4000"
    aria-label=${t('What this compression must keep')}
    placeholder=${t('What to keep, e.g. the SQL')}
    .value=${live(instructions)}
    ?disabled=${disabled}
    @change=${(event: Event) => ask(of, { type: 'preview-instructions', text: writtenIn(event) })}
  />`;
}

/** Closes the preview when a message is sent, unless a turn waits for it or the user has changed something in it. */
export function leavePreview({ preview }: ViewState, drafts: readonly SummaryDraft[], of: EventTarget): void {
  if (preview === undefined || preview.asked) return;
  const { groups = [], summaries = [] } = preview.plan ?? {};
  const isUsed =
    preview.instructions !== '' ||
    drafts.length > 0 ||
    summaries.some(({ edited }) => edited) ||
    groups.some(({ kind }) => kind === 'chosen' || kind === 'aside');
  if (!isUsed) ask(of, { type: 'preview-close' });
}

/** The buttons of a preview. `isWriting`: a summary is being edited, which must end first. */
function renderButtons(
  { busy, problem, cures = [], asked, notNow = asked ? 'ask' : undefined, plan }: PreviewState,
  isWriting: boolean,
  of: EventTarget,
): TemplateResult {
  const mends = busy ? [] : cures;
  const mayNot = busy !== false || problem !== undefined || plan === undefined || isWriting;
  const tenth = formatShare(10);
  const hint =
    notNow === 'ask'
      ? t('Continue without compressing; Karl asks again when {0} more of the budget is used', tenth)
      : t('Continue without compressing; Karl compresses when {0} more of the budget is used', tenth);
  return html`${
    isWriting
      ? html`<p class="problem info beside" role="status">
          ${icon('info')}<span>${t('Use or discard the text that you are writing, then apply.')}</span>
        </p>`
      : nothing
  }
  <div class="buttons wrap firm">
    ${pushButton({ label: t('Apply') }, () => ask(of, { type: 'preview-apply' }), { secondary: false, disabled: mayNot })}
    ${mends.map((cure) => pushButton({ label: cure }, () => ask(of, { type: 'preview-mend', cure })))}
    ${
      (problem === undefined && cures.length === 0) || busy
        ? nothing
        : pushButton({ label: t('Preview Again') }, () => ask(of, { type: 'preview-again' }))
    }
    ${notNow === undefined ? nothing : pushButton({ label: t('Not Now'), hint }, () => ask(of, { type: 'preview-close', answer: 'not-now' }))}
    ${pushButton({ label: t('Cancel') }, () => ask(of, { type: 'preview-close' }))}
  </div>`;
}
