import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { formatShare, t } from '../../core/language.ts';
import type { AgentsOwnState, CompressionState, CompressionsEntry, UnsaidState } from '../../protocol/entries.ts';
import type { FromWebview } from '../../protocol/fromWebview.ts';
import { chevron, icon, linkButton } from '../controls.ts';
import { byKey, formatShort, formatTime, percentOf } from '../format.ts';
import { ask, isUnfolded } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { compressionsStyles } from './conversationStyles.ts';
import { markdownStyles } from './markdownStyles.ts';

/** The title of a compression or a change by hand. */
export function titleOfRun({ undone, isManual, trigger, agent }: CompressionState): string {
  if (agent !== undefined)
    return undone ? t('Compressed by {0}, undone', agent.name) : t('Compressed by {0}', agent.name);
  if (isManual !== true) return undone ? t('Compression undone') : t('Compressed');
  const act = capital(trigger);
  return undone ? t('{0}, undone', act) : act;
}

/** Words with a capital first letter. */
export function capital(words: string): string {
  return words.replace(/^./, (first) => first.toUpperCase());
}

/** The title with the time, which is unique in the conversation. */
export function nameOfRun(run: CompressionState): string {
  return `${titleOfRun(run)}, ${formatTime(run.at)}`;
}

/** The name of a row of compressions: what was done, with the time of the newest. */
export function nameOfRuns(runs: readonly CompressionState[]): string {
  const newest = runs.at(-1);
  return newest === undefined ? '' : `${titleOfRuns(runs)}, ${formatTime(newest.at)}`;
}

/** The title of several compressions; changes by hand are counted separately. */
export function titleOfRuns(runs: readonly CompressionState[]): string {
  const byHand = runs.filter(({ isManual }) => isManual === true);
  const others = runs.filter(({ isManual }) => isManual !== true);
  return [others, byHand].flatMap(countRuns).join(' · ');
}

/**
 * The figures before the first and after the last run in effect. Undefined if an earlier run was undone, because each run
 * counted the request with all earlier ones in effect. Superseded runs were undone before that.
 */
export function togetherOf(all: readonly CompressionState[]): CompressionState | undefined {
  const runs = all.filter(({ superseded }) => !superseded);
  const [first] = runs;
  const last = runs.findLast(({ undone }) => !undone);
  if (first === undefined || last === undefined) return undefined;
  return runs.slice(0, runs.indexOf(last)).some(({ undone }) => undone) ? undefined : { ...last, before: first.before };
}

function countRuns(runs: readonly CompressionState[]): readonly string[] {
  const { length } = runs;
  const [first] = runs;
  if (first === undefined || length === 1) return runs.map(titleOfRun);
  const inEffect = runs.filter(({ undone }) => !undone).length;
  if (first.isManual === true)
    return inEffect === length
      ? [t('Changed by you {0} times', length)]
      : [t('Changed by you {1} times, {0} in effect', inEffect, length)];
  return inEffect === length
    ? [t('Compressed {0} times', length)]
    : [t('Compressed {1} times, {0} in effect', inEffect, length)];
}

/** How much of what another agent discarded its summary does not state. */
export function countUnsaid({ agent }: CompressionState): number {
  return agent === undefined ? 0 : agent.unsaid.reduce((sum, { facts }) => sum + facts.length, agent.more);
}

/** The undo or redo button: its label, and its tooltip, which names what is undone or redone with it. */
export function wordsOfUndo({ isManual, takesAlong, undone }: CompressionState): { label: string; way: string } {
  if (isManual === true)
    return undone
      ? { label: t('Redo'), way: t('Make this change again') }
      : { label: t('Undo'), way: t('Take back this change alone') };
  const way = undone ? t('Compress again as it was') : t('Put back everything that only this compression removed');
  const { length } = takesAlong;
  if (length === 0) return { label: undone ? t('Redo') : t('Undo'), way };
  const times = takesAlong.map(formatTime).join(', ');
  return undone
    ? {
        label: t('Redo and {0} later', length),
        way: `${way}\n${t('Redoes also what was undone with this one: {0}', times)}`,
      }
    : {
        label: t('Undo and {0} later', length),
        way: `${way}\n${t('Undoes also what builds on this one: {0}', times)}`,
      };
}

/** The parts of a compression that unfold. */
type Part = 'summary' | 'unsaid' | 'details';

/** One compression: time, figures, strategy, what was kept, undo or redo, and the replaced messages. */
@customElement('karl-compression')
export class KarlCompression extends LitElement {
  static override readonly styles = [shared, compressionsStyles, markdownStyles];
  @property({ attribute: false }) accessor run: CompressionState | undefined;
  /** The text of its summary, once it has arrived. */
  @property({ attribute: false }) accessor text: string | undefined;
  /** Why nothing can be undone at all. */
  @property({ attribute: false }) accessor locked: string | undefined;
  /** The unfolded parts. */
  @state() accessor shows: ReadonlySet<Part> = new Set();

  protected override render(): TemplateResult | typeof nothing {
    const run = this.run;
    if (!run) return nothing;
    const { agent, isManual, strategy, model, trigger, undone } = run;
    const by = model === undefined ? strategy : `${strategy}, ${model}`;
    const how = isManual === true ? [] : agent === undefined ? [capital(trigger), by] : [capital(trigger)];
    const unsaid = countUnsaid(run);
    return html`<article class=${undone ? 'undone' : ''} aria-label=${nameOfRun(run)}>
      <header class="beside wrap tall">
        ${icon('compressed')}<strong>${titleOfRun(run)}</strong>
        ${renderTokens(run)} ${run.superseded ? nothing : this.#renderUndo(run)}
      </header>
      <p class="dotted muted small"><span><time datetime=${run.at} title=${run.at}>${formatTime(run.at)}</time></span>${how.map((part) => html` <span>${part}</span>`)}</p>
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
      ${this.shows.has('details') ? html`<ul class="receipt">${run.receipt.map((line) => html`<li>${line}</li>`)}</ul>` : nothing}
    </article>`;
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
    const copyHint = t('Copy them as one message, for the agent that runs');
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
    if (shows.has('summary') && this.text === undefined) ask(this, { type: 'expand', key: `s${run.id}` });
  }
}

/** The name of a control, with its compression or change, for screen readers. */
function nameOf(label: string, run: CompressionState): string {
  return t('{0}: {1}', label, nameOfRun(run));
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
    const kept = together && runs.findLast(({ undone, isManual }) => !undone && isManual !== true)?.kept;
    return html`<section aria-label=${nameOfRuns(runs)}>
      <details ?open=${this.open} @toggle=${this.#toggled}>
        <summary class="beside tall">
          ${chevron()}
          <span class="turn beside wrap tall">
            <strong>${titleOfRuns(runs)}</strong>
            ${together === undefined ? nothing : renderTokens(together)}
          </span>
        </summary>
        ${this.open ? byKey('id', runs, (run) => this.#renderRun(run)) : nothing}
      </details>
      ${this.open || kept === undefined ? nothing : html`<p>${kept}</p>`}
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
    ${limit === undefined ? nothing : html`<span class="muted less">${from} → ${to}</span>`}
  </span>`;
}
