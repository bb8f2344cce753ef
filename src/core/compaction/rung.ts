import type { Steps } from '../steps.ts';
import type { Draft } from './draft.ts';
import type { PlanInput } from './strategy.ts';

/**
 * One step of the ladder: plans on the draft that the steps before it left, from the oldest unit on and only as far as
 * the target demands. Returns the same draft when it changes nothing.
 */
export interface Rung {
  readonly id: string;
  plan(draft: Draft, input: PlanInput): Steps<Draft>;
}
