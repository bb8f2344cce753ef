import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { t } from '../../language/language.ts';
import type { AttachedState, CallAction, CallEntry, MessageEntry, SummaryEntry } from '../../protocol/entries.ts';
import { dressCodeBlocks } from '../code/codeBlocks.ts';
import { chevron, type IconName, icon, linkButton } from '../controls.ts';
import { renderPath } from '../format.ts';
import { ask } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { plainClass, renderMarkdown } from './markdown.ts';
import { codeStyles, markdownStyles } from './markdownStyles.ts';
import { ofSnapshot } from './reconcile.ts';
import { nameOf, nameOfRow, type RowAction, renderEnd, renderFold, renderMore, speakerOf } from './row.ts';
import { callStyles, messageStyles, rowStyles, summaryStyles } from './rowStyles.ts';
import { linkedText, linkHandles, linkPaths } from './textLinks.ts';

/** After drawing a streaming reply, wait this multiple of the time that it took. */
const REST = 3;

/** Something that was said. It is drawn again only if its entry is another object. */
@customElement('karl-message')
export class KarlMessage extends LitElement {
  static override readonly styles = [shared, rowStyles, messageStyles, markdownStyles, codeStyles];
  @property(ofSnapshot) accessor entry: MessageEntry | undefined;
  /** The whole text, once it has arrived. */
  @property({ attribute: false }) accessor expanded: readonly string[] | undefined;
  /** Read-only: nothing can be pinned or compressed. */
  @property({ attribute: false }) accessor locked = false;
  #markdown: { readonly of: string; readonly nodes: Node } | undefined;
  /** When a streaming reply may be drawn again, milliseconds of `performance.now()`. */
  #restsUntil = 0;

  /** Unfolds everything in the row. */
  unfold(): void {
    for (const fold of this.renderRoot.querySelectorAll('details')) fold.open = true;
    const { entry } = this;
    if (entry?.truncated && this.expanded === undefined) ask(this, { type: 'expand', key: entry.key });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('entry') && !changed.has('expanded')) return;
    if (this.entry?.role !== 'assistant') return;
    const text = this.#text();
    // Snapshots of a streaming reply come many times a second: drawing must not fall behind.
    const mustRest = this.entry.streaming && performance.now() < this.#restsUntil;
    if (this.#markdown?.of === text || mustRest) return;
    const start = performance.now();
    const nodes = document.createDocumentFragment();
    nodes.append(renderMarkdown(text, 'reply'));
    linkHandles(nodes, this.entry.to + 1);
    linkPaths(nodes);
    dressCodeBlocks(nodes);
    this.#markdown = { of: text, nodes };
    const end = performance.now();
    this.#restsUntil = end + (end - start) * REST;
  }

  protected override render(): TemplateResult | typeof nothing {
    const entry = this.entry;
    if (!entry) return nothing;
    return html`<article
      class="${entry.role} ${entry.sent === 'whole' ? '' : 'unsent'} ${entry.pinned ? 'pinned' : ''}"
      aria-label=${t('{0}, {1} tokens', speakerOf(entry.role), entry.tokens)}
      aria-busy=${entry.streaming}
    >
      ${this.#renderBody(entry)}
    </article>`;
  }

  #renderBody(entry: MessageEntry): TemplateResult {
    switch (entry.role) {
      case 'system':
        return this.#renderPrompt(entry);
      case 'continued':
        return html`<p class="continued beside muted small">${speakerOf('continued')} ${this.#renderEnd(entry)}</p>`;
      case 'user':
        return html`${this.#renderHeader(entry)}
          <div class="text ${plainClass(this.#text())}">${linkedText(this.#text(), entry.to + 1)}</div>
          ${entry.attached === undefined ? nothing : this.#renderAttached(entry.attached, entry.from)}
          ${this.#renderMore(entry)}`;
      case 'assistant':
        return this.#renderAssistant(entry);
    }
  }

  #renderAttached(attached: readonly AttachedState[], id: number): TemplateResult {
    return html`<ul class="attached bare wrap small" aria-label=${t('Attached to message {0}', String(id))}>
      ${attached.map(
        (one) =>
          html`<li class="chip card">${
            one.kind === 'image' ? html`<span class="ellipsis">${one.label}</span>` : this.#renderFile(one)
          }</li>`,
      )}
    </ul>`;
  }

  #renderFile({ label, path, line }: Extract<AttachedState, { kind: 'file' }>): TemplateResult {
    const open = () => ask(this, { type: 'open-file', path, line });
    return linkButton({ label, hint: t('Open {0}', path) }, open, 'ellipsis', renderPath(label));
  }

  #renderPrompt(entry: MessageEntry): TemplateResult {
    const body = html`<pre tabindex="0">${this.#text()}</pre>
      ${this.#renderMore(entry)}`;
    return html`<div class="line">
      ${renderFold('prompt', speakerOf('system'), entry.text, body)} ${this.#renderEnd(entry)}
    </div>`;
  }

  #renderAssistant(entry: MessageEntry): TemplateResult {
    const { reasoning } = entry;
    const waiting = entry.streaming && entry.text === '';
    const thought = html`<div class="muted ${plainClass(reasoning ?? '')}">${reasoning}</div>`;
    return html`${this.#renderHeader(entry)}
      ${reasoning ? renderFold('reasoning', t('Reasoning'), reasoning, thought) : nothing}
      ${entry.text === '' ? nothing : html`<div class="text markdown ${entry.streaming ? 'streaming' : ''}">${this.#markdown?.nodes}</div>`}
      ${waiting ? html`<p class="muted">${t('Waiting for the first words')}</p>` : nothing} ${this.#renderMore(entry)}
      ${entry.interrupted ? html`<p class="interrupted warning beside">${icon('warning')} ${t('Interrupted: the reply ends here.')}</p>` : nothing}`;
  }

  #renderHeader(entry: MessageEntry): TemplateResult {
    return html`<header class="beside tall">
      <span class="strong ellipsis">${speakerOf(entry.role)}</span>
      ${entry.role === 'user' && entry.unrecorded ? html`<span class="mark late push">${t('waiting')}</span>` : this.#renderEnd(entry)}
    </header>`;
  }

  #renderEnd(entry: MessageEntry): TemplateResult {
    const { from: id, role, last, restorable } = entry;
    const own: readonly RowAction[] = [
      { icon: 'edit', label: t('Edit and send again in a fork'), intent: { type: 'edit', id } },
      { icon: 'retry', label: last ? t('Retry') : t('Retry in a fork'), intent: { type: 'retry', id } },
    ];
    const restore: RowAction = {
      icon: 'undo',
      label: t('Restore the files to before this turn…'),
      intent: { type: 'restore-files', id },
    };
    const change = role !== 'system' && !this.locked;
    const actions = [...(role === 'user' ? own : []), ...(restorable && !this.locked ? [restore] : [])];
    return renderEnd(entry, actions, { pin: change && role !== 'continued', change }, this);
  }

  #renderMore(entry: MessageEntry): TemplateResult | typeof nothing {
    if (!entry.truncated || this.expanded !== undefined) return nothing;
    const label = entry.sent === 'whole' ? t('Show the whole text ({0} tokens)', entry.tokens) : t('Show original');
    return renderMore(entry, label, `${label} (${nameOf(entry.from, entry.to)})`, this);
  }

  #text(): string {
    return this.expanded?.[0] ?? this.entry?.text ?? '';
  }
}

const ICONS: Readonly<Record<CallAction, IconName>> = {
  read: 'read',
  change: 'edit',
  run: 'run',
  search: 'search',
  recall: 'recall',
  other: 'tool',
};

/** A call with its result as one line; arguments and result unfold. */
@customElement('karl-call')
export class KarlCall extends LitElement {
  static override readonly styles = [shared, rowStyles, callStyles];
  @property(ofSnapshot) accessor entry: CallEntry | undefined;
  /** Arguments and result, once they have arrived. */
  @property({ attribute: false }) accessor expanded: readonly string[] | undefined;
  @property({ attribute: false }) accessor locked = false;
  @state() accessor open = false;

  unfold(): void {
    this.open = true;
  }

  /** Requests the texts of an unfolded row, again after a change. */
  protected override updated(changed: PropertyValues<this>): void {
    if (!this.open || this.expanded !== undefined || this.entry === undefined) return;
    if (changed.has('open') || changed.has('entry')) ask(this, { type: 'expand', key: this.entry.key });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { entry } = this;
    if (!entry) return nothing;
    const { action, changed, detail, file, name, outcome, printed, sent, target } = entry;
    const label = nameOfRow(entry);
    const mayChange = !this.locked && outcome !== 'running';
    const open: readonly RowAction[] =
      file === undefined
        ? []
        : [{ icon: 'read', label: t('Open {0}', file.path), intent: { type: 'open-file', ...file } }];
    return html`<article class="${outcome} ${action} ${sent === 'whole' ? '' : 'unsent'}" aria-label=${label}>
      <div class="line">
        <details class="fold" ?open=${this.open} @toggle=${this.#toggled}>
          <summary class="beside tall" aria-label=${label} aria-description="">
            ${chevron()}${icon(ICONS[action])}
            <span class="name ellipsis">${name}</span>
            <span class="target muted ellipsis less" title=${target}>${file === undefined ? target : renderPath(target)}</span>
            <span class="detail beside muted less" title=${detail}>
              ${outcome === 'failed' ? icon('error') : nothing}${
                changed === undefined
                  ? html`<span class="ellipsis">${detail}</span>`
                  : html`<span class="added">+${changed.added}</span> <span class="removed">−${changed.removed}</span>`
              }
            </span>
          </summary>
          ${this.open ? this.#renderTexts(entry.to + 1) : nothing}
        </details>
        ${renderEnd(entry, open, { pin: mayChange, change: mayChange }, this)}
      </div>
      ${printed === undefined ? nothing : html`<pre class="printed muted" aria-label=${t('What the command has printed last')}>${printed.join('\n')}</pre>`}
    </article>`;
  }

  #renderTexts(limit: number): TemplateResult {
    const [given, result = ''] = this.expanded ?? [];
    const text = (title: string, words: string) =>
      words === ''
        ? nothing
        : html`<h2 class="muted small">${title}</h2>
            <pre tabindex="0" aria-label=${title}>${linkedText(words, limit, true)}</pre>`;
    return html`<div class="fold-body">
      ${given === undefined ? html`<p class="muted small">${t('Loading')}</p>` : text(t('Arguments'), given)}
      ${text(t('Result'), result)}
    </div>`;
  }

  #toggled({ currentTarget }: Event): void {
    this.open = currentTarget instanceof HTMLDetailsElement && currentTarget.open;
  }
}

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

/** The row of a summary in place of earlier messages. */
@customElement('karl-summary')
export class KarlSummary extends LitElement {
  static override readonly styles = [shared, rowStyles, summaryStyles, markdownStyles];
  @property(ofSnapshot) accessor entry: SummaryEntry | undefined;
  /** The whole text, once it has arrived. */
  @property({ attribute: false }) accessor expanded: readonly string[] | undefined;

  protected override render(): TemplateResult | typeof nothing {
    const entry = this.entry;
    if (!entry) return nothing;
    const { from, to, text, transcriptLength } = entry;
    const of = `[t${from}${from === to ? '' : `-${to}`}]`;
    const label = t('Show the whole summary ({0} tokens)', entry.tokens);
    const [whole = text] = this.expanded ?? [];
    return html`<article class="sheet" aria-label=${nameOfRow(entry)}>
      <header class="beside tall">
        ${icon('note')}<span class="strong ellipsis">${t('Summary')}</span>
        <span class="muted small">${linkedText(of, transcriptLength)}</span>
        ${renderEnd(entry, [], { pin: false, change: false }, this)}
      </header>
      <karl-note
        class="text markdown"
        tabindex="0"
        role="region"
        aria-label=${t('Summary')}
        .text=${whole}
        .transcriptLength=${transcriptLength}
      ></karl-note>
      ${entry.truncated && this.expanded === undefined ? renderMore(entry, label, label, this) : nothing}
    </article>`;
  }
}
