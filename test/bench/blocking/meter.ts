import { PerformanceObserver } from 'node:perf_hooks';

/** Work to be measured, and how to clean up after it. */
export interface PreparedCase {
  readonly work: () => Promise<unknown>;
  readonly end?: () => Promise<unknown>;
}

/**
 * How long nothing else could run: the work between two turns of the event loop, milliseconds.
 *
 * Two clocks, because on a busy machine the wall clock also counts what other programs took. `longest` and `turns` are
 * processor time of this thread. Where the system counts that in steps of several milliseconds it may say more than has
 * passed: a turn never took longer than the wall clock says.
 */
export interface Blocks {
  readonly longest: number;
  /** How much of the longest was garbage collection. */
  readonly collecting: number;
  /** Every turn that was not idle, from the shortest to the longest. */
  readonly turns: readonly number[];
  readonly longestWall: number;
  readonly total: number;
}

interface Turn {
  readonly start: number;
  readonly wall: number;
  readonly processor: number;
}

/**
 * Does some work and measures every turn of the event loop meanwhile. Idle turns end at once and are not counted; nor
 * is the collection of what was made before (where `gc` is exposed).
 */
export async function measureBlocks(work: () => Promise<unknown>): Promise<Blocks> {
  globalThis.gc?.();
  const collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const turns: Turn[] = [];
  let running = true;
  let cpu = process.threadCpuUsage();
  let last = performance.now();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(cpu);
    const wall = performance.now() - last;
    if (wall > IDLE_MS) turns.push({ start: last, wall, processor: Math.min(wall, (user + system) / 1_000) });
    cpu = process.threadCpuUsage();
    last = performance.now();
    if (running) setImmediate(look);
  };
  await new Promise((resolve) => setImmediate(resolve));
  const started = performance.now();
  cpu = process.threadCpuUsage();
  last = started;
  setImmediate(look);
  await work();
  const total = performance.now() - started;
  running = false;
  look();
  collections.push(...observer.takeRecords());
  observer.disconnect();
  const sorted = turns.toSorted((one, other) => one.processor - other.processor);
  const longest = sorted.at(-1);
  return {
    longest: longest?.processor ?? 0,
    collecting: longest === undefined ? 0 : collectingIn(longest, collections),
    turns: sorted.map(({ processor }) => processor),
    longestWall: turns.reduce((most, { wall }) => Math.max(most, wall), 0),
    total,
  };
}

/** The garbage collection in a turn; it is measured by the wall clock only. */
function collectingIn({ start, wall, processor }: Turn, collections: readonly PerformanceEntry[]): number {
  const inside = collections.filter(({ startTime }) => startTime >= start && startTime < start + wall);
  return Math.min(
    processor,
    inside.reduce((sum, { duration }) => sum + duration, 0),
  );
}

const IDLE_MS = 0.1;
