import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '../../language/language.ts';
import type { EntryState } from '../../protocol/entries.ts';
import { icon, linkButton } from '../controls.ts';
import { ask, type Place } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { KarlCompression } from './compression.ts';
import { conversationStyles } from './conversationStyles.ts';
import { nameOfRow } from './row.ts';
import { RowFocus } from './rowFocus.ts';
import { KarlCall, KarlMessage } from './rows.ts';
import { ScrollKeeper } from './scrollKeeper.ts';

/** How many more messages, or rows, are shown at a time. */
const STEP = 60;

/** The rows, oldest first. Follows the end while the reader is there, and never moves what is being read. */
@customElement('karl-conversation')
export class KarlConversation extends LitElement {
  static override readonly styles = [shared, conversationStyles];
  @property({ attribute: false }) accessor entries: readonly EntryState[] = [];
  /** Whole texts of cut rows, by key. */
  @property({ attribute: false }) accessor expanded: ReadonlyMap<string, readonly string[]> = new Map();
  /** How many messages precede and follow the rows. */
  @property({ attribute: false }) accessor earlier = 0;
  @property({ attribute: false }) accessor later = 0;
  /** Why nothing can be changed. */
  @property({ attribute: false }) accessor locked: string | undefined;
  /** Why the last turn has no answer. */
  @property({ attribute: false }) accessor unfinished: string | undefined;
  @state() accessor following = true;
  /** The key of the row that is the tab stop; the newest row without one. */
  @state() accessor current: string | undefined;
  #keeper: ScrollKeeper | undefined;

  /** Scrolls to the end and follows it. */
  followEnd(): void {
    this.#keeper?.follow();
  }

  /** Goes to the newest message. */
  goToEnd(): void {
    this.followEnd();
    this.#tellEnd();
  }

  #tellEnd(): void {
    this.dispatchEvent(new Event('karl-at-end'));
  }

  /** Goes to a place and marks it; false if it is not among the rows. Messages get the focus. */
  async reveal(place: Place): Promise<boolean> {
    await this.updateComplete;
    const rows = [...this.renderRoot.querySelectorAll<HTMLElement>('.row > *')];
    for (const row of rows) row.classList.remove('found');
    const found = rows.filter((_, index) => isAt(this.entries[index], place));
    const [first] = found;
    if (first === undefined) return false;
    for (const row of found) row.classList.add('found');
    if (first instanceof KarlCompression) first.open = true;
    // The button that goes to compressions keeps the focus, to be pressed again.
    this.#goTo(first, 'from' in place ? true : undefined);
    return true;
  }

  /** The component of a row, if the row exists. */
  component(key: string): Element | undefined {
    const index = this.entries.findIndex((entry) => entry.key === key);
    return this.renderRoot.querySelectorAll('.row')[index]?.firstElementChild ?? undefined;
  }

  /** Goes to a row and unfolds it; false if it does not exist. */
  goToRow(key: string): boolean {
    const found = this.component(key);
    if (!(found instanceof HTMLElement)) return false;
    if (found instanceof KarlMessage || found instanceof KarlCall) found.unfold();
    this.#goTo(found);
    return true;
  }

  /** Focuses a row; false if it does not exist. */
  focusRow(key: string): boolean {
    const row = this.component(key)?.parentElement;
    row?.focus({ preventScroll: true });
    return row !== undefined && row !== null;
  }

  /** `withFocus`: also focuses the row, unless the focus is in an editor. */
  #goTo(component: HTMLElement, withFocus = this.shadowRoot?.activeElement?.closest('.list') != null): void {
    this.#keeper?.goTo(component);
    if (document.hasFocus() && withFocus) component.parentElement?.focus({ preventScroll: true });
  }

  /** When a "show more" button with the focus disappears, the focus moves to the row that was next to it. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    const pressed = document.hasFocus() ? this.shadowRoot?.activeElement?.classList : undefined;
    const before = changed.get('entries');
    const isGone = (side: 'earlier' | 'later') => pressed?.contains(side) === true && this[side] === 0;
    const next = isGone('earlier') ? before?.[0] : isGone('later') ? before?.at(-1) : undefined;
    if (next === undefined) return;
    void this.updateComplete.then(() => {
      const row = this.component(next.key)?.parentElement;
      if (!row) return;
      row.focus({ preventScroll: true });
      this.#keeper?.goTo(row, 'nearest');
    });
  }

  protected override render(): TemplateResult {
    const { current, entries, earlier, later, unfinished } = this;
    const more = earlier === 1 ? t('Show 1 earlier message') : t('Show {0} earlier messages', earlier);
    const rest = later === 1 ? t('Show 1 later message') : t('Show {0} later messages', later);
    const newest = newestOfTurns(entries);
    const stop = entries.some(({ key }) => key === current) ? current : entries.at(-1)?.key;
    return html`<div class="scroller">
        ${earlier > 0 ? linkButton({ label: more }, () => this.#readFrom(Math.max(0, earlier - STEP)), 'more earlier small') : nothing}
        <div class="list" role="list" aria-label=${t('Conversation')}>
          ${repeat(
            entries,
            ({ key }) => key,
            (entry) =>
              html`<div class="row" role="listitem" tabindex=${entry.key === stop ? 0 : -1} aria-label=${nameOfRow(entry)}>
                ${this.#renderEntry(entry, newest.has(entry))}
              </div>`,
          )}
        </div>
        ${later > 0 ? linkButton({ label: rest }, () => this.#readFrom(this.#firstOfNext()), 'more later small') : nothing}
        ${unfinished === undefined || later > 0 ? nothing : this.#renderUnfinished(unfinished)}
      </div>
      ${
        this.following && later === 0
          ? nothing
          : html`<button class="link latest card beside small" @click=${() => this.goToEnd()}>
              ${icon('arrowDown')}${t('Latest message')}
            </button>`
      }`;
  }

  #renderUnfinished(why: string): TemplateResult {
    return html`<p class="unfinished wrap">
      <span class="muted">${why}</span> ${linkButton({ label: t('Continue') }, () => ask(this, { type: 'continue' }))}
    </p>`;
  }

  #renderEntry(entry: EntryState, isNewest: boolean): TemplateResult {
    const expanded = this.expanded.get(entry.key);
    const locked = this.locked !== undefined;
    switch (entry.kind) {
      case 'message':
        return html`<karl-message tabindex="-1" .entry=${entry} .expanded=${expanded} .locked=${locked}></karl-message>`;
      case 'call':
        return html`<karl-call tabindex="-1" .entry=${entry} .expanded=${expanded} .locked=${locked}></karl-call>`;
      case 'summary':
        return html`<karl-summary tabindex="-1" .entry=${entry} .expanded=${expanded}></karl-summary>`;
      case 'compression': {
        const text = this.expanded.get(`s${entry.run.id}`)?.[0];
        return html`<karl-compression
          tabindex="-1"
          .run=${entry.run}
          .isNewest=${isNewest}
          .text=${text}
          .locked=${this.locked}
        ></karl-compression>`;
      }
    }
  }

  /** Requests the rows from a message on, which then stay. */
  #readFrom(id: number, isHeld = false): void {
    this.dispatchEvent(new CustomEvent('karl-read-from', { detail: { id, isHeld } }));
  }

  /**
   * The message from which to request rows, so that `STEP` more follow. Calls of one message are shown together, with any
   * result without a call (`m…`): the first message here would lead no further.
   */
  #firstOfNext(): number {
    const end = Math.max(this.earlier, ...this.entries.map(({ to }) => to)) + 1;
    const begins = this.entries.slice(STEP).filter(({ kind, key }) => kind === 'message' || key.startsWith('c'));
    return begins.find(({ from }) => from > this.earlier)?.from ?? end;
  }

  protected override firstUpdated(_changed: PropertyValues<this>): void {
    const scroller = this.renderRoot.querySelector('.scroller');
    const list = this.renderRoot.querySelector('.list');
    if (!(scroller instanceof HTMLElement && list instanceof HTMLElement)) throw new Error('the list is not drawn');
    this.#keeper = new ScrollKeeper(scroller, list, {
      hasEnd: () => this.later === 0,
      onFollowing: (following, by) => {
        this.following = following;
        if (by === 'page') return;
        if (following) this.#tellEnd();
        else this.#readFrom(this.earlier, true);
      },
    });
    new RowFocus(scroller, list, (index) => {
      this.current = this.entries[index]?.key;
    });
  }
}

/** The newest compression of each turn that is in effect. Changes by hand are none. */
function newestOfTurns(entries: readonly EntryState[]): ReadonlySet<EntryState> {
  const newest = new Set<EntryState>();
  let isFound = false;
  for (const entry of entries.toReversed()) {
    if (entry.kind === 'message' && entry.role === 'user') isFound = false;
    if (entry.kind !== 'compression' || isFound || entry.run.undone || entry.run.isManual === true) continue;
    newest.add(entry);
    isFound = true;
  }
  return newest;
}

function isAt(entry: EntryState | undefined, place: Place): boolean {
  if (entry === undefined) return false;
  if ('compressions' in place) return entry.kind === 'compression' && entry.run.transcriptLength === place.compressions;
  return entry.kind !== 'compression' && entry.from <= place.to && place.from <= entry.to;
}

declare global {
  interface HTMLElementEventMap {
    /** `isHeld`: the current rows are to stay. */
    'karl-read-from': CustomEvent<{ readonly id: number; readonly isHeld: boolean }>;
  }
}
