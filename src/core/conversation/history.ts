import { contains } from '../chat/blocks.ts';
import type { Message, MessageId } from '../chat/message.ts';
import { Transcript } from '../chat/transcript.ts';
import type { ViewItem } from '../chat/view.ts';
import type { Compaction, RecordedReplacement } from '../compaction/compaction.ts';
import { CompactedView, type CompactionEntry } from './compactedView.ts';

/**
 * The later compactions in force that build on a given one, newest first: they replaced what it (or another that builds
 * on it) had put into the view, so undoing it alone would not restore that. Changes by hand stand alone.
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

/** The later compactions that the undo of a given one took along, oldest first; its redo brings them back. */
export function undoneWith(history: readonly CompactionEntry[], id: string): readonly Compaction[] {
  return history.filter((entry) => entry.undoneWith === id).map(({ compaction }) => compaction);
}

function covers(later: Compaction, earlier: Compaction): boolean {
  return later.replacements.some((replacement) =>
    earlier.replacements.some(({ range }) => contains(replacement.range, range)),
  );
}

/** The view as it would be with only the first `length` raw messages and these records. */
export function viewAt(
  messages: readonly Message[],
  length: MessageId,
  compactions: readonly Compaction[],
): readonly ViewItem<RecordedReplacement>[] {
  const transcript = new Transcript();
  for (const message of messages.slice(0, length)) transcript.append(message);
  const view = new CompactedView(transcript);
  view.restore(compactions, []);
  return view.items();
}

/** What the model was sent before and after one compaction; undefined when there is no such record. */
export function viewsAround(
  messages: readonly Message[],
  history: readonly CompactionEntry[],
  id: string,
): Record<'before' | 'after', readonly ViewItem<RecordedReplacement>[]> | undefined {
  const index = history.findIndex(({ compaction }) => compaction.id === id);
  const made = history[index]?.compaction;
  if (made === undefined) return undefined;
  const earlier = history.slice(0, index).flatMap(({ compaction, undone }) => (undone ? [] : [compaction]));
  return {
    before: viewAt(messages, made.transcriptLength, earlier),
    after: viewAt(messages, made.transcriptLength, [...earlier, made]),
  };
}
