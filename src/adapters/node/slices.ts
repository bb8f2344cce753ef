import { randomBytes } from 'node:crypto';
import type { CompactorPorts } from '../../core/compaction/compactionRun.ts';

/** The ports for work in slices, between which everything else may run. */
export const SLICES = {
  pause: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)),
  /** Milliseconds. */
  elapsed: (): number => performance.now(),
} as const;

/** The length of a slice. Milliseconds. */
const SLICE_MS = 5;

/** Tells long work when to give way. `elapsed` is a clock for durations in milliseconds. */
export class Pace {
  readonly #elapsed: () => number;
  #sliceStart: number;

  constructor(elapsed = SLICES.elapsed) {
    this.#elapsed = elapsed;
    this.#sliceStart = elapsed();
  }

  /** Await this after each piece of work: resolves at once while the slice lasts, then in a later turn. */
  async giveWay(): Promise<void> {
    if (this.#elapsed() - this.#sliceStart < SLICE_MS) return;
    await SLICES.pause();
    this.#sliceStart = this.#elapsed();
  }
}

/** The ports of every conversation outside an editor: ids, clocks, and a pause that lets other work go on. */
export const CONVERSATION_PORTS: CompactorPorts = {
  ...SLICES,
  newId: () => randomBytes(6).toString('hex'),
  now: () => Date.now(),
};
