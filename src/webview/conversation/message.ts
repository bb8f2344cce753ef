import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { t } from '../../core/language.ts';
import type { AttachedState, MessageEntry } from '../../protocol/entries.ts';
import { dressCodeBlocks } from '../code/codeBlocks.ts';
import { icon, linkButton } from '../controls.ts';
import { renderPath } from '../format.ts';
import { ask } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { plainClass, renderMarkdown } from './markdown.ts';
import { codeStyles, markdownStyles } from './markdownStyles.ts';
import { nameOf, type RowAction, renderEnd, renderFold, renderMore, speakerOf } from './row.ts';
import { messageStyles, rowStyles } from './rowStyles.ts';
import { linkedText, linkHandles, linkPaths } from './textLinks.ts';

/** After drawing a streaming reply, wait this multiple of the time that it took. */
const REST = 3;

/** Something that was said. It is drawn again only if its entry is another object. */
@customElement('karl-message')
export class KarlMessage extends LitElement {
  static override readonly styles = [shared, rowStyles, messageStyles, markdownStyles, codeStyles];
  @property({ attribute: false }) accessor entry: MessageEntry | undefined;
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
    linkHandles(nodes, this.entry.id + 1);
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
          <div class="text ${plainClass(this.#text())}">${linkedText(this.#text(), entry.id + 1)}</div>
          ${entry.attached === undefined ? nothing : this.#renderAttached(entry.attached, entry.id)}
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
    return html`<div class="folded tall">
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
      ${entry.interrupted ? html`<p class="interrupted beside">${icon('warning')} ${t('Interrupted: the reply ends here.')}</p>` : nothing}`;
  }

  #renderHeader(entry: MessageEntry): TemplateResult {
    return html`<header class="beside tall">
      <span class="strong ellipsis">${speakerOf(entry.role)}</span>
      ${entry.role === 'user' && entry.unrecorded ? html`<span class="mark late push">${t('waiting')}</span>` : this.#renderEnd(entry)}
    </header>`;
  }

  #renderEnd(entry: MessageEntry): TemplateResult {
    const { id, role, last, restorable } = entry;
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
    return renderMore(entry, label, `${label} (${nameOf(entry.id, entry.id)})`, this);
  }

  #text(): string {
    return this.expanded?.[0] ?? this.entry?.text ?? '';
  }
}
