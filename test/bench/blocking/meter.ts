/**
 * How long nothing else could run: the work between two turns of the event loop, milliseconds of processor time of this
 * thread. What other programs take on a busy machine does not count.
 */
export interface Blocks {
  readonly longest: number;
  /** Of a thousand turns all but one were shorter. */
  readonly p999: number;
  /** The whole work, wall time. */
  readonly total: number;
}

/** Does some work and measures every turn of the event loop meanwhile. Idle turns end at once and are not counted. */
export async function measureBlocks(work: () => Promise<unknown>): Promise<Blocks> {
  const turns: number[] = [];
  let running = true;
  let last = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    turns.push((user + system) / 1_000);
    last = process.threadCpuUsage();
    if (running) setImmediate(look);
  };
  await new Promise((resolve) => setImmediate(resolve));
  const started = performance.now();
  last = process.threadCpuUsage();
  setImmediate(look);
  await work();
  const total = performance.now() - started;
  running = false;
  look();
  const sorted = turns.filter((turn) => turn > IDLE_MS).sort((one, other) => one - other);
  const p999 = sorted[Math.floor(sorted.length * 0.999)] ?? 0;
  return { longest: sorted.at(-1) ?? 0, p999: Math.min(p999, sorted.at(-1) ?? 0), total };
}

const IDLE_MS = 0.1;
