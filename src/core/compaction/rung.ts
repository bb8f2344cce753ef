import type { Draft } from './draft.ts';
import type { Steps } from './steps.ts';
import type { PlanInput } from './strategy.ts';

/** One step of the ladder: plans on the draft that the steps before it left. Returns the same draft when it has nothing. */
export interface Rung {
  readonly id: string;
  plan(draft: Draft, input: PlanInput): Steps<Draft>;
  /** Plans with as many facts as the target leaves room for; undefined when too few have room. */
  fill?(draft: Draft, input: PlanInput): Steps<Draft | undefined>;
}
