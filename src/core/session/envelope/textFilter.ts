import { OPENINGS } from './envelope.ts';

/** Passes on the spoken part of a streaming reply and holds back its calls, even when a mark arrives in pieces. */
export class EnvelopeTextFilter {
  #held = '';
  #inCalls = false;

  /** Takes a piece of the reply; returns the text that may be shown now. */
  push(piece: string): string {
    if (this.#inCalls) return '';
    const text = this.#held + piece;
    const starts = OPENINGS.map((opening) => text.indexOf(opening)).filter((start) => start >= 0);
    if (starts.length > 0) {
      this.#inCalls = true;
      this.#held = '';
      return text.slice(0, Math.min(...starts));
    }
    const keep = this.#unfinishedLength(text);
    this.#held = text.slice(text.length - keep);
    return text.slice(0, text.length - keep);
  }

  /** At the end of the reply, returns text that was held back but is no mark after all. */
  flush(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }

  #unfinishedLength(text: string): number {
    const longest = Math.max(...OPENINGS.map((opening) => opening.length)) - 1;
    for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
      const tail = text.slice(text.length - length);
      if (OPENINGS.some((opening) => opening.startsWith(tail))) return length;
    }
    return 0;
  }
}
