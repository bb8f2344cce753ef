import type { CompactionResult } from '../../core/compaction/compaction.ts';
import { retell, t } from '../../core/language.ts';

/** Why a run changed nothing, for the user. */
export function describeEnd(result: Extract<CompactionResult, { kind: 'skipped' | 'failed' }>): string {
  return retell(result.kind === 'skipped' ? result.message : result.error.message);
}

/** That a run was skipped, and why: what it says of itself is not said twice. */
export function describeSkipped(result: Extract<CompactionResult, { kind: 'skipped' }>): string {
  return result.reason === 'nothing-to-compact'
    ? t('Nothing was compressed: what is left is the prompt, pinned messages, the current request and summaries.')
    : t('Nothing was compressed. {0}', describeEnd(result));
}
