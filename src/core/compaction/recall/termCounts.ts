/** In how many passages each term occurs: in all of them, and in those written by human and agent. */
export class TermCounts {
  readonly #all = new Map<string, number>();
  readonly #prose = new Map<string, number>();
  #passages = 0;
  #prosePassages = 0;

  /** Counts one passage. */
  add(terms: readonly string[], isProse: boolean): void {
    this.#passages += 1;
    if (isProse) this.#prosePassages += 1;
    for (const term of new Set(terms)) {
      this.#all.set(term, (this.#all.get(term) ?? 0) + 1);
      if (isProse) this.#prose.set(term, (this.#prose.get(term) ?? 0) + 1);
    }
  }

  /**
   * How much of a term's rarity is real, 0 to 1. Function words are rare where most text is code and output, but not
   * where people speak: what is common in prose is common, in any language.
   */
  weight(term: string): number {
    const inProse = rarity(this.#prosePassages, this.#prose.get(term) ?? 0);
    return Math.min(1, inProse / rarity(this.#passages, this.#all.get(term) ?? 0));
  }

  /** How significant a term is, 0 to 1; 0 for one that occurs nowhere. */
  telling(term: string): number {
    const all = this.#all.get(term);
    return all === undefined ? 0 : rarity(this.#passages, all) * this.weight(term);
  }
}

/** The inverse document frequency of BM25, relative to that of a term which occurs nowhere. */
function rarity(passages: number, having: number): number {
  return inverseFrequency(passages, having) / inverseFrequency(passages, 0);
}

function inverseFrequency(passages: number, having: number): number {
  return Math.log(1 + (passages - having + 0.5) / (having + 0.5));
}
