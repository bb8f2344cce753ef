import type { FromWebview } from '../protocol/fromWebview.ts';

/** Carries an intent from the element where the user acted up to the page, through every shadow root. */
export class IntentEvent extends Event {
  static readonly eventName = 'karl-intent';
  readonly intent: FromWebview;
  constructor(intent: FromWebview) {
    super(IntentEvent.eventName, { bubbles: true, composed: true });
    this.intent = intent;
  }
}

/** What the user wants to see: messages, or the compressions after this many messages. */
export type Place = { readonly from: number; readonly to: number } | { readonly compressions: number };

/** Asks the page to go to a place of the full history, wherever it is. */
export class RevealEvent extends Event {
  static readonly eventName = 'karl-reveal';
  readonly place: Place;
  constructor(place: Place) {
    super(RevealEvent.eventName, { bubbles: true, composed: true });
    this.place = place;
  }
}

declare global {
  interface HTMLElementEventMap {
    'karl-intent': IntentEvent;
    'karl-reveal': RevealEvent;
  }
}

/** Asks for something. Elements keep no state about the answer, which is the next snapshot. */
export function ask(from: EventTarget, intent: FromWebview): void {
  from.dispatchEvent(new IntentEvent(intent));
}
