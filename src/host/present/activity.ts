import type { KarlEvent } from '../../core/events/event.ts';
import { retell, t } from '../../core/language.ts';
import { unreachable } from '../../core/result.ts';
import type { SessionState } from '../../core/session/turnContext.ts';
import type { ActivityState } from '../../protocol/viewState.ts';
import { describeFault } from '../notices/describeModelError.ts';
import { triggerWords } from './words.ts';

/** A compaction that runs now: what started it, and what it waits for. */
export type RunningCompaction = Pick<Extract<KarlEvent, { type: 'compaction-started' }>, 'trigger' | 'waitsFor'>;

/**
 * What the session does, in words. `now`: milliseconds of the session's clock. A compaction by command runs while the
 * session is idle.
 */
export function presentActivity(
  state: SessionState,
  compressing: RunningCompaction | undefined,
  now: number,
): ActivityState {
  switch (state.kind) {
    case 'idle':
      return compressing === undefined ? { kind: 'idle' } : { kind: 'compacting', label: describeRun(compressing) };
    case 'saving':
      return { kind: 'model', label: t('Saving') };
    case 'compacting':
      return { kind: 'compacting', label: describeRun(compressing ?? state) };
    case 'asking':
      return {
        kind: 'model',
        label:
          state.round === 1
            ? describeWork(state.model)
            : t('{0} is working on request {1} of this turn', state.model, state.round),
      };
    case 'waiting': {
      const { attempt, attempts, until, error } = state;
      return {
        kind: 'retrying',
        label: retell(describeFault(error)),
        remainingMs: Math.max(0, until - now),
        attempt,
        attempts,
      };
    }
    case 'running-tools':
      return { kind: 'tool', label: t('Running {0}', state.tools.join(', ')) };
    default:
      return unreachable(state);
  }
}

/** Says that a model is at work. */
export function describeWork(model: string): string {
  return t('{0} is working on the reply', model);
}

function describeRun({ trigger, waitsFor }: RunningCompaction): string {
  const what = trigger === 'command' ? t('Compressing') : t('Compressing: {0}', triggerWords(trigger));
  return waitsFor === undefined ? what : t('{0}. Waiting for the model to finish the summary', what);
}
