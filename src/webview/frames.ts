import type { ToWebview } from '../protocol/viewState.ts';

/** A snapshot as it is posted. */
export type Snapshot = Extract<ToWebview, { type: 'state' }>;

/** Draws at most one snapshot in a frame of the page, the newest: nobody could see the others. */
export class SnapshotFrames {
  readonly #draw: (snapshot: Snapshot) => void;
  #newest: Snapshot | undefined;
  #frame = 0;

  constructor(draw: (snapshot: Snapshot) => void) {
    this.#draw = draw;
  }

  /** Draws it with the next frame, unless a newer one has come by then. */
  put(snapshot: Snapshot): void {
    if (this.#newest === undefined || this.#newest.state.revision < snapshot.state.revision) this.#newest = snapshot;
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
