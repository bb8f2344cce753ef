import { randomBytes } from 'node:crypto';
import type { CompactorPorts } from '../../core/compaction/compactionRun.ts';

/** The ports for work in slices, between which everything else may run. */
export const SLICES = {
  pause: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)),
  /** Milliseconds. */
  elapsed: (): number => performance.now(),
} as const;

/** The longest time of a timer: one that is set for longer fires at once. Milliseconds, 24.8 days. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The ports of every conversation outside an editor: ids, clocks, and a pause that lets other work go on. */
export const NODE_PORTS: CompactorPorts = {
  ...SLICES,
  newId: () => randomBytes(6).toString('hex'),
  now: () => Date.now(),
};
