import type { Compaction } from '../compaction/compaction.ts';
import { contains } from '../messages/blocks.ts';
import type { CompactionEntry } from './compactedView.ts';

/**
 * The later compactions in force that build on a given one, newest first: they replaced what it, or another that builds
 * on it, had put into the view. While they are in force, undoing it alone restores nothing of that. Changes by hand
 * stand alone.
 */
export function buildsOn(history: readonly CompactionEntry[], id: string): readonly Compaction[] {
  const index = history.findIndex(({ compaction }) => compaction.id === id);
  const base = history[index];
  if (base === undefined || base.undone || base.compaction.strategy === 'manual') return [];
  const found: Compaction[] = [];
  for (const { compaction, undone } of history.slice(index + 1)) {
    if (undone || compaction.strategy === 'manual') continue;
    if ([base.compaction, ...found].some((earlier) => covers(compaction, earlier))) found.unshift(compaction);
  }
  return found;
}

/** The later compactions that the undo of a given one took along, oldest first: its redo brings them back. */
export function undoneWith(history: readonly CompactionEntry[], id: string): readonly Compaction[] {
  return history.filter((entry) => entry.undoneWith === id).map(({ compaction }) => compaction);
}

function covers(later: Compaction, earlier: Compaction): boolean {
  return later.replacements.some((replacement) =>
    earlier.replacements.some(({ range }) => contains(replacement.range, range)),
  );
}
