import type { Fingerprint } from './fingerprint.ts';
import type { Thread } from './thread.ts';

/** Every STRIDE-th message of a thread is looked for in a request, and its last LAST ones. */
const STRIDE = 16;
const LAST = 4;

/** At most this many threads are compared with a request in detail. */
const MOST = 4;

/** The threads with the most messages in common with a request, the best first; ties go to the newest. */
export function findCandidates(threads: Iterable<Thread>, prints: readonly Fingerprint[]): readonly Thread[] {
  let set: ReadonlySet<Fingerprint> | undefined;
  const asked = (): ReadonlySet<Fingerprint> => {
    set ??= new Set(prints);
    return set;
  };
  const likely = [...threads].filter((thread) => isLikely(thread, prints, asked));
  if (likely.length <= 1) return likely;
  const found = likely.map((thread) => ({
    thread,
    common: thread.prints.filter((print) => asked().has(print)).length,
  }));
  found.sort((one, two) => two.common - one.common || two.thread.record.updatedAt - one.thread.record.updatedAt);
  return found.slice(0, MOST).map(({ thread }) => thread);
}

/** A message at the same place is found at once; the set of all messages is only built when there is none. */
function isLikely(
  { prints, awaited }: Thread,
  request: readonly Fingerprint[],
  asked: () => ReadonlySet<Fingerprint>,
): boolean {
  const isSampled = (index: number): boolean => index % STRIDE === 0 || index >= prints.length - LAST;
  return (
    prints.some((print, index) => isSampled(index) && (print === request[index] || asked().has(print))) ||
    awaited.some(({ print }) => asked().has(print))
  );
}
