/**
 * Work that may be paused after each step, so that a long plan never holds up the process that it runs in. The work stays
 * pure and synchronous in itself; only whoever runs it decides when to pause.
 */
export type Steps<Value> = Generator<void, Value, void>;

/** One slice of work, milliseconds: a last step and the garbage of the slice still end within a frame of 16 ms. */
const SLICE_MS = 3;

/** How many small things are done between two steps. */
const AT_ONCE = 64;

/** What work in slices needs of the outside. */
export interface Slicing {
  /** Gives way to everything else that waits to run. */
  pause(): Promise<void>;
  /** A clock for durations, milliseconds. */
  elapsed(): number;
}

/** Runs work in slices, giving way to everything else between them. */
export async function runInSlices<Value>(steps: Steps<Value>, ports: Slicing): Promise<Value> {
  await ports.pause(); // the work before this may have taken its own slice
  let sliceStart = ports.elapsed();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (ports.elapsed() - sliceStart < SLICE_MS) continue;
    await ports.pause();
    sliceStart = ports.elapsed();
  }
}

/** Runs work to its end at once, where the caller cannot wait. */
export function runAtOnce<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does something small with each item, with a step now and then. */
export function* eachInSteps<Item>(
  items: Iterable<Item>,
  act: (item: Item, index: number) => void,
  atOnce = AT_ONCE,
): Steps<void> {
  let index = 0;
  for (const item of items) {
    act(item, index);
    index += 1;
    if (index % atOnce === 0) yield;
  }
}

/** Makes something small of each item, with a step now and then. */
export function* mapInSteps<Item, Made>(
  items: Iterable<Item>,
  make: (item: Item, index: number) => Made,
  atOnce = AT_ONCE,
): Steps<Made[]> {
  const made: Made[] = [];
  yield* eachInSteps(items, (item, index) => made.push(make(item, index)), atOnce);
  return made;
}

/** Keeps the items that `belongs` accepts, with a step now and then. */
export function* filterInSteps<Item>(
  items: readonly Item[],
  belongs: (item: Item, index: number) => boolean,
  atOnce = 8,
): Steps<Item[]> {
  const kept: Item[] = [];
  yield* eachInSteps(items, (item, index) => belongs(item, index) && kept.push(item), atOnce);
  return kept;
}

/** How many items are sorted at once, and how many are merged between two steps. */
const SORTED_AT_ONCE = 1_024;

/** Sorts items in ascending order, with a step now and then. Equal items keep their order. */
export function* sortInSteps<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Steps<readonly Item[]> {
  if (yield* isSorted(items, compare)) return items;
  let runs: Item[][] = [];
  for (let start = 0; start < items.length; start += SORTED_AT_ONCE) {
    runs.push(items.slice(start, start + SORTED_AT_ONCE).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(yield* mergeInSteps(runs[index] ?? [], runs[index + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* isSorted<Item>(items: readonly Item[], compare: (one: Item, other: Item) => number): Steps<boolean> {
  for (let index = 1; index < items.length; index += 1) {
    const [one, other] = [items[index - 1], items[index]];
    if (one !== undefined && other !== undefined && compare(one, other) > 0) return false;
    if (index % SORTED_AT_ONCE === 0) yield;
  }
  return true;
}

function* mergeInSteps<Item>(
  ones: readonly Item[],
  others: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Steps<Item[]> {
  const merged: Item[] = [];
  for (let [left, right] = [0, 0]; merged.length < ones.length + others.length; ) {
    const [one, other] = [ones[left], others[right]];
    if (one !== undefined && (other === undefined || compare(one, other) <= 0)) {
      merged.push(one);
      left += 1;
    } else if (other !== undefined) {
      merged.push(other);
      right += 1;
    }
    if (merged.length % SORTED_AT_ONCE === 0) yield;
  }
  return merged;
}
