/** Does something soon, once for all who ask in the meantime: never more often than once in so many milliseconds. */
export class Soon {
  readonly #work: () => void;
  readonly #milliseconds: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(work: () => void, milliseconds: number) {
    this.#work = work;
    this.#milliseconds = milliseconds;
  }

  /** Has it done. */
  ask(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#work();
    }, this.#milliseconds);
  }

  /** Does it no more. */
  dispose(): void {
    clearTimeout(this.#timer);
  }
}
