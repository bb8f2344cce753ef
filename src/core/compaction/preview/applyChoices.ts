import type { Steps } from '../../steps.ts';
import type { CompactionRun } from '../compactionRun.ts';
import type { Draft } from '../draft.ts';
import { renewState } from '../notes/state.ts';
import type { PlanInput, Strategy } from '../strategy.ts';
import { applyEdits } from './noteEdits.ts';
import { setAside } from './setAside.ts';

/** The input of the plan, and its strategy's promise. */
interface Planned extends Pick<PlanInput, 'ledger' | 'mark' | 'limit'>, Pick<Strategy, 'promise'> {}

/** Applies what the user chose in the preview to a plan. What law 7 requires and no message says any more joins the state. */
export function* applyChoices(draft: Draft, run: CompactionRun, input: Planned): Steps<Draft> {
  const left = yield* setAside(draft, run.aside ?? new Set(), input);
  const chosen = yield* applyEdits(left, run, input.mark);
  if (chosen === draft || input.promise === 'handles-only') return chosen;
  return yield* renewState(chosen, { ...input, target: input.limit });
}
