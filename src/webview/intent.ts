import type { FromWebview } from '../protocol/fromWebview.ts';

/** Carries an intent from the element where the user acted to the page, through all shadow roots. */
export class IntentEvent extends Event {
  readonly intent: FromWebview;
  constructor(intent: FromWebview) {
    super('karl-intent', { bubbles: true, composed: true });
    this.intent = intent;
  }
}

/** A place in the full history: messages, or the compressions after this many messages. */
export type Place = { readonly from: number; readonly to: number } | { readonly compressions: number };

/** Asks the page to go to a place. */
export class RevealEvent extends Event {
  readonly place: Place;
  constructor(place: Place) {
    super('karl-reveal', { bubbles: true, composed: true });
    this.place = place;
  }
}

declare global {
  interface HTMLElementEventMap {
    'karl-intent': IntentEvent;
    'karl-reveal': RevealEvent;
  }
}

/** Dispatches an intent. The answer is the next snapshot. */
export function ask(from: EventTarget, intent: FromWebview): void {
  from.dispatchEvent(new IntentEvent(intent));
}

/** The value of the field of an event. */
export function writtenIn({ currentTarget }: Event): string {
  const isField = currentTarget instanceof HTMLTextAreaElement || currentTarget instanceof HTMLSelectElement;
  return isField || currentTarget instanceof HTMLInputElement ? currentTarget.value : '';
}
