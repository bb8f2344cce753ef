import type { FigureOf, Found } from '../found.ts';
import { isProper } from './numberSubject.ts';

interface Known {
  readonly key: string;
  readonly words: readonly string[];
  around: ReadonlySet<string>;
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
    known.around = new Set(figure.around);
    for (const word of known.around) this.#index(word, known);
    known.unit = figure.unit ?? known.unit;
    known.order = this.#order++;
    return known.key;
  }

  #renewed(fact: Found, figure: FigureOf): Known | undefined {
    const candidates = new Set<Known>();
    for (const word of figure.around) for (const known of this.#byWord.get(word) ?? []) candidates.add(known);
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
    const known: Known = {
      key,
      words: figure.words,
      around: new Set(figure.around),
      name: figure.name,
      unit: figure.unit,
      value: '',
      order: 0,
    };
    this.#byKey.set(key, known);
    return known;
  }

  #index(word: string, known: Known): void {
    const list = this.#byWord.get(word);
    if (list === undefined) this.#byWord.set(word, new Set([known]));
    else list.add(known);
  }
}

function isSame(known: Known, fact: Found, figure: FigureOf): boolean {
  if (known.unit !== undefined && figure.unit !== undefined && known.unit !== figure.unit) return false;
  if (known.name !== undefined || figure.name !== undefined) return known.name === figure.name;
  if (known.key === fact.key) return true;
  // "from 1.8 MB to 1.6 MB": the old value says which figure is meant.
  if (figure.was.some((value) => digits(value) === known.value)) return true;
  if (!known.words.every((word) => figure.around.includes(word))) return false;
  if (figure.words.every((word) => known.around.has(word))) return true;
  // "the cold start of mail-pool": two words, one of them a name, are not met by chance, unless another name is met too.
  const strange = figure.words.filter((word) => !known.around.has(word));
  return known.words.length >= 2 && known.words.some(isProper) && !strange.some(isProper);
}

function digits(value: string): string {
  return value.replace(/[^\d.]/g, '');
}
