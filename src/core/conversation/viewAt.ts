import type { Compaction, RecordedReplacement } from '../compaction/compaction.ts';
import type { Message, MessageId } from '../messages/message.ts';
import { Transcript } from '../messages/transcript.ts';
import type { ViewItem } from '../messages/view.ts';
import { CompactedView, type CompactionEntry } from './compactedView.ts';

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
