import type { CompactionError, CompactionResult } from '../../core/compaction/compaction.ts';
import type { Budget } from '../../core/model/budget.ts';
import type { ModelError } from '../../core/model/classify.ts';
import { unreachable } from '../../core/result.ts';
import type { TurnOutcome, TurnProblem } from '../../core/session/turnContext.ts';
import { t } from '../../language/language.ts';
import { describeEnd } from '../present/receipt.ts';
import { cureLabel } from '../present/words.ts';
import {
  type Advice,
  type Cure,
  describeModelError,
  evidenceOf,
  SELECT_MODEL,
  SELECT_SERVER,
} from './describeModelError.ts';
import type { NoticeAction, Notices } from './notices.ts';

/** Describes a problem to the user. */
export function describeProblem(problem: TurnProblem): Advice {
  switch (problem.kind) {
    case 'model':
      return describeModelError(problem);
    case 'overflow':
      return describeOverflow(problem);
    case 'output-limit': {
      const { reserve, window } = problem.budget;
      const limit = problem.error.outputLimitTokens ?? problem.error.limitTokens;
      const said = limit === undefined ? evidenceOf(problem.error) : t('its limit is {0} tokens', limit);
      return {
        what: t(
          'The server refused the length of the reply ({0}; the profile reserves {1} tokens of a window of {2} tokens).',
          said,
          reserve,
          window,
        ),
        next: t(
          "Lower completionReserve in the model's profile, or max_tokens in its extra fields; compressing the conversation would not help.",
        ),
        cures: [SELECT_MODEL],
      };
    }
    case 'tools-too-large':
      return {
        what: t(
          'The tool definitions alone ({0} tokens) do not fit into {1} tokens; the largest are {2}.',
          problem.tokens,
          problem.limitTokens,
          problem.largest.join(', '),
        ),
        next: t(
          'Switch tools off in karl.tools.enabled (“What fills the window” shows the size of each), or use a model with a larger window; compressing the conversation cannot help.',
        ),
        cures: [{ kind: 'open-setting', setting: 'tools.enabled' }, SELECT_MODEL],
      };
    case 'not-saved':
      return {
        what: t('The conversation could not be written to disk, so the model was not asked: {0}', problem.message),
        next: t('Nothing is lost while this window is open; make the folder writable or free some space, then retry.'),
        cures: [],
      };
    case 'not-prepared':
      return {
        what: t('The current settings could not be applied, so the model was not asked: {0}.', problem.message),
        next: t('Retry; if it fails again, look at the settings and profiles that you changed last.'),
        cures: [],
      };
    case 'unusable-reply':
      return {
        what: t('What the model sent cannot be stored, so none of it was kept: {0}.', problem.message),
        next: t('Retry; if it sends the same again, select another model (karl.model) or server (karl.baseUrl).'),
        cures: [SELECT_MODEL, SELECT_SERVER],
      };
    case 'turn-limit':
      return describeLimit(problem);
    default:
      return unreachable(problem);
  }
}

function describeLimit({ limit, most }: Extract<TurnProblem, { kind: 'turn-limit' }>): Advice {
  const limits = {
    rounds: [t('The agent called tools in {0} rounds without finishing, which is the limit.', most), 'tools.maxRounds'],
    minutes: [
      t('The agent has worked for {0} minutes without finishing, which is the limit.', most),
      'tools.maxMinutes',
    ],
    dollars: [t('The turn has cost {0}, which is the limit.', `$${most}`), 'tools.maxDollars'],
  } as const;
  const [what, setting] = limits[limit];
  const next = t('Let it continue, or raise the limit ({0}).', `karl.${setting}`);
  return { what, next, cures: [{ kind: 'open-setting', setting }] };
}

function describeOverflow(problem: Extract<TurnProblem, { kind: 'overflow' }>): Advice {
  const { budget, error, compaction, hasPins } = problem;
  const what =
    error === undefined
      ? t(
          'Prompt, tools, pinned messages and the current request alone take {0} tokens, but there is room for only {1}: no compression can make them fit.',
          budget.fixed,
          budget.limit,
        )
      : t('{0}; {1}.', whatWasRefused(error, budget), whatCompactionDid(compaction));
  if (compaction?.kind === 'failed')
    return {
      what,
      next: t('Compress with another strategy, or select a model with a larger window (karl.model), then retry.'),
      cures: [{ kind: 'compress-with' }, SELECT_MODEL],
    };
  return {
    what,
    next:
      hasPins === true
        ? t(
            'Shorten the current message, unpin messages, or select a model with a larger window (karl.model), then retry.',
          )
        : t('Shorten the current message, or select a model with a larger window (karl.model), then retry.'),
    cures: [SELECT_MODEL],
  };
}

/** Without a stated limit no figures are named: Karl's own would contradict the refusal. */
function whatWasRefused(error: ModelError, budget: Budget): string {
  if (error.limitTokens === undefined)
    return t('The server refused the request as too long and names no limit for it ({0})', evidenceOf(error));
  const actual = error.actualTokens ?? budget.used.tokens;
  const limit = error.limitTokens;
  return error.lowerBound === true
    ? t('The request has at least {0} tokens and the model takes {1} tokens', actual, limit)
    : t('The request has {0} tokens and the model takes {1} tokens', actual, limit);
}

function whatCompactionDid(compaction: CompactionResult | undefined): string {
  switch (compaction?.kind) {
    case undefined:
      return t('it was not compressed again, because that was already done for this request or cannot help');
    case 'compacted':
      return t(
        'a compression brought it from {0} to {1} tokens, which is not enough',
        compaction.receipt.tokensBefore,
        compaction.receipt.tokensAfter,
      );
    case 'skipped':
    case 'failed':
      return t('a compression could not shorten it ({0})', describeEnd(compaction).replace(/\.$/, ''));
    case 'cancelled':
      return t('the compression was cancelled');
    default:
      return unreachable(compaction);
  }
}

/** Server faults with the same remedies as in a turn; the others concern the length of the request. */
const LIKE_A_TURN: ReadonlySet<ModelError['kind']> = new Set(['rate-limit', 'timeout', 'other']);

/** Two are enough, since the user can also retry or choose another strategy. */
const MOST_CURES = 2;

/**
 * What to do about a summary that the model did not write: a sentence ('' for nothing special), and the remedies.
 * `summaryModel`: the setting `karl.summary.model`; '' means the session's model.
 */
export function adviseOnCompaction(error: CompactionError, summaryModel: string): Omit<Advice, 'what'> {
  if (error.kind === 'no-summarizer') return { next: '', cures: [SELECT_MODEL] };
  const refusal = error.kind === 'summarizer-failed' ? error.refusal : undefined;
  if (refusal === undefined || !LIKE_A_TURN.has(refusal.kind)) return { next: '', cures: [] };
  if (summaryModel !== '')
    return {
      next: t('Check the model that writes the summaries (karl.summary.model).'),
      cures: [{ kind: 'open-setting', setting: 'summary.model' }],
    };
  const { next, cures } = describeModelError({ kind: 'model', error: refusal, attempts: 1, interrupted: false });
  return { next, cures: cures.slice(0, MOST_CURES) };
}

/**
 * The buttons of a failure: `retry`, and one for each cure, whose notice stays, since the user may leave the dialog.
 * `isLasting`: the same request would fail again, so the cures come first.
 */
export function buttonsFor(
  cures: readonly Cure[],
  mend: (cure: Cure) => void,
  retry: readonly NoticeAction[],
  isLasting: boolean,
): readonly NoticeAction[] {
  const mending = cures.map((cure) => ({ label: cureLabel(cure), run: () => mend(cure), keeps: true }) as const);
  return isLasting ? [...mending, ...retry] : [...retry, ...mending];
}

/**
 * Shows why a turn failed and what the user can do, or removes that notice after a successful turn. `resume` continues the
 * turn; `mend` cures the problem first.
 */
export function showOutcome(
  outcome: TurnOutcome,
  notices: Pick<Notices, 'announce' | 'remove'>,
  resume: () => void,
  mend: (cure: Cure) => void,
): void {
  if (outcome.kind !== 'failed') return void notices.remove('turn');
  const { problem } = outcome;
  // It says the same with the same figures.
  if (problem.kind === 'overflow' && problem.error === undefined) notices.remove('shortage');
  const { what, next, cures } = describeProblem(problem);
  const again: NoticeAction = { label: problem.kind === 'turn-limit' ? t('Continue') : t('Retry'), run: resume };
  const actions = buttonsFor(cures, mend, [again], isLasting(problem));
  notices.announce({ id: 'turn', severity: 'error', text: `${what} ${next}`, actions, passing: true });
}

/** Whether the same request would fail again. */
function isLasting(problem: TurnProblem): boolean {
  if (problem.kind === 'model') return !problem.error.retryable;
  // If no compaction has run, the next attempt begins with one.
  if (problem.kind === 'overflow') return problem.compaction !== undefined;
  return problem.kind === 'tools-too-large';
}
