import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { formatShare, t } from '../../language/language.ts';
import type { AgentsOwnState, CompressionState, UnsaidState } from '../../protocol/entries.ts';
import type { FromWebview } from '../../protocol/fromWebview.ts';
import { chevron, icon, linkButton } from '../controls.ts';
import { formatShort, formatTime, percentOf } from '../format.ts';
import { ask } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { compressionsStyles } from './conversationStyles.ts';
import { markdownStyles } from './markdownStyles.ts';
import { ofSnapshot } from './reconcile.ts';

/** The title of a compression or a change by hand. */
export function titleOfRun({ undone, isManual, trigger, agent }: CompressionState): string {
  if (agent !== undefined)
    return undone ? t('Compressed by {0}, undone', agent.name) : t('Compressed by {0}', agent.name);
  if (isManual !== true) return undone ? t('Compression undone') : t('Compressed');
  const act = capital(trigger);
  return undone ? t('{0}, undone', act) : act;
}

/** Words with a capital first letter. */
function capital(words: string): string {
  return words.replace(/^./, (first) => first.toUpperCase());
}

/** The title with the time, which is unique in the conversation. */
export function nameOfRun(run: CompressionState): string {
  return `${titleOfRun(run)}, ${formatTime(run.at)}`;
}

/** How much of what another agent discarded its summary does not state. */
function countUnsaid({ agent }: CompressionState): number {
  return agent === undefined ? 0 : agent.unsaid.reduce((sum, { facts }) => sum + facts.length, agent.more);
}

/** The undo or redo button: its label, with how many later ones go along, and its tooltip. */
function wordsOfUndo({ isManual, takesAlong, undone }: CompressionState): { label: string; way: string } {
  if (isManual === true)
    return undone
      ? { label: t('Redo'), way: t('Make this change again') }
      : { label: t('Undo'), way: t('Take back this change alone') };
  const isAlone = takesAlong === 0;
  if (undone)
    return { label: isAlone ? t('Redo') : t('Redo and {0} later', takesAlong), way: t('Compress again as it was') };
  const way = t('Put back everything that only this compression removed');
  return { label: isAlone ? t('Undo') : t('Undo and {0} later', takesAlong), way };
}

/** The parts of a compression that unfold. */
type Part = 'summary' | 'unsaid' | 'details';

/** One compression: time, figures, strategy, what was kept, undo or redo, and the replaced messages. */
@customElement('karl-compression')
export class KarlCompression extends LitElement {
  static override readonly styles = [shared, compressionsStyles, markdownStyles];
  @property(ofSnapshot) accessor run: CompressionState | undefined;
  /** The text of its summary, once it has arrived. */
  @property({ attribute: false }) accessor text: string | undefined;
  /** Why nothing can be undone at all. */
  @property({ attribute: false }) accessor locked: string | undefined;
  /** It is unfolded at first: the newest of its turn that is in effect. Others are one line. */
  @property({ attribute: false }) accessor isNewest = true;
  /** Whether it is unfolded, once the user has said so. */
  @state() accessor open: boolean | undefined;
  /** The unfolded parts. */
  @state() accessor shows: ReadonlySet<Part> = new Set();

  protected override render(): TemplateResult | typeof nothing {
    const run = this.run;
    if (!run) return nothing;
    const open = this.open ?? this.isNewest;
    return html`<article class="${run.undone ? 'undone' : ''} ${open ? '' : 'folded'}" aria-label=${nameOfRun(run)}>
      <header class="beside wrap tall">
        <button class="beside ellipsis" aria-expanded=${open} aria-label=${nameOfRun(run)} @click=${() => (this.open = !open)}>
          ${chevron()}<strong class="ellipsis">${titleOfRun(run)}</strong>
        </button>
        ${renderTokens(run)} ${run.superseded || !(open || run.undone || run.isManual) ? nothing : this.#renderUndo(run)}
      </header>
      ${open ? this.#renderBody(run) : nothing}
    </article>`;
  }

  #renderBody(run: CompressionState): TemplateResult {
    const { agent, isManual, strategy, model, trigger, undone } = run;
    const by = model === undefined ? strategy : `${strategy}, ${model}`;
    const how = isManual === true ? [] : agent === undefined ? [capital(trigger), by] : [capital(trigger)];
    const unsaid = countUnsaid(run);
    return html`<p class="dotted muted small"><span><time datetime=${run.at} title=${run.at}>${formatTime(run.at)}</time></span>${how.map((part) => html` <span>${part}</span>`)}</p>
      ${run.superseded ? html`<p class="muted small">${t('A later compression or change has taken its place.')}</p>` : undone ? nothing : html`<p>${run.kept}</p>`}
      ${agent === undefined || undone ? nothing : this.#renderRestored(agent, run)}
      <div class="ways wrap">
        ${run.hasSummary ? this.#renderToggle('summary', t('Summary'), run) : nothing}
        ${unsaid === 0 ? nothing : this.#renderToggle('unsaid', t('What it lacks ({0})', unsaid), run)}
        ${this.#renderButton(t('Originals'), t('Open these messages as they were'), { type: 'show-replaced', id: run.id }, run)}
        ${this.#renderButton(t('Changes'), t('Compare what the model was sent before and after'), { type: 'diff', id: run.id }, run)}
        ${this.#renderToggle('details', t('Details'), run)}
      </div>
      ${this.shows.has('summary') ? this.#renderSummary(run) : nothing}
      ${this.shows.has('unsaid') && agent !== undefined ? this.#renderUnsaid(agent, run) : nothing}
      ${this.shows.has('details') ? html`<ul class="receipt">${run.receipt.map((line) => html`<li>${line}</li>`)}</ul>` : nothing}`;
  }

  #renderSummary(run: CompressionState): TemplateResult {
    if (this.text === undefined) return html`<p class="muted small">${t('Loading')}</p>`;
    return html`<karl-note
      class="markdown box"
      tabindex="0"
      role="region"
      aria-label=${nameOf(t('Summary'), run)}
      .text=${this.text}
      .transcriptLength=${run.transcriptLength}
    ></karl-note>`;
  }

  /** What was brought back, and the ways to hand it to the agent. */
  #renderRestored({ name, restored }: AgentsOwnState, run: CompressionState): TemplateResult {
    const copyHint = t('Copy them as one message for the running agent');
    const rescueHint = t('Write a new session that begins with what the window has now');
    const restoredNow = restored === 1 ? t('1 message restored') : t('{0} messages restored', restored);
    return html`<p class="ways wrap small">
      <span>${restored === 0 ? t('Restore what {0} needs, and hand it back:', name) : `${restoredNow}:`}</span>
      ${restored === 0 ? nothing : this.#renderButton(t('Copy as Message'), copyHint, { type: 'copy-restored', id: run.id }, run)}
      ${this.#renderButton(t('Rescue…'), rescueHint, { type: 'rescue' })}
    </p>`;
  }

  /** What the summary does not state, by kind, each with its message. */
  #renderUnsaid({ unsaid, more }: AgentsOwnState, run: CompressionState): TemplateResult {
    const isLocked = this.locked !== undefined || run.undone;
    const hint = t('Sends this in full again, with the rest of its step');
    const restore = (ids: readonly number[], label: string, name: string) => {
      const intent = { type: 'change', act: 'restored', ids: [...new Set(ids)] } as const;
      return linkButton({ label, name, hint }, () => ask(this, intent), 'small push');
    };
    const renderFact = ({ text, at, isSent }: UnsaidState) => html`<li class="wrap">
      <span class="fact" dir="auto" title=${text}>${text}</span>
      <span class="beside push">
        ${linkButton(
          { label: `t${at}`, name: t('{0}: open in the editor', `t${at}`), hint: t('Open in the editor') },
          () => ask(this, { type: 'show-original', from: at, to: at }),
          'small',
        )}
        ${isSent ? html`<span class="muted small">${t('in the window')}</span>` : isLocked ? nothing : restore([at], t('Restore message'), t('Restore message: {0}', text.slice(0, 80)))}
      </span>
    </li>`;
    return html`<div class="unsaid box" role="region" aria-label=${nameOf(t('What it lacks ({0})', countUnsaid(run)), run)}>
      ${unsaid.map(({ label, facts }) => {
        const away = facts.filter(({ isSent }) => !isSent).map(({ at }) => at);
        return html`<div role="group" aria-label=${label}>
          <div class="kind beside">
            <span class="strong small">${label}</span><span class="muted figures small">${facts.length}</span>
            ${isLocked || away.length < 2 ? nothing : restore(away, t('Restore all'), t('Restore all: {0}', label))}
          </div>
          <ul class="bare">${facts.map(renderFact)}</ul>
        </div>`;
      })}
      ${more === 0 ? nothing : html`<p class="muted small">${t('{0} older ones are not listed.', more)}</p>`}
    </div>`;
  }

  #renderButton(label: string, hint: string, intent: FromWebview, run?: CompressionState): TemplateResult {
    return linkButton({ label, name: run && nameOf(label, run), hint }, () => ask(this, intent), 'way');
  }

  #renderToggle(part: Part, label: string, run: CompressionState): TemplateResult {
    return html`<button
      class="link way"
      aria-expanded=${this.shows.has(part)}
      aria-label=${nameOf(label, run)}
      @click=${() => this.#toggle(part, run)}
    >${chevron()}${label}</button>`;
  }

  #renderUndo(run: CompressionState): TemplateResult {
    const reason = this.locked ?? run.locked;
    const symbol = run.undone ? 'redo' : 'undo';
    const { label, way } = wordsOfUndo(run);
    return html`<button
      class="plain undo push"
      ?disabled=${reason !== undefined}
      title=${reason ?? way}
      aria-label=${nameOf(label, run)}
      @click=${() => ask(this, { type: symbol, id: run.id })}
    >${icon(symbol)}${label}</button>`;
  }

  #toggle(part: Part, run: CompressionState): void {
    const shows = new Set(this.shows);
    if (!shows.delete(part)) shows.add(part);
    this.shows = shows;
    // What is being read does not fold when a newer one arrives.
    this.open = true;
    if (shows.has('summary') && this.text === undefined) ask(this, { type: 'expand', key: `s${run.id}` });
  }
}

/** The name of a control, with its compression or change, for screen readers. */
function nameOf(label: string, run: CompressionState): string {
  return t('{0}: {1}', label, nameOfRun(run));
}

/** `13.8k → 7.4k · 95% → 51%`: the whole request before and after. */
function renderTokens({ before, after, limit }: CompressionState): TemplateResult {
  const title = t('{0} → {1} tokens of the whole request', before, after);
  const [from, to] = [before, after].map((tokens) => formatShare(percentOf(tokens, limit ?? 0)));
  return html`<span class="tokens wrap figures" title=${title}>
    ${formatShort(before)} → ${formatShort(after)}
    ${limit === undefined ? nothing : html`<span class="muted less">${from} → ${to}</span>`}
  </span>`;
}
