import type { CompactorPorts } from '../core/compaction/compactionRun.ts';
import { newId } from './newId.ts';

/** What every conversation of the extension host works with: ids, clocks, and a pause in which the editor goes on. */
export const CONVERSATION_PORTS: CompactorPorts = {
  newId,
  now: () => Date.now(),
  elapsed: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
};
