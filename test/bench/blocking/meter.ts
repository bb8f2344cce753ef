/**
 * How long nothing else could run: the work between two turns of the event loop, milliseconds.
 *
 * Two clocks, because on a machine that does other things too the wall clock also counts what others took. `longest` and
 * `p999` are processor time of this thread. Where the system counts that in steps of several milliseconds it may say more
 * than has passed: a turn never took longer than the wall clock says.
 */
export interface Blocks {
  readonly longest: number;
  /** Of a thousand turns all but one were shorter. */
  readonly p999: number;
  /** By the wall clock. */
  readonly longestWall: number;
  /** The whole work by the wall clock. */
  readonly total: number;
}

/** Does some work and measures every turn of the event loop meanwhile. Idle turns end at once and are not counted. */
export async function measureBlocks(work: () => Promise<unknown>): Promise<Blocks> {
  const turns: { readonly wall: number; readonly processor: number }[] = [];
  let running = true;
  let cpu = process.threadCpuUsage();
  let last = performance.now();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(cpu);
    const wall = performance.now() - last;
    if (wall > IDLE_MS) turns.push({ wall, processor: Math.min(wall, (user + system) / 1_000) });
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
  const sorted = turns.map(({ processor }) => processor).sort((one, other) => one - other);
  const longest = sorted.at(-1) ?? 0;
  const longestWall = turns.reduce((most, { wall }) => Math.max(most, wall), 0);
  return { longest, p999: sorted[Math.floor(sorted.length * 0.999)] ?? longest, longestWall, total };
}

const IDLE_MS = 0.1;
