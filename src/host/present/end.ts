import type { CompactionResult } from '../../core/compaction/outcome.ts';
import { retell } from '../../core/language.ts';

/** Why a run changed nothing, for the user. */
export function describeEnd(result: Extract<CompactionResult, { kind: 'skipped' | 'failed' }>): string {
  // The reason of a hook is a text of others.
  if (result.kind === 'skipped') return result.reason === 'vetoed' ? result.message : retell(result.message);
  return retell(result.error.message);
}
