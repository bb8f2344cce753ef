import type { Compaction } from '../../compaction/compaction.ts';
import type { ConversationState } from '../conversationState.ts';
import { promptLength, type SentMessage } from './known.ts';
import { toTranscript } from './own.ts';
import type { SplitRequest } from './splitRequest.ts';
import type { Opened, Thread } from './thread.ts';

/** A thread that begins like a request, and how many messages, without the prompt, both have in common. */
export interface Found {
  readonly thread: Thread;
  readonly opened: Opened;
  readonly shared: number;
}

/** The state that a new thread begins with. */
export interface Beginning {
  readonly state: ConversationState;
  readonly known: readonly SentMessage[];
}

/** The beginning of a thread from a request alone. */
export function beginWith({ prompt, messages, prints }: SplitRequest): Beginning {
  const known = messages.map((_, index) => ({ id: prompt.length + index, print: prints[index] ?? 0 }));
  return { state: { version: 1, messages: toTranscript([...prompt, ...messages]), compactions: [], pins: [] }, known };
}

/** The beginning of a thread that has its first messages, and what was made from these alone, from another. */
export function forkOf({ opened, shared }: Found, split: SplitRequest): Beginning {
  const { conversation, known } = opened;
  const { undone: _, ...state } = conversation.snapshot();
  const start = promptLength(state.messages);
  // Another number of messages in the prompt would shift all others.
  if (start !== split.prompt.length) return beginWith(split);
  const end = known[shared]?.id ?? state.messages.length;
  const common = state.messages.slice(start, end);
  const added = split.messages.slice(shared);
  const ids = added.map((_message, index) => ({ id: end + index, print: split.prints[shared + index] ?? 0 }));
  return {
    state: {
      ...state,
      messages: [...toTranscript(split.prompt), ...common, ...toTranscript(added)],
      compactions: state.compactions.flatMap((compaction) => cutCompaction(compaction, end)),
      pins: state.pins.filter((pin) => pin < end),
    },
    known: [...known.slice(0, shared), ...ids],
  };
}

/**
 * A record as it holds for the first `end` messages. A run looks at everything that there is, so its record holds when
 * all of that is there; what the user did by hand to single messages holds for each.
 */
function cutCompaction(compaction: Compaction, end: number): Compaction[] {
  if (compaction.transcriptLength <= end) return [compaction];
  if (compaction.strategy !== 'manual') return [];
  const replacements = compaction.replacements.filter(({ range }) => range.to < end);
  const edits = compaction.edits?.filter(({ id }) => id < end) ?? [];
  if (replacements.length + edits.length === 0) return [];
  return [{ ...compaction, transcriptLength: end, replacements, ...(compaction.edits !== undefined && { edits }) }];
}

/** Of fewer messages before the last, nobody can tell whether they were changed or are another conversation. */
const LEAST_REWRITTEN = 4;

/**
 * Whether a request is the history of a thread again, changed here and there: its client writes the date into a message,
 * or clears old results. Nothing would ever continue the thread, which is deleted so that such threads do not pile up.
 */
export function isRewriting({ prints }: SplitRequest, { record, opened, isHeld }: Thread): boolean {
  const known = record.prints;
  const last = known.length - 1;
  if (isHeld || last < LEAST_REWRITTEN || known[last] !== prints[last]) return false;
  const equal = known.filter((print, index) => print === prints[index]).length;
  return equal < known.length && equal >= known.length / 2 && (opened?.conversation.pins().size ?? 0) === 0;
}

/** How many first items two lists have in common. */
export function countEqual(ones: readonly unknown[], others: readonly unknown[]): number {
  let same = 0;
  while (same < ones.length && same < others.length && ones[same] === others[same]) same += 1;
  return same;
}
