import type { FigureOf, Found } from './found.ts';

interface Known {
  readonly key: string;
  readonly words: ReadonlySet<string>;
  readonly name: string | undefined;
  unit: string | undefined;
  value: string;
  order: number;
}

/**
 * Tells which figures are states of the same thing although their sentences differ. Careful: of two things that only
 * resemble each other ("search latency", "upload latency") none may end the other.
 */
export class FigureKeys {
  readonly #byWord = new Map<string, Set<Known>>();
  readonly #byKey = new Map<string, Known>();
  #order = 0;

  /** The key under which `fact` stands: that of the figure it renews, else its own. Facts come in transcript order. */
  keyOf(fact: Found): string {
    const figure = fact.figure;
    if (figure === undefined) return fact.key;
    const known = this.#renewed(fact, figure) ?? this.#add(fact, figure);
    known.value = digits(fact.value);
    known.unit = figure.unit ?? known.unit;
    known.order = this.#order++;
    return known.key;
  }

  #renewed(fact: Found, figure: FigureOf): Known | undefined {
    const candidates = new Set<Known>();
    for (const word of figure.words) for (const known of this.#byWord.get(word) ?? []) candidates.add(known);
    let best: Known | undefined;
    for (const known of candidates) {
      if (best !== undefined && (best.key === fact.key || (known.order < best.order && known.key !== fact.key)))
        continue;
      if (isSame(known, fact, figure)) best = known;
    }
    return best;
  }

  #add(fact: Found, figure: FigureOf): Known {
    // The words are taken by a figure in another unit: this is another thing.
    const taken = this.#byKey.has(fact.key);
    const key = taken ? `${fact.key} in ${figure.unit ?? 'figures'}` : fact.key;
    const words = new Set(figure.words);
    const known: Known = { key, words, name: figure.name, unit: figure.unit, value: '', order: 0 };
    this.#byKey.set(key, known);
    for (const word of words) {
      const list = this.#byWord.get(word) ?? new Set();
      this.#byWord.set(word, list.add(known));
    }
    return known;
  }
}

function isSame(known: Known, fact: Found, figure: FigureOf): boolean {
  if (known.unit !== undefined && figure.unit !== undefined && known.unit !== figure.unit) return false;
  if (known.name !== undefined && figure.name !== undefined) return known.name === figure.name;
  if (known.key === fact.key) return true;
  // "from 1.8 MB to 1.6 MB": the old value says which figure is meant.
  if (figure.was.some((value) => digits(value) === known.value)) return true;
  const common = figure.words.filter((word) => known.words.has(word)).length;
  return common >= 2 && common === Math.min(known.words.size, new Set(figure.words).size);
}

function digits(value: string): string {
  return value.replace(/[^\d.]/g, '');
}
