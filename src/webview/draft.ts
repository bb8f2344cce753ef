import type { FromWebview, Place } from '../protocol/viewState.ts';
import type { PageState } from './vscodeApi.ts';

/** A longer draft is not handed over with every key, characters. */
const LONGEST = 100_000;

/**
 * Hands what stands in the composer to the host with every change: VS Code writes the page's own state when a window
 * ends in order, and not where it does not.
 */
export class DraftKeeper {
  readonly #place: Place;
  readonly #send: (intent: FromWebview) => void;
  #told: string;

  constructor(place: Place, page: PageState, send: (intent: FromWebview) => void) {
    this.#place = place;
    this.#send = send;
    this.#told = draftOf(page);
  }

  /** The page has changed. */
  note(page: PageState): void {
    const text = draftOf(page);
    if (text === this.#told || text.length > LONGEST) return;
    this.#told = text;
    this.#send({ type: 'draft', place: this.#place, text });
  }

  /** Whether what the host kept goes on where the page's own memory ends. */
  isNewer(place: Place, text: string, page: PageState): boolean {
    return place === this.#place && page.editing === undefined && text.startsWith(page.draft);
  }
}

/** What was written before a message was edited comes back. */
function draftOf({ editing, draft }: PageState): string {
  return editing?.draft ?? draft;
}
