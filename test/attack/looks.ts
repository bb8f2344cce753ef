/** Counts how often the parts of some objects are read: work that is the same on every machine. */
export class Looks {
  /** The count since the last `take`. */
  #now = 0;

  /** Counts every later read of a part of an object, also of one inside it. Returns the object. */
  watch<Watched extends object>(watched: Watched): Watched {
    for (const name of Object.keys(watched)) {
      const value: unknown = watched[name as keyof Watched];
      if (Object.getOwnPropertyDescriptor(watched, name)?.get !== undefined) continue;
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) this.watch(value);
      const get = (): unknown => {
        this.#now += 1;
        return value;
      };
      Object.defineProperty(watched, name, { get, enumerable: true, configurable: true });
    }
    return watched;
  }

  /** Counts work other than reading a part, e.g. characters. */
  add(count: number): void {
    this.#now += count;
  }

  /** Returns the count since the last call. */
  take(): number {
    const now = this.#now;
    this.#now = 0;
    return now;
  }
}
