import { findHolding } from '../../messages/blocks.ts';
import type { Steps } from '../../steps.ts';
import type { CompactionRun } from '../compactionRun.ts';
import { type Change, startDraft } from '../draft.ts';
import type { MadeRun } from '../madeRun.ts';

/**
 * Applies a run made earlier to the conversation as it is now; undefined when what it replaces is no longer there as
 * whole blocks. Whether the result is legal is for the laws to say.
 */
export function* rebase(made: MadeRun, run: CompactionRun): Steps<MadeRun | undefined> {
  const before = yield* startDraft(run);
  const changes: Change[] = [];
  for (const { range, by } of made.after.replacements()) {
    yield;
    const start = findHolding(before.units, range.from);
    const end = findHolding(before.units, range.to);
    if (before.units[start]?.range.from !== range.from || before.units[end]?.range.to !== range.to) return undefined;
    changes.push({ start, count: end - start + 1, by });
  }
  return { ...made, before, after: yield* before.replaceInSteps(changes) };
}
