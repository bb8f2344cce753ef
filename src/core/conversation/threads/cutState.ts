import type { Compaction } from '../../compaction/compaction.ts';
import type { ConversationState } from '../conversationState.ts';

/**
 * The state of a conversation as it was at its first `length` messages. Records replace only what is before `unchanged`:
 * what they say of later messages may no longer be so.
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
  const replacements = compaction.replacements.filter(({ range, by }) => range.to < length && (by.volatile ?? 0) === 0);
  return replacements.length === 0 ? [] : [{ ...compaction, transcriptLength: length, replacements }];
}
