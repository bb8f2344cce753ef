const SPACE = 32;
const TAB = 9;
const RETURN = 13;
const LINE_END = 10;

/**
 * A running hash of 51 bits: two lanes of multiply and shift (the mixer of MurmurHash3). It distinguishes one user's
 * messages; it is no defence against deliberately made collisions.
 */
export class Hasher {
  #a = 0x9e3779b9 | 0;
  #b = 0x85ebca6b | 0;

  /** Adds a 32-bit number. */
  number(value: number): this {
    this.#a = mix(this.#a, value, 0xcc9e2d51);
    this.#b = mix(this.#b, value, 0x1b873593);
    return this;
  }

  /** Adds a hash. */
  hash(value: number): this {
    return this.number(value | 0).number(Math.floor(value / 0x100000000) | 0);
  }

  /** Adds a text as it is. */
  exactly(text: string): this {
    let a = this.#a;
    let b = this.#b;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      a = mix(a, code, 0xcc9e2d51);
      b = mix(b, code, 0x1b873593);
    }
    this.#a = a;
    this.#b = b;
    return this.number(text.length);
  }

  /** Adds a text from `start` on, without white space at line ends and without blank lines at its end. */
  text(text: string, start = 0): this {
    let a = this.#a;
    let b = this.#b;
    let lines = 0;
    let blanks = -1;
    for (let index = start; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code === LINE_END) {
        lines += 1;
        blanks = -1;
        continue;
      }
      if (code === SPACE || code === TAB || code === RETURN) {
        if (blanks < 0) blanks = index;
        continue;
      }
      for (; lines > 0; lines -= 1) {
        a = mix(a, LINE_END, 0xcc9e2d51);
        b = mix(b, LINE_END, 0x1b873593);
      }
      for (let blank = blanks < 0 ? index : blanks; blank < index; blank += 1) {
        a = mix(a, text.charCodeAt(blank), 0xcc9e2d51);
        b = mix(b, text.charCodeAt(blank), 0x1b873593);
      }
      blanks = -1;
      a = mix(a, code, 0xcc9e2d51);
      b = mix(b, code, 0x1b873593);
    }
    this.#a = a;
    this.#b = b;
    return this;
  }

  /** The hash of everything added: an integer below 2^51. */
  end(): number {
    const low = finish(this.#a);
    const high = finish(this.#b ^ low) & 0x7ffff;
    return high * 0x100000000 + (low >>> 0);
  }
}

function mix(lane: number, value: number, factor: number): number {
  const next = Math.imul(lane ^ value, factor);
  return next ^ (next >>> 15);
}

function finish(lane: number): number {
  const once = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}
