/** Pure, synchronous work that its runner may pause after each step, so that it never blocks the process. */
export type Steps<Value> = Generator<void, Value, void>;

/** The length of one slice. With a last step and garbage collection, it ends within 16 ms. Milliseconds. */
const SLICE_MS = 3;

/** How many small items are processed between two steps. */
const AT_ONCE = 64;

/** What work in slices needs from outside. */
export interface Slicing {
  /** Lets everything else that is waiting run first. */
  pause(): Promise<void>;
  /** A clock for durations, milliseconds. */
  elapsed(): number;
}

/** Runs work in slices and everything else between them. Work with the same ports may share a slice. */
export async function runInSlices<Value>(steps: Steps<Value>, ports: Slicing): Promise<Value> {
  for (;;) {
    if (isOver(ports)) await giveWay(ports);
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Lets everything else run if the slice is over. Long work that is not a generator awaits this after each piece. */
export async function giveWay(ports: Slicing): Promise<void> {
  if (!isOver(ports)) return;
  await ports.pause();
  SLICE_STARTS.set(ports, ports.elapsed());
}

function isOver(ports: Slicing): boolean {
  return ports.elapsed() - (SLICE_STARTS.get(ports) ?? Number.NEGATIVE_INFINITY) >= SLICE_MS;
}

/** When everything else last had its turn, by ports. */
const SLICE_STARTS = new WeakMap<Slicing, number>();

/** Runs work to its end at once, for callers that cannot wait. */
export function runAtOnce<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does something small with each item, yielding now and then. */
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

/** Maps each item to something, yielding now and then. */
export function* mapInSteps<Item, Made>(
  items: Iterable<Item>,
  make: (item: Item, index: number) => Made,
  atOnce = AT_ONCE,
): Steps<Made[]> {
  const made: Made[] = [];
  yield* eachInSteps(items, (item, index) => made.push(make(item, index)), atOnce);
  return made;
}

/** Keeps the items that `belongs` accepts, yielding now and then. */
export function* filterInSteps<Item>(
  items: readonly Item[],
  belongs: (item: Item, index: number) => boolean,
  atOnce = 8,
): Steps<Item[]> {
  const kept: Item[] = [];
  yield* eachInSteps(items, (item, index) => belongs(item, index) && kept.push(item), atOnce);
  return kept;
}

/** How many items are sorted at once, and how many are merged between two yields. */
const SORTED_AT_ONCE = 1_024;

/** Sorts items in ascending order, yielding now and then. Equal items keep their order. */
export function* sortInSteps<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Steps<readonly Item[]> {
  yield;
  if (items.length <= SORTED_AT_ONCE) return [...items].sort(compare);
  const middle = items.length >> 1;
  const left = yield* sortInSteps(items.slice(0, middle), compare);
  const right = yield* sortInSteps(items.slice(middle), compare);
  const merged: Item[] = [];
  for (let [from, next] = [0, 0]; merged.length < items.length; ) {
    const [one, other] = [left[from], right[next]];
    if (one !== undefined && (other === undefined || compare(one, other) <= 0)) {
      merged.push(one);
      from += 1;
    } else if (other !== undefined) {
      merged.push(other);
      next += 1;
    }
    if (merged.length % SORTED_AT_ONCE === 0) yield;
  }
  return merged;
}

/** Settles like the work, or with `aborted` as soon as the signal, if any, aborts. Leaves no listener behind. */
export async function orAborted<Value, Aborted>(
  work: Promise<Value>,
  aborted: Aborted,
  signal: AbortSignal | undefined,
): Promise<Value | Aborted> {
  if (signal === undefined) return work;
  let onAbort = (): void => undefined;
  const ended = new Promise<Aborted>((resolve) => {
    onAbort = () => resolve(aborted);
  });
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Makes a queue, which runs each work after the one before it has ended. A failure reaches only whoever asked for that work. */
export function queueWork(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
