/** Does something once this many milliseconds after it was first asked for, for all who have asked by then. */
export class Soon {
  readonly #work: () => void;
  readonly #milliseconds: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(work: () => void, milliseconds: number) {
    this.#work = work;
    this.#milliseconds = milliseconds;
  }

  /** Asks for it. */
  ask(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#work();
    }, this.#milliseconds);
  }

  /** Drops what was asked for. */
  dispose(): void {
    clearTimeout(this.#timer);
  }
}
