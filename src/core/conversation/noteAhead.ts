import type { PreparedNote } from '../compaction/compactionRun.ts';
import { orAborted } from '../steps.ts';
import { isSameBasis, type ViewBasis } from './compactedView.ts';

/** After an attempt at a summary, the view must grow by this share before the next attempt. */
const REGROWTH = 0.05;

/**
 * A summary that a model writes ahead of the compaction that needs it. One at a time; it is used only while the view
 * that it was made for is current.
 */
export class NoteAhead {
  #writing: Promise<void> | undefined;
  #ready: { readonly note: PreparedNote; readonly basis: ViewBasis } | undefined;
  #triedAt = 0;

  /**
   * Starts writing, unless a summary is being written, one is ready for this view, or the view has hardly grown since
   * the last attempt. `write` may fail.
   */
  start(basis: ViewBasis, used: number, write: () => Promise<PreparedNote | undefined>): void {
    if (this.#writing !== undefined || used < this.#triedAt * (1 + REGROWTH)) return;
    if (this.#ready !== undefined && isSameBasis(this.#ready.basis, basis)) return;
    this.#triedAt = used;
    this.#writing = write()
      .then((note) => {
        this.#ready = note === undefined ? undefined : { note, basis };
      })
      .finally(() => {
        this.#writing = undefined;
      });
  }

  get isWriting(): boolean {
    return this.#writing !== undefined;
  }

  /** Forgets the summary that is ready. */
  drop(): void {
    this.#ready = undefined;
    this.#triedAt = 0;
  }

  /** The summary for a view; waits for one that is being written, unless the signal aborts. */
  async read(basis: ViewBasis, signal: AbortSignal | undefined): Promise<PreparedNote | undefined> {
    if (this.#writing !== undefined) await orAborted(this.#writing, undefined, signal);
    const ready = this.#ready;
    return ready !== undefined && isSameBasis(ready.basis, basis) ? ready.note : undefined;
  }
}
