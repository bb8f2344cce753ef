import type { LitElement } from 'lit';
import type { Shows, ViewState } from '../protocol/viewState.ts';
import type { KarlConversation } from './conversation/conversation.ts';
import { ask, type Place } from './intent.ts';

/** The page of the view, as far as its reader concerns it. */
export type ReaderPage = LitElement & { readonly state: ViewState | undefined; focusComposer(): void };

/** Where the reader of the conversation is, and wants to go: rows that are not at its end are asked for. */
export class RowReader {
  readonly #page: ReaderPage;
  /** The side whose rows were asked for elsewhere than at the end, until the reader is back there. */
  #farBack: Shows | undefined;
  /** Where the user wants to go, until a snapshot has the place. */
  #wanted: Place | undefined;

  constructor(page: ReaderPage) {
    this.#page = page;
  }

  /** The rows that are drawn. */
  get conversation(): KarlConversation | null {
    return this.#page.renderRoot.querySelector('karl-conversation');
  }

  /** Another side of the conversation, or another conversation, is shown from now on. */
  leaves(to: Shows, isOtherConversation: boolean): void {
    if (isOtherConversation) this.#wanted = undefined;
    if (isOtherConversation || this.#farBack !== to) this.#farBack = undefined;
  }

  /** Goes to a place of the full history: at once when its rows are here, otherwise with the snapshot that has them. */
  reveal(place: Place): void {
    this.#wanted = place;
    this.load('compressions' in place ? Math.max(0, place.compressions - 1) : place.from);
    void this.goToWanted();
  }

  /** Places exist in the full history only: waits until that is shown. */
  async goToWanted(): Promise<void> {
    if (this.#wanted === undefined || this.#page.state?.shows !== 'history') return;
    if (await this.conversation?.reveal(this.#wanted)) this.#wanted = undefined;
  }

  /** Asks for rows. Rows that are to stay as they are (`isHeld`) and were asked for before need no second request. */
  load(id: number, type: 'reveal' | 'read-from' = 'reveal', isHeld = false): void {
    if (isHeld && this.#farBack !== undefined) return;
    this.#farBack = type === 'reveal' ? 'history' : this.#page.state?.shows;
    ask(this.#page, { type, id });
  }

  /** Only the newest rows are sent once the reader is back at the end. */
  isAtEnd(): void {
    if ((this.#farBack === undefined && this.#page.state?.later === 0) || this.#wanted !== undefined) return;
    this.#farBack = undefined;
    ask(this.#page, { type: 'at-end' });
  }
}
