import type { ViewState } from '../protocol/viewState.ts';

/** Draws at most one snapshot in a frame of the page, the newest: nobody could see the others. */
export class SnapshotFrames {
  readonly #draw: (state: ViewState) => void;
  #newest: ViewState | undefined;
  #frame = 0;

  constructor(draw: (state: ViewState) => void) {
    this.#draw = draw;
  }

  /** Draws it with the next frame, unless a newer one has come by then. */
  put(state: ViewState): void {
    if (this.#newest === undefined || this.#newest.revision < state.revision) this.#newest = state;
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.flush());
  }

  /** Draws what waits now: the message that comes next may be about it. */
  flush(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const newest = this.#newest;
    this.#newest = undefined;
    if (newest !== undefined) this.#draw(newest);
  }
}
