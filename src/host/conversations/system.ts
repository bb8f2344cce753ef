import type { CompactorPorts } from '../../core/compaction/compactionRun.ts';
import type { Clock } from '../../core/session/turnContext.ts';
import { orAborted } from '../../core/steps.ts';

/** Ids, clocks, and a pause that lets the editor work, for every conversation in the extension host. */
export const CONVERSATION_PORTS: CompactorPorts = {
  newId: () => newId().replace('-', '').slice(0, 12),
  now: () => Date.now(),
  elapsed: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
};

/** The clock of this machine. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) => orAborted(new Promise<void>((resolve) => setTimeout(resolve, ms)), undefined, signal),
};

/** An unguessable id that is also a folder name. */
export function newId(): string {
  return crypto.randomUUID();
}

/** Does something once, this many milliseconds after the first `ask`, for all of them until then. */
export function soon(work: () => void, milliseconds: number) {
  let timer: NodeJS.Timeout | undefined;
  return {
    ask: (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        work();
      }, milliseconds);
    },
    /** Cancels what was asked for. */
    dispose: (): void => clearTimeout(timer),
  };
}
