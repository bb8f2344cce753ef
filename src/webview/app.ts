import { html, LitElement, noChange, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { t } from '../language/language.ts';
import type { ToWebview, ViewState } from '../protocol/viewState.ts';
import { announce } from './announcement.ts';
import { appStyles } from './appStyles.ts';
import type { KarlComposer } from './composer/composer.ts';
import { keepExpanded } from './conversation/reconcile.ts';
import { takeDrops } from './drops.ts';
import { emptyStyles, renderEmpty } from './emptyState.ts';
import { Finder, onFindKey, RowReader } from './finder.ts';
import { focused, refocus, whenFocusIsLost } from './focus.ts';
import { renderTitle, titleStyles } from './head.ts';
import { ask, type IntentEvent } from './intent.ts';
import * as pages from './pageState.ts';
import { leavePreview } from './preview/preview.ts';
import { shared } from './styles/shared.ts';
import { renderTodos, todoStyles } from './work.ts';
import './composer/composer.ts';
import './contents/contents.ts';
import './conversation/conversation.ts';
import './gauge/gauge.ts';
import './notices.ts';
import './preview/preview.ts';

type Received = Exclude<ToWebview, { readonly type: 'state' | 'restore' }>;

/** The whole view: draws the newest snapshot. Keeps only folds, drafts, searches and expanded texts itself. */
@customElement('karl-app')
export class KarlApp extends LitElement {
  static override readonly styles = [shared, appStyles, titleStyles, emptyStyles, todoStyles];
  @state() accessor state: ViewState | undefined;
  /** Whole texts of rows that are cut, by key. */
  @state() accessor expanded: ReadonlyMap<string, readonly string[]> = new Map();
  /** The last announcement for screen readers. */
  @state() accessor announced = '';
  @property({ attribute: false }) accessor page: pages.PageState = pages.readPageState(undefined);
  readonly #reader = new RowReader(this);
  readonly #finder = new Finder(this, this.#reader);
  /** What to focus as soon as it is shown. */
  #wish: 'find' | 'contents' | undefined;
  /** The element that opened what fills the window. */
  #opener: Element | null = null;

  constructor() {
    super();
    onFindKey(() => this.#openFind());
    takeDrops(this, (files) => this.#composer?.takeImages(files) === true);
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.isComposing && this.#isRunning()) ask(this, { type: 'cancel' });
    });
    this.addEventListener('karl-intent', (event) => this.#sent(event));
    this.addEventListener('karl-reveal', ({ place }) => this.#reader.reveal(place));
    this.addEventListener('karl-summary-draft', ({ detail }) =>
      this.#keep(pages.writeSummary(this.page, this.state?.conversation?.id, detail)),
    );
  }

  /** Scrolls to the end when a message is sent, since its answer will be there. Any intent ends an earlier wish. */
  #sent(event: IntentEvent): void {
    this.#wish = event.intent.type === 'show' && event.intent.shows === 'contents' ? 'contents' : undefined;
    if (this.#wish === 'contents') this.#opener = focused();
    if (event.intent.type === 'send' && !this.#isRunning()) this.#reader.conversation?.goToEnd();
    if (event.intent.type === 'preview-unedit') this.#forgetSummaries();
  }

  /** The texts in place of summaries were recorded or discarded. */
  #forgetSummaries(conversation = this.state?.conversation?.id): void {
    this.#keep(pages.write(this.page, conversation, { summaries: [] }));
  }

  /** Draws a snapshot, unless it is older than what is shown. */
  showState(next: ViewState): void {
    const shown = this.state;
    if (shown && next.revision <= shown.revision) return;
    const sameConversation = shown?.conversation?.id === next.conversation?.id;
    const sameSide = sameConversation && shown?.shows === next.shows;
    if (this.expanded.size > 0)
      this.expanded = keepExpanded(this.expanded, sameSide ? shown.entries : [], next.entries);
    if (!sameSide) this.#reader.leaves(next.shows, !sameConversation);
    if (!sameConversation || next.preview !== undefined) this.#finder.close();
    this.announced = announce(shown, next) || (sameConversation ? this.announced : '');
    this.state = next;
    const isPreviewLeft = shown?.preview !== undefined && next.preview === undefined;
    if (isPreviewLeft) this.#forgetSummaries(shown?.conversation?.id);
    if (this.#wish === 'find') this.#openFind();
    const isContentsLeft = sameConversation && shown?.contents !== undefined && next.contents === undefined;
    void whenFocusIsLost(() => void ((isContentsLeft && refocus(this.#opener)) || this.focusComposer()), isPreviewLeft);
    void this.updateComplete.then(async () => {
      await this.#reader.conversation?.updateComplete;
      if (!sameSide) this.#reader.conversation?.followEnd();
      if (!sameConversation) this.dispatchEvent(new Event('karl-opened'));
      if (this.#wish === 'contents') this.#focusContents();
      await this.#reader.goToWanted();
    });
  }

  /** Handles messages of the host, except for snapshots and restored pages. */
  receive(message: Received): void {
    const handle = this.#handlers[message.type] as (message: Received) => void;
    handle(message);
  }

  readonly #handlers: { readonly [Type in Received['type']]: (message: Extract<Received, { type: Type }>) => void } = {
    expanded: ({ key, texts }) => {
      this.expanded = new Map(this.expanded).set(key, texts);
    },
    edit: ({ id, text }) => this.#edit(id, text),
    edited: () => this.#keep(pages.endEditing(this.page, this.state?.conversation?.id)),
    found: ({ text, rows }) => this.#finder.found(text, rows),
    completions: ({ text, paths }) => this.#composer?.mentions.show(text, paths),
    find: () => this.#openFind(),
    contents: () => this.#focusContents(),
    focus: () => this.focusComposer(),
    unsent: ({ text, of = this.state?.conversation?.id }) => this.#keep(pages.takeBack(this.page, of, text)),
  };

  /** Opens or focuses the find box, as soon as there is a conversation, and not beside a preview. */
  #openFind(): void {
    this.#wish = this.state?.conversation === undefined ? 'find' : undefined;
    if (this.#wish === undefined && this.state?.preview === undefined) this.#finder.open();
  }

  /** Focuses what fills the window, as soon as it is shown. */
  #focusContents(): void {
    if (this.#wish !== 'contents') this.#opener = null;
    this.#wish = this.state?.contents === undefined ? 'contents' : undefined;
    if (this.#wish === undefined) this.renderRoot.querySelector<HTMLElement>('karl-contents')?.focus();
  }

  /** Puts a user message into the composer to be edited. */
  #edit(id: number, text: string): void {
    const conversation = this.state?.conversation?.id;
    if (conversation === undefined || this.#texts.editing?.id === id) return;
    this.#keep(pages.beginEditing(this.page, conversation, id, text));
    this.#composer?.focus();
  }

  /** Focuses the message box, or the preview. */
  focusComposer(): void {
    this.renderRoot.querySelector<HTMLElement>('karl-preview, karl-composer')?.focus();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { state } = this;
    if (!state) return nothing;
    if (!state.conversation) {
      return html`<div class="app">
        <karl-notices class="first" .notices=${state.notices}></karl-notices>
        ${renderEmpty(this)}
        <karl-activity .activity=${state.activity}></karl-activity>
      </div>`;
    }
    const { conversation } = state;
    const isAsked = state.question !== undefined || state.notices.length > 0 || this.#finder.isOpen;
    const isBusy = isAsked || state.queued.length + state.attachments.length > 0 || this.#texts.editing !== undefined;
    return html`<div class="app ${isAsked ? 'asked' : ''} ${isBusy ? 'busy' : ''}">
      <div class="top">
        ${renderTitle(state, conversation, this)}
        <karl-gauge .gauge=${state.gauge}></karl-gauge>
        ${
          state.preview === undefined
            ? html`<karl-switch .conversation=${conversation.id} 
                .shows=${state.contents === undefined ? state.shows : 'contents'} .compressions=${state.compressions}></karl-switch>`
            : nothing
        }
      </div>
      ${this.#finder.render()}
      ${this.#renderMain(state)} ${this.#renderContents(state)}
      <div class="unseen" role="status">${this.announced}</div>
      <karl-activity .activity=${state.activity}></karl-activity>
      ${state.todos === undefined ? nothing : renderTodos(state.todos)}
      <karl-question .question=${state.question}></karl-question>
      <karl-notices .notices=${state.notices}></karl-notices>
      <karl-composer
        .draft=${this.#texts.draft}
        .state=${state}
        .editing=${this.#texts.editing?.id}
        @karl-sending=${() => leavePreview(state, this.#texts.summaries, this)}
        @karl-stop-editing=${this.#handlers.edited}
        @karl-draft=${(event: CustomEvent<{ draft: string }>) => this.#keep(pages.write(this.page, conversation.id, { draft: event.detail.draft }))}
      ></karl-composer>
    </div>`;
  }

  /** The rows stay in the page, hidden behind what fills the window. */
  #renderMain(state: ViewState): TemplateResult {
    if (state.preview !== undefined)
      return html`<karl-preview
        .preview=${state.preview}
        .drafts=${this.#texts.summaries}
      ></karl-preview>`;
    const hidden = state.contents !== undefined;
    if (state.entries.length === 0)
      return html`<p class="hint muted" ?hidden=${hidden}>
        ${this.#isRunning() || state.conversation?.readOnly ? nothing : [t('No messages yet. Ask Karl something to begin.'), state.missingTools].join(' ')}
      </p>`;
    return html`<karl-conversation
      ?hidden=${hidden}
      .entries=${state.entries}
      .expanded=${this.expanded}
      .earlier=${state.earlier}
      .later=${state.later}
      .locked=${state.conversation?.readOnly}
      .unfinished=${state.unfinished}
      @karl-at-end=${() => this.#reader.isAtEnd()}
      @karl-read-from=${({ detail }: HTMLElementEventMap['karl-read-from']) =>
        this.#reader.load(detail.id, 'read-from', detail.isHeld)}
    ></karl-conversation>`;
  }

  /** Stays in the page while it is hidden, to keep unfolded rows and the scroll position. */
  #renderContents({ shows, contents, gauge, conversation, missingTools, preview }: ViewState): TemplateResult {
    return html`<karl-contents
      ?hidden=${contents === undefined || preview !== undefined}
      .missingTools=${missingTools}
      .back=${shows}
      .contents=${contents ?? noChange}
      .gauge=${contents === undefined ? noChange : gauge}
      .locked=${conversation?.readOnly !== undefined}
    ></karl-contents>`;
  }

  get #composer(): KarlComposer | null {
    return this.renderRoot.querySelector('karl-composer');
  }

  #isRunning(): boolean {
    return this.state !== undefined && this.state.activity.kind !== 'idle';
  }

  /** What is written in the open conversation. */
  get #texts(): ReturnType<typeof pages.textsOf> {
    return pages.textsOf(this.page, this.state?.conversation?.id);
  }

  #keep(page: pages.PageState): void {
    this.page = page;
    this.dispatchEvent(new Event('karl-page-state'));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'karl-app': KarlApp;
  }
}
