import { randomBytes } from 'node:crypto';
import type { CompactorPorts } from '../core/compaction/compactionRun.ts';

/** What every conversation outside an editor works with: ids, clocks, and a pause in which others go on. */
export const CONVERSATION_PORTS: CompactorPorts = {
  newId: () => randomBytes(6).toString('hex'),
  now: () => Date.now(),
  elapsed: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
};
