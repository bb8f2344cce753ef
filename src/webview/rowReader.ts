import type { LitElement } from 'lit';
import type { Shows, ViewState } from '../protocol/viewState.ts';
import type { KarlConversation } from './conversation/conversation.ts';
import { ask, type Place } from './intent.ts';

/** The page of the view, as far as readers need it. */
export type ReaderPage = LitElement & { readonly state: ViewState | undefined; focusComposer(): void };

/** Tracks where the user is reading, and requests rows that are not at the end. */
export class RowReader {
  readonly #page: ReaderPage;
  /** The side whose rows were requested elsewhere than at the end, until the reader is back there. */
  #farBack: Shows | undefined;
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
  leaves(to: Shows, isOtherConversation: boolean): void {
    if (isOtherConversation) this.#wanted = undefined;
    if (isOtherConversation || this.#farBack !== to) this.#farBack = undefined;
  }

  /** Goes to a place of the full history, as soon as its rows are here. */
  reveal(place: Place): void {
    this.#wanted = place;
    this.load('compressions' in place ? Math.max(0, place.compressions - 1) : place.from);
    void this.goToWanted();
  }

  /** Goes to the wanted place, if the full history is shown and has it. */
  async goToWanted(): Promise<void> {
    if (this.#wanted === undefined || this.#page.state?.shows !== 'history') return;
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
