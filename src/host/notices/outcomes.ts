import { t } from '../../core/language.ts';
import type { TurnOutcome, TurnProblem } from '../../core/session/turnContext.ts';
import { cureLabel } from '../present/words.ts';
import type { Cure } from './describeModelError.ts';
import { describeProblem } from './describeProblem.ts';
import type { Notice, NoticeAction, Notices } from './notices.ts';

/**
 * Shows why a turn failed and what the user can do, or removes that notice after a successful turn. `resume` continues the
 * turn; `mend` cures the problem first.
 */
export function showOutcome(
  outcome: TurnOutcome,
  notices: Pick<Notices, 'show' | 'remove'>,
  resume: () => void,
  mend: (cure: Cure, problem: TurnProblem) => void,
): void {
  if (outcome.kind !== 'failed') {
    notices.remove('turn');
    return;
  }
  const { problem } = outcome;
  const { what, next, cures } = describeProblem(problem);
  const buttons = cures.map(
    (cure): NoticeAction => ({ label: cureLabel(cure), run: () => mend(cure, problem), keeps: true }),
  );
  const again: NoticeAction = { label: problem.kind === 'turn-limit' ? t('Continue') : t('Retry'), run: resume };
  const actions = isLasting(problem) ? [...buttons, again] : [again, ...buttons];
  notices.show({ id: 'turn', severity: 'error', text: `${what} ${next}`, actions });
}

/** Whether the same request would fail again, so that the cure is offered first. */
function isLasting(problem: TurnProblem): boolean {
  switch (problem.kind) {
    case 'model':
      return !problem.error.retryable;
    case 'overflow':
      // If no compaction has run, the next attempt begins with one.
      return problem.compaction !== undefined;
    default:
      return problem.kind === 'tools-too-large';
  }
}

/** Removes the notices that are outdated when a turn begins. */
export function clearOutcome(notices: Notices): void {
  notices.remove('turn');
  notices.removePassing();
}

/** The notice that a model's server accepts no tool definitions. */
export function toolsNotice(model: string, selectModel: () => void): Notice {
  return {
    id: 'no-tools',
    severity: 'info',
    text: t(
      'The server takes no tools for {0} (karl.model). Karl goes on without them and describes them in the prompt, which works less well.',
      model,
    ),
    actions: [{ label: t('Select Model…'), run: selectModel }],
  };
}
