/**
 * Work that may be paused after each step, so that a long plan never holds up the process that it runs in. Planning
 * stays pure and synchronous in itself; only the compactor decides when to pause.
 */
export type Steps<Value> = Generator<void, Value, void>;

/** One slice of work, milliseconds: with its last step still within a frame of 16 ms. */
const SLICE_MS = 8;

/** Runs work in slices, giving way to everything else between them. */
export async function runInSlices<Value>(
  steps: Steps<Value>,
  ports: { pause(): Promise<void>; elapsed(): number },
): Promise<Value> {
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

/** Keeps the items that `belongs` accepts, with a step now and then. */
export function* filterInSteps<Item>(items: readonly Item[], belongs: (item: Item) => boolean): Steps<Item[]> {
  const kept: Item[] = [];
  for (const [index, item] of items.entries()) {
    if (index % 8 === 7) yield;
    if (belongs(item)) kept.push(item);
  }
  return kept;
}

/** How many items are sorted at once, and how many are merged between two steps. */
const SORTED_AT_ONCE = 1_024;

/** Sorts items in ascending order, with a step now and then. Equal items keep their order. */
export function* sortInSteps<Item>(items: readonly Item[], compare: (one: Item, other: Item) => number): Steps<Item[]> {
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
