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
