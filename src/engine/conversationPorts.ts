import { randomBytes } from 'node:crypto';
import type { CompactorPorts } from '../core/compaction/compactionRun.ts';

/** The ports of every conversation outside an editor: ids, clocks, and a pause that lets other work go on. */
export const CONVERSATION_PORTS: CompactorPorts = {
  newId: () => randomBytes(6).toString('hex'),
  now: () => Date.now(),
  elapsed: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
};
