import type { CompactionResult } from '../../core/compaction/outcome.ts';
import { retell } from '../../core/language.ts';

/** Why a run changed nothing, for the user. */
export function describeEnd(result: Extract<CompactionResult, { kind: 'skipped' | 'failed' }>): string {
  return retell(result.kind === 'skipped' ? result.message : result.error.message);
}
