import { type Fingerprint, roleOf } from './fingerprint.ts';

/** A stretch of a sequence, by index; `to` is after its last item. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A stretch of the known messages and the stretch of the request that corresponds to it. */
export interface Step {
  /** `changed`: the messages differ, perhaps in number, and what follows is the same again. */
  readonly kind: 'same' | 'changed';
  readonly known: Span;
  readonly request: Span;
}

/** What a request has in common with the known messages of a thread, in order. The last step is always `same`. */
export interface Alignment {
  readonly steps: readonly Step[];
  /** The first message of the request without a counterpart: from there on it is new. */
  readonly requestEnd: number;
  /**
   * The first known message that the request no longer has. An awaited reply that came back counts as one more known
   * message.
   */
  readonly knownEnd: number;
}

/** At most this many places of equal messages are tried. */
const MOST_PLACES = 8;

/**
 * Aligns a request with the known messages of a thread. After a difference, both go on together at the next run of
 * messages that are known. `awaited`: replies that were sent and may come back after the last known message. Takes time
 * in proportion to the messages of both.
 */
export function align(
  known: readonly Fingerprint[],
  awaited: ReadonlySet<Fingerprint>,
  prints: readonly Fingerprint[],
): Alignment {
  const finder = new Finder(known, awaited, prints);
  const steps: Step[] = [];
  let at = { known: 0, request: 0 };
  for (;;) {
    const end = at.request + finder.same(at.known, at.request);
    const length = end - at.request;
    if (length > 0) steps.push(step('same', at, { known: at.known + length, request: end }));
    at = { known: at.known + length, request: end };
    const next = finder.next(at.known, at.request);
    if (next === undefined) return { steps, requestEnd: at.request, knownEnd: at.known };
    steps.push(step('changed', at, next));
    at = next;
  }
}

interface Place {
  readonly known: number;
  readonly request: number;
}

function step(kind: Step['kind'], from: Place, to: Place): Step {
  return { kind, known: { from: from.known, to: to.known }, request: { from: from.request, to: to.request } };
}

class Finder {
  readonly #known: readonly Fingerprint[];
  readonly #awaited: ReadonlySet<Fingerprint>;
  readonly #prints: readonly Fingerprint[];
  #places: Map<Fingerprint, number[]> | undefined;

  constructor(known: readonly Fingerprint[], awaited: ReadonlySet<Fingerprint>, prints: readonly Fingerprint[]) {
    this.#known = known;
    this.#awaited = awaited;
    this.#prints = prints;
  }

  /** How many messages are the same from these places on. */
  same(known: number, request: number): number {
    let length = 0;
    while (this.#isSame(known + length, request + length)) length += 1;
    return length;
  }

  /** Where both go on together after a difference. Undefined when no known message follows. */
  next(known: number, request: number): Place | undefined {
    const first = known < this.#known.length ? this.#firstKnown(known, request) : undefined;
    if (first === undefined) return undefined;
    // Messages inserted before the expected one must not lead to a later place that would skip it.
    const skipped = first.known - known + first.request - request;
    const expected = this.#prints.slice(request, request + skipped).indexOf(this.#known[known] ?? -1);
    return expected > 0 && this.#isRun(known, request + expected) ? { known, request: request + expected } : first;
  }

  #firstKnown(known: number, request: number): Place | undefined {
    for (let to = request; to < this.#prints.length; to += 1) {
      const beside = known + to - request;
      if (to > request && this.#isSame(beside, to)) return { known: beside, request: to };
      const moved = this.#placesOf(to).find((place) => place >= known && this.#isRun(place, to));
      if (moved !== undefined) return { known: moved, request: to };
    }
    return undefined;
  }

  #isSame(known: number, request: number): boolean {
    const print = this.#prints[request];
    if (print === undefined) return false;
    return known < this.#known.length
      ? this.#known[known] === print
      : known === this.#known.length && this.#awaited.has(print);
  }

  /**
   * A single equal message says little: it takes two in a row, or one that ends the known messages. Results in between
   * may have been cleared.
   */
  #isRun(known: number, request: number): boolean {
    let equal = 0;
    for (let length = 0; ; length += 1) {
      if (this.#isSame(known + length, request + length)) equal += 1;
      else if (!this.#areResults(known + length, request + length)) return known + length >= this.#known.length;
      if (equal >= 2) return true;
    }
  }

  #areResults(known: number, request: number): boolean {
    const [one, other] = [this.#known[known], this.#prints[request]];
    return one !== undefined && other !== undefined && roleOf(one) === 'tool' && roleOf(other) === 'tool';
  }

  /** The places where a message of the request is known, including that of the awaited reply; only the first few. */
  #placesOf(request: number): readonly number[] {
    this.#places ??= placesOf(this.#known);
    const print = this.#prints[request] ?? -1;
    const places = this.#places.get(print) ?? [];
    return this.#awaited.has(print) ? [...places, this.#known.length] : places;
  }
}

function placesOf(known: readonly Fingerprint[]): Map<Fingerprint, number[]> {
  const places = new Map<Fingerprint, number[]>();
  for (const [index, print] of known.entries()) {
    const found = places.get(print);
    if (found === undefined) places.set(print, [index]);
    else if (found.length < MOST_PLACES) found.push(index);
  }
  return places;
}
