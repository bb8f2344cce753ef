import type { Steps } from '../../src/core/compaction/steps.ts';

/** Runs work that could be paused at once, to its end. */
export function runAtOnce<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
