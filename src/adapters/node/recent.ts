/** Keeps the values that were used last, up to a size in all. A value that is larger alone is not kept. */
export class Recent<Key, Value> {
  readonly #values = new Map<Key, Value>();
  readonly #most: number;
  readonly #sizeOf: (value: Value, key: Key) => number;
  #size = 0;

  /** `most`: in the unit of `sizeOf`, which counts the values unless it is given. */
  constructor(most: number, sizeOf: (value: Value, key: Key) => number = () => 1) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  /** The value of a key, which is made where it is not kept. */
  take(key: Key, make: () => Value): Value {
    const kept = this.#values.get(key);
    const value = kept ?? make();
    if (!this.#values.delete(key)) this.#size += this.#sizeOf(value, key);
    this.#values.set(key, value);
    for (const [oldest, gone] of this.#values) {
      if (this.#size <= this.#most) break;
      this.#values.delete(oldest);
      this.#size -= this.#sizeOf(gone, oldest);
    }
    return value;
  }
}
