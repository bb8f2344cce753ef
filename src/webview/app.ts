import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { EntryName, MessageState, ViewState } from '../protocol/viewState.ts';
import { announce } from './announcement.ts';
import { appStyles } from './appStyles.ts';
import { keyOf, reuseUnchanged } from './conversation/reconcile.ts';
import { icon } from './icons.ts';
import { ask, type IntentEvent } from './intent.ts';
import { shared } from './styles/shared.ts';
import type { PageState } from './vscodeApi.ts';
import './activity.ts';
import './composer/composer.ts';
import './conversation/conversation.ts';
import './emptyState.ts';
import './gauge/gauge.ts';
import './notices.ts';
import './summaries/summaries.ts';

/** The whole view: the newest snapshot, drawn. What it adds of its own is folds, the draft and asked-for whole texts. */
export class KarlApp extends LitElement {
  static override readonly properties = {
    state: { state: true },
    expanded: { state: true },
    announced: { state: true },
    page: { attribute: false },
  };
  static override readonly styles = [shared, appStyles];
  declare state: ViewState | undefined;
  /** Whole texts of truncated messages, by key. */
  declare expanded: ReadonlyMap<string, string>;
  /** What a screen reader was told last. */
  declare announced: string;
  declare page: PageState;

  constructor() {
    super();
    this.expanded = new Map();
    this.announced = '';
    this.page = { draft: '', summariesOpen: false, detailsOpen: false };
    this.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.isComposing || !this.#isRunning()) return;
      ask(this, { type: 'cancel' });
    });
    this.addEventListener('karl-intent', (event) => this.#sent(event));
  }

  /** Whoever sends a message wants to see its answer. */
  #sent(event: IntentEvent): void {
    if (event.intent.type === 'send' && !this.#isRunning()) this.#conversation()?.followEnd();
  }

  /** Draws a snapshot; one that is not newer than what is shown is ignored. */
  showState(next: ViewState): void {
    const shown = this.state;
    if (shown && next.revision <= shown.revision) return;
    const sameConversation = shown?.conversation?.id === next.conversation?.id;
    const messages = sameConversation && shown ? reuseUnchanged(shown.messages, next.messages) : next.messages;
    if (this.expanded.size > 0) this.expanded = keepExpanded(this.expanded, new Set(shown?.messages), messages);
    this.announced = announce(shown, next) || (sameConversation ? this.announced : '');
    this.state = { ...next, messages };
    if (!sameConversation) void this.updateComplete.then(() => this.#opened());
  }

  /** The whole text of a truncated message, as asked for. */
  showExpanded(entry: EntryName, text: string): void {
    const message = this.state?.messages.find((each) => keyOf(each) === keyOf(entry) && each.truncated);
    if (message) this.expanded = new Map(this.expanded).set(keyOf(message), text);
  }

  /** Puts the caret where the user writes. */
  focusComposer(): void {
    this.renderRoot.querySelector('karl-composer')?.focus();
  }

  /** Puts a message that was not sent before what was written since. */
  takeBack(text: string): void {
    const { draft } = this.page;
    this.#keep({ draft: draft === '' ? text : `${text}\n${draft}` });
  }

  protected override render(): TemplateResult | typeof nothing {
    const state = this.state;
    if (!state) return nothing;
    if (!state.conversation) {
      return html`<div class="app">
        <karl-notices class="first" .notices=${state.notices}></karl-notices>
        <karl-empty-state></karl-empty-state>
        <karl-activity .activity=${state.activity}></karl-activity>
      </div>`;
    }
    const { conversation } = state;
    return html`<div class="app">
      <div class="top">
        ${this.#renderTitle(state, conversation.title)}
        <karl-gauge
          .gauge=${state.gauge}
          .open=${this.page.detailsOpen}
          @karl-details=${(event: CustomEvent<{ open: boolean }>) => this.#keep({ detailsOpen: event.detail.open })}
        ></karl-gauge>
        <karl-summaries
          .summaries=${state.summaries}
          .open=${this.page.summariesOpen}
          .locked=${conversation.readOnly}
          @karl-summaries=${(event: CustomEvent<{ open: boolean }>) => this.#keep({ summariesOpen: event.detail.open })}
        ></karl-summaries>
      </div>
      ${
        state.messages.length === 0
          ? html`<p class="hint muted">Nothing said yet. Ask for something below, and watch the budget fill.</p>`
          : html`<karl-conversation
              .messages=${state.messages}
              .expanded=${this.expanded}
              .earlier=${state.earlier}
              .locked=${conversation.readOnly !== undefined}
            ></karl-conversation>`
      }
      <div class="unseen" role="status">${this.announced}</div>
      <div class="bottom">
        <karl-activity .activity=${state.activity}></karl-activity>
        <karl-notices .notices=${state.notices}></karl-notices>
        <karl-composer
          .draft=${this.page.draft}
          .queued=${state.queued}
          .running=${this.#isRunning()}
          .locked=${conversation.readOnly}
          .model=${conversation.model}
          .modelHint=${conversation.modelHint}
          .server=${conversation.server}
          @karl-draft=${(event: CustomEvent<{ draft: string }>) => this.#keep({ draft: event.detail.draft })}
        ></karl-composer>
      </div>
    </div>`;
  }

  #renderTitle(state: ViewState, title: string): TemplateResult {
    const compressing = state.activity.kind === 'compacting';
    const locked = state.conversation?.readOnly !== undefined;
    const pressing = state.gauge?.level === 'due' || state.gauge?.level === 'over';
    return html`<div class="title">
      <h1 class="ellipsis" title=${title}>${title}</h1>
      <button class="plain" title="Open today's log" aria-label="Open today's log" @click=${() => ask(this, { type: 'open-log' })}>
        ${icon('log')}
      </button>
      <button
        class="plain"
        title="Compress with another strategy…"
        aria-label="Compress with another strategy"
        ?disabled=${compressing || locked}
        @click=${() => ask(this, { type: 'compress-with' })}
      >
        ${icon('gear')}
      </button>
      <vscode-button
        ?secondary=${!pressing}
        ?disabled=${compressing || locked}
        title=${locked ? 'Another window holds this conversation' : 'Compress the conversation now'}
        @click=${() => ask(this, { type: 'compress' })}
        >Compress</vscode-button
      >
    </div>`;
  }

  #opened(): void {
    this.#conversation()?.followEnd();
    this.dispatchEvent(new Event('karl-opened'));
  }

  #isRunning(): boolean {
    return this.state !== undefined && this.state.activity.kind !== 'idle';
  }

  #conversation(): HTMLElementTagNameMap['karl-conversation'] | null {
    return this.renderRoot.querySelector('karl-conversation');
  }

  #keep(change: Partial<PageState>): void {
    this.page = { ...this.page, ...change };
    this.dispatchEvent(new Event('karl-page-state'));
  }
}

/** A whole text stays as long as its message does; of a changed message it is no longer the whole text. */
function keepExpanded(
  expanded: ReadonlyMap<string, string>,
  shown: ReadonlySet<MessageState>,
  messages: readonly MessageState[],
): ReadonlyMap<string, string> {
  const kept = new Set(messages.filter((message) => shown.has(message)).map(keyOf));
  return new Map([...expanded].filter(([key]) => kept.has(key)));
}

customElements.define('karl-app', KarlApp);

declare global {
  interface HTMLElementTagNameMap {
    'karl-app': KarlApp;
  }
}
