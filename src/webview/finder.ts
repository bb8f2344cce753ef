import { html, LitElement, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { t } from '../language/language.ts';
import type { FoundRow, Side, ViewState } from '../protocol/viewState.ts';
import { iconButton } from './controls.ts';
import type { KarlConversation } from './conversation/conversation.ts';
import { ask, type Place, writtenIn } from './intent.ts';

/** The page of the view, as far as readers need it. */
export type ReaderPage = LitElement & { readonly state: ViewState | undefined; focusComposer(): void };

/** Tracks where the user is reading, and requests rows that are not at the end. */
export class RowReader {
  readonly #page: ReaderPage;
  /** The side whose rows were requested elsewhere than at the end, until the reader is back there. */
  #farBack: Side | undefined;
  /** The place to go to, until a snapshot has it. */
  #wanted: Place | undefined;

  constructor(page: ReaderPage) {
    this.#page = page;
  }

  /** The element that draws the rows. */
  get conversation(): KarlConversation | null {
    return this.#page.renderRoot.querySelector('karl-conversation');
  }

  /** Another side, or another conversation, is shown. */
  leaves(to: Side, isOtherConversation: boolean): void {
    if (isOtherConversation) this.#wanted = undefined;
    if (isOtherConversation || this.#farBack !== to) this.#farBack = undefined;
  }

  /** Whether the full history is in sight. */
  get isHistory(): boolean {
    return this.#page.state?.shows === 'history' && this.#page.state.contents === undefined;
  }

  /** Goes to a place of the full history, as soon as its rows are here. */
  reveal(place: Place): void {
    this.#wanted = place;
    this.load('compressions' in place ? Math.max(0, place.compressions - 1) : place.from);
    void this.goToWanted();
  }

  /** Goes to the wanted place, if the full history is shown and has it. */
  async goToWanted(): Promise<void> {
    if (this.#wanted === undefined || !this.isHistory) return;
    if (await this.conversation?.reveal(this.#wanted)) this.#wanted = undefined;
  }

  /** Requests rows. `isHeld`: the current rows are to stay, which needs only one request. */
  load(id: number, type: 'reveal' | 'read-from' = 'reveal', isHeld = false): void {
    if (isHeld && this.#farBack !== undefined) return;
    this.#farBack = type === 'reveal' ? 'history' : this.#page.state?.shows;
    ask(this.#page, { type, id });
  }

  /** The reader is at the end: requests only the newest rows from now on. */
  isAtEnd(): void {
    if ((this.#farBack === undefined && this.#page.state?.later === 0) || this.#wanted !== undefined) return;
    this.#farBack = undefined;
    ask(this.#page, { type: 'at-end' });
  }
}

/**
 * Finds a text in the whole conversation: the host says which rows contain it; this class scrolls to them, unfolds and
 * marks them. Begins with the newest match, since readers are mostly at the end; Enter goes to the previous one, as in VS
 * Code's terminal.
 */
export class Finder implements ReactiveController {
  readonly #page: ReaderPage;
  readonly #reader: RowReader;
  /** The box is shown. */
  isOpen = false;
  #text = '';
  #rows: readonly FoundRow[] | undefined;
  #at = 0;
  /** The current match within the row; -1 stands for the last one. */
  #match = -1;
  /** How many matches the row has. */
  #count = 0;
  /** What is still to be scrolled to. */
  #goal: 'row' | 'match' | undefined;

  constructor(page: ReaderPage, reader: RowReader) {
    this.#page = page;
    this.#reader = reader;
    page.addController(this);
  }

  /** Opens or focuses the box. */
  open(): void {
    this.isOpen = true;
    this.#page.requestUpdate();
    void this.#page.updateComplete.then(() =>
      this.#page.renderRoot.querySelector<HTMLInputElement>('.find input')?.select(),
    );
  }

  render(): TemplateResult | typeof nothing {
    if (!this.isOpen) return nothing;
    const earlier = { label: t('Previous match'), hint: t('Previous (Enter)') };
    const later = { label: t('Next match'), hint: t('Next (Shift+Enter)') };
    const close = { label: t('Close find'), hint: t('Close (Escape)') };
    return html`<div class="find beside" role="search" @keydown=${(event: KeyboardEvent) => this.#pressed(event)}>
      <input
        class="field grow"
        type="text"
        aria-label=${t('Find in the conversation')}
        placeholder=${t('Find')}
        maxlength="200"
        .value=${live(this.#text)}
        @input=${(event: Event) => this.#search(writtenIn(event))}
      />
      <span class="status small muted figures firm" role="status">${this.#status}</span>
      ${iconButton('arrowDown', earlier, () => this.#step(-1), 'up')} ${iconButton('arrowDown', later, () => this.#step(1))}
      ${iconButton('close', close, () => this.#leave())}
    </div>`;
  }

  #pressed(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === 'Escape') this.#leave();
    else if ((event.key === 'Enter' && event.target instanceof HTMLInputElement) || event.key === 'F3')
      this.#step(event.shiftKey ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Closes the box and leaves the focus on the row that was found. */
  #leave(): void {
    const row = this.#row;
    this.close();
    if (row === undefined || this.#conversation?.focusRow(row.key) !== true) this.#page.focusComposer();
    this.#page.requestUpdate();
  }

  /** Rows are drawn later than the page. */
  hostUpdated(): void {
    if (!this.isOpen) return;
    void this.#conversation?.updateComplete.then(async () => {
      const component = this.#component();
      if (component instanceof LitElement) await component.updateComplete;
      this.#refresh();
    });
  }

  /** `3 of 12`, in words for the box. */
  get #status(): string {
    const count = this.#rows?.length;
    if (this.#text === '' || count === undefined) return '';
    return count === 0 ? t('No results') : t('{0} of {1}', this.#at + 1, count);
  }

  /** The current row. */
  get #row(): FoundRow | undefined {
    return this.#rows?.[this.#at];
  }

  #search(text: string): void {
    this.#text = text;
    if (text === '') this.found('', []);
    else ask(this.#page, { type: 'find', text });
    this.#page.requestUpdate();
  }

  /** Takes the host's answer, unless the text has changed since. */
  found(text: string, rows: readonly FoundRow[]): void {
    if (text !== this.#text) return;
    this.#rows = rows;
    this.#go(rows.length - 1, -1);
  }

  /** Goes to the next or previous match, in this row or another one. */
  #step(by: 1 | -1): void {
    const rows = this.#rows ?? [];
    if (rows.length === 0) return;
    const next = (this.#match < 0 ? this.#count - 1 : this.#match) + by;
    if (next < 0 || next >= this.#count) this.#go((this.#at + by + rows.length) % rows.length, by > 0 ? 0 : -1);
    else [this.#match, this.#goal] = [next, 'match'];
    this.#page.requestUpdate();
  }

  #go(at: number, match: number): void {
    this.#at = at;
    this.#match = match;
    this.#goal = 'row';
    const row = this.#row;
    if (row !== undefined && this.#component() === undefined) this.#reader.load(row.id);
    this.#page.requestUpdate();
  }

  /** Marks the matches of the row as it is drawn now, and scrolls to what has arrived. */
  #refresh(): void {
    if (this.#goal === 'row' && this.#conversation?.goToRow(this.#row?.key ?? '') === true) this.#goal = 'match';
    const component = this.#component();
    const matches = component === undefined ? [] : findMatches(component, this.#text);
    const current = matches.at(this.#match);
    markMatches(matches, current);
    // Another match may be the last one.
    if (matches.length !== this.#count) this.#goal ??= 'match';
    this.#count = matches.length;
    if (this.#goal !== 'match' || current === undefined) return;
    this.#goal = undefined;
    showMatch(current);
  }

  /** Closes the box and removes the marks. */
  close(): void {
    this.isOpen = false;
    this.#text = '';
    this.#rows = undefined;
    markMatches([]);
  }

  /** The rows of the full history, while that is shown. */
  get #conversation(): KarlConversation | undefined {
    return this.#reader.isHistory ? (this.#reader.conversation ?? undefined) : undefined;
  }

  /** The component of the current row, if it exists. */
  #component(): Element | undefined {
    const row = this.#row;
    return row === undefined ? undefined : this.#conversation?.component(row.key);
  }
}

/**
 * Calls `open` for Ctrl+F, or Command+F, anywhere in the page. VS Code is not told of the key: its command would focus the
 * view anew a moment later, and letters typed meanwhile would be lost.
 */
export function onFindKey(open: () => void): void {
  const take = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (key.toLowerCase() !== 'f' || !(ctrlKey || metaKey) || altKey || shiftKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    open();
  };
  window.addEventListener('keydown', take, { capture: true });
}

/** The CSS highlights of all matches of the row, and of the current one. */
const ALL = 'karl-found';
const CURRENT = 'karl-found-current';

/** Every occurrence of a text in an element and its components, ignoring case. */
function findMatches(root: Element, text: string): Range[] {
  const words = text.toLowerCase();
  const ranges: Range[] = [];
  if (words === '') return ranges;
  for (const node of textsIn(root)) {
    const shown = node.data.toLowerCase();
    // A letter with a longer lower-case form would shift all positions after it.
    if (shown.length !== node.data.length) continue;
    for (let at = shown.indexOf(words); at >= 0; at = shown.indexOf(words, at + words.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + words.length);
      ranges.push(range);
    }
  }
  return ranges;
}

/** The visible texts, in order. */
function* textsIn(root: Node): Generator<Text> {
  const inner = root instanceof Element ? root.shadowRoot : undefined;
  for (const node of (inner ?? root).childNodes) {
    if (node instanceof Text) {
      if (node.parentElement?.checkVisibility() !== false) yield node;
    } else if (!(node instanceof HTMLStyleElement)) yield* textsIn(node);
  }
}

/** Marks the matches and the current one, instead of earlier ones. */
function markMatches(matches: readonly Range[], current?: Range): void {
  CSS.highlights.set(ALL, new Highlight(...matches.filter((match) => match !== current)));
  CSS.highlights.set(CURRENT, new Highlight(...(current === undefined ? [] : [current])));
}

/** Scrolls the ancestors of a match as far as needed to see it. */
function showMatch(match: Range): void {
  let element: Element | null = match.startContainer.parentElement;
  for (; element !== null; element = parentOf(element)) {
    if (element.scrollHeight <= element.clientHeight || getComputedStyle(element).overflowY === 'visible') continue;
    const [view, { top, bottom }] = [element.getBoundingClientRect(), match.getBoundingClientRect()];
    if (top < view.top || bottom > view.bottom) element.scrollTop += top - view.top - view.height / 3;
  }
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}
