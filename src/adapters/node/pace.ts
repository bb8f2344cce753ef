/** Work goes on for this long before anything else that waits may run, milliseconds. */
const SLICE_MS = 5;

/** Says when long work has to give way. `elapsed` is a clock for durations, milliseconds. */
export class Pace {
  readonly #elapsed: () => number;
  #sliceStart: number;

  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
    this.#sliceStart = elapsed();
  }

  /**
   * To be awaited after each piece of work: resolves at once while the slice lasts, and in a later turn when it is
   * over.
   */
  async giveWay(): Promise<void> {
    if (this.#elapsed() - this.#sliceStart < SLICE_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#sliceStart = this.#elapsed();
  }
}
