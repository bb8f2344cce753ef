import type { Compaction, Replacement } from '../../compaction/compaction.ts';
import { contentText } from '../../messages/parse.ts';
import type { ConversationState } from '../conversationState.ts';

/**
 * The state of a conversation with only its first `length` messages. Of the records, only replacements before
 * `unchanged` are kept, and only those that say nothing about later messages, since those may differ now.
 */
export function cutState(state: ConversationState, length: number, unchanged = length): ConversationState {
  return {
    ...state,
    messages: state.messages.slice(0, length),
    compactions: state.compactions.flatMap((compaction) => cutCompaction(compaction, unchanged)),
    pins: state.pins.filter((pin) => pin < length),
  };
}

function cutCompaction(compaction: Compaction, length: number): Compaction[] {
  if (compaction.transcriptLength <= length) return [compaction];
  const replacements = compaction.replacements.filter((replacement) => holds(replacement, length));
  const edits = compaction.edits?.filter(({ id }) => id < length) ?? [];
  if (replacements.length === 0 && edits.length === 0) return [];
  return [{ ...compaction, transcriptLength: length, replacements, ...(compaction.edits !== undefined && { edits }) }];
}

function holds({ range, by }: Replacement, length: number): boolean {
  if (range.to >= length || (by.volatile ?? 0) > 0) return false;
  return by.messages.every((message) => {
    const handles = contentText(message).matchAll(/(?<!\w)t(\d{1,9})(?:-(\d{1,9}))?(?!\w)/g);
    return [...handles].every(([, from, to = from]) => Number(to) < length);
  });
}
