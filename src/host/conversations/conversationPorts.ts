import type { CompactorPorts } from '../../core/compaction/compactionRun.ts';

/** What every conversation of the extension host works with: ids, clocks, and a pause that lets the editor work. */
export const CONVERSATION_PORTS: CompactorPorts = {
  newId: () => {
    const bytes = crypto.getRandomValues(new Uint8Array(6));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  },
  now: () => Date.now(),
  elapsed: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
};
