import type { CompactionError } from '../compaction/compaction.ts';
import { t } from '../language.ts';
import type { ModelError } from '../model/classify.ts';
import { type Advice, type Cure, SELECT_MODEL } from './cure.ts';
import { describeModelError } from './describeModelError.ts';

/** What to do, as a sentence ('' for nothing special), and the buttons that do it. */
export type CompactionAdvice = Omit<Advice, 'what'>;

const NOTHING: CompactionAdvice = { next: '', cures: [] };

/** The faults of a server whose remedies are those of a turn; the others are about the length of the request. */
const LIKE_A_TURN: ReadonlySet<ModelError['kind']> = new Set(['rate-limit', 'timeout', 'other']);

/** Beside a remedy the user can retry or choose another strategy, so two are enough. */
const MOST_CURES = 2;

/**
 * What to do about a summary that the model did not write. `summaryModel`: the setting `karl.summary.model`, where ''
 * means the session's model. What the server said is not repeated.
 */
export function adviseOnCompaction(error: CompactionError, summaryModel: string): CompactionAdvice {
  if (error.kind === 'no-summarizer') return { next: '', cures: [SELECT_MODEL] };
  if (error.kind !== 'summarizer-failed' || error.refusal === undefined) return NOTHING;
  const { refusal } = error;
  if (!LIKE_A_TURN.has(refusal.kind)) return NOTHING;
  if (summaryModel !== '') {
    const setting: Cure = { kind: 'open-setting', setting: 'summary.model' };
    return { next: t('Check the model that writes the summaries (karl.summary.model).'), cures: [setting] };
  }
  const { next, cures } = describeModelError({ kind: 'model', error: refusal, attempts: 1, interrupted: false });
  return { next, cures: cures.slice(0, MOST_CURES) };
}
