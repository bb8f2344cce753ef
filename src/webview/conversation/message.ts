import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { FromWebview, MessageState } from '../../protocol/viewState.ts';
import { formatShort, formatTokens } from '../format.ts';
import { type IconName, icon } from '../icons.ts';
import { ask } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { formatCall, previewCall } from './callPreview.ts';
import { type Fold, firstLine, renderFold } from './fold.ts';
import { renderMarkdown } from './markdown.ts';
import { markdownStyles } from './markdownStyles.ts';
import { messageStyles } from './messageStyles.ts';
import { isLongNote, previewNote } from './note.ts';

const SPEAKERS: Readonly<Record<MessageState['role'], string>> = {
  system: 'System prompt',
  user: 'You',
  assistant: 'Assistant',
  tool: 'Tool result',
  note: 'Summary',
};

/** Between two drawings of a reply that streams in lies this multiple of what the first of them took. */
const REST = 3;

/** One entry of the conversation. It is drawn again only when its message is another object. */
export class KarlMessage extends LitElement {
  static override readonly properties = {
    message: { attribute: false },
    expanded: { attribute: false },
    locked: { attribute: false },
  };
  static override readonly styles = [shared, messageStyles, markdownStyles];
  declare message: MessageState | undefined;
  /** The whole text, once it was asked for. */
  declare expanded: string | undefined;
  /** Read-only: nothing can be pinned. */
  declare locked: boolean;
  #markdown: { readonly of: string; readonly nodes: Node } | undefined;
  /** When Markdown that streams in may be drawn again, milliseconds of `performance.now()`. */
  #restsUntil = 0;

  constructor() {
    super();
    this.locked = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('message') && !changed.has('expanded')) return;
    if (this.message?.role !== 'assistant') return;
    const text = this.#text();
    if (this.#markdown?.of === text || this.#mustRest()) return;
    const start = performance.now();
    this.#markdown = { of: text, nodes: renderMarkdown(text, 'reply') };
    const end = performance.now();
    this.#restsUntil = end + (end - start) * REST;
  }

  /** A reply that streams in is drawn many times a second; what takes long to draw must not fall behind the snapshots. */
  #mustRest(): boolean {
    return this.message?.streaming === true && performance.now() < this.#restsUntil;
  }

  protected override render(): TemplateResult | typeof nothing {
    const message = this.message;
    if (!message) return nothing;
    const label = `${SPEAKERS[message.role]}, ${formatTokens(message.tokens)} tokens`;
    return html`<article
      class="${message.role} ${message.state} ${message.pinned ? 'pinned' : ''}"
      aria-label=${label}
      aria-busy=${message.streaming}
    >
      ${this.#renderBody(message)}
    </article>`;
  }

  #renderBody(message: MessageState): TemplateResult {
    switch (message.role) {
      case 'system':
        return this.#renderFolded(message, { icon: 'prompt', title: SPEAKERS.system, ...this.#renderRaw(message) });
      case 'tool': {
        const title = message.toolName === undefined ? SPEAKERS.tool : `${message.toolName} result`;
        return this.#renderFolded(message, { icon: 'tool', title, ...this.#renderRaw(message) });
      }
      case 'note':
        return this.#renderNote(message);
      case 'user':
        return html`${this.#renderHeader(message)}
          <div class="text plain-text">${this.#text()}</div>
          ${this.#renderMore(message)}`;
      case 'assistant':
        return this.#renderAssistant(message);
    }
  }

  #renderNote(message: MessageState): TemplateResult {
    const body = html`<karl-note
      class="text markdown"
      .text=${this.#text()}
      .transcriptLength=${message.transcriptLength ?? 0}
    ></karl-note>`;
    if (!isLongNote(message.text)) return html`${this.#renderHeader(message)} ${body} ${this.#renderMore(message)}`;
    return this.#renderFolded(message, {
      icon: 'note',
      title: SPEAKERS.note,
      preview: previewNote(message.text),
      body,
    });
  }

  #renderRaw(message: MessageState): Pick<Fold, 'preview' | 'body'> {
    return { preview: firstLine(message.text), body: html`<pre>${this.#text()}</pre>` };
  }

  #renderAssistant(message: MessageState): TemplateResult {
    const calls = message.calls ?? [];
    const waiting = message.streaming && message.text === '' && calls.length === 0;
    return html`${this.#renderHeader(message)}
      ${
        message.reasoning
          ? renderFold({
              icon: 'reasoning',
              title: 'Reasoning',
              preview: firstLine(message.reasoning),
              body: html`<div class="plain-text muted">${message.reasoning}</div>`,
            })
          : nothing
      }
      ${message.text === '' ? nothing : html`<div class="text markdown ${message.streaming ? 'streaming' : ''}">${this.#markdown?.nodes}</div>`}
      ${waiting ? html`<p class="muted waiting">Waiting for the first words</p>` : nothing} ${this.#renderMore(message)}
      ${calls.map((call) =>
        renderFold({
          icon: 'tool',
          title: call.name,
          preview: previewCall(call.arguments),
          body: html`<pre>${formatCall(call.arguments)}</pre>`,
        }),
      )}
      ${
        message.interrupted
          ? html`<p class="interrupted">${icon('warning')} Interrupted: the reply ends here.</p>`
          : nothing
      }`;
  }

  #renderHeader(message: MessageState): TemplateResult {
    return html`<header>
      ${message.role === 'note' ? icon('note') : nothing}
      <span class="speaker ellipsis">${SPEAKERS[message.role]}</span>
      ${this.#renderMarks(message)}
      <span class="end">
        <span class="size muted small figures" title="${formatTokens(message.tokens)} tokens"
          >${formatShort(message.tokens)}</span
        >
        ${this.#renderActions(message)}
      </span>
    </header>`;
  }

  #renderFolded(message: MessageState, fold: Fold): TemplateResult {
    return html`<div class="folded">
      ${renderFold({ ...fold, body: html`${fold.body} ${this.#renderMore(message)}` })}
      <span class="end">
        ${this.#renderMarks(message)}
        <span class="size muted small figures" title="${formatTokens(message.tokens)} tokens"
          >${formatShort(message.tokens)}</span
        >
        ${this.#renderActions(message)}
      </span>
    </div>`;
  }

  #renderMarks(message: MessageState): TemplateResult {
    return html`${
      message.state === 'shortened'
        ? html`<span class="mark" title="Karl shortened this message; the rest stands behind a handle">shortened</span>`
        : nothing
    }${
      message.pinned
        ? html`<span class="mark pin" title="Pinned: no compression changes this message">${icon('pinned')}pinned</span>`
        : nothing
    }`;
  }

  #renderActions(message: MessageState): TemplateResult {
    const canPin = message.role !== 'system' && message.role !== 'note' && !message.streaming && !this.locked;
    return html`<span class="actions">
      ${
        canPin
          ? message.pinned
            ? this.#renderAction('pinned', 'Unpin', { type: 'unpin', id: message.id })
            : this.#renderAction('pin', 'Pin: keep through every compression', { type: 'pin', id: message.id })
          : nothing
      }
      ${this.#renderAction('copy', 'Copy', { type: 'copy', role: message.role, id: message.id })}
    </span>`;
  }

  #renderAction(symbol: IconName, label: string, intent: FromWebview): TemplateResult {
    return html`<button class="plain" title=${label} aria-label=${label} @click=${() => ask(this, intent)}>
      ${icon(symbol)}
    </button>`;
  }

  #renderMore(message: MessageState): TemplateResult | typeof nothing {
    if (!message.truncated || this.expanded !== undefined) return nothing;
    return html`<button class="link more" @click=${() => ask(this, { type: 'expand', role: message.role, id: message.id })}>
      Show the whole text (${formatTokens(message.tokens)} tokens)
    </button>`;
  }

  #text(): string {
    return this.expanded ?? this.message?.text ?? '';
  }
}

customElements.define('karl-message', KarlMessage);

declare global {
  interface HTMLElementTagNameMap {
    'karl-message': KarlMessage;
  }
}
