import { contains } from '../messages/blocks.ts';
import { fence } from '../messages/fence.ts';
import { handleOf } from '../messages/handle.ts';
import type { MessageRange } from '../messages/message.ts';
import type { Compaction, RecordedReplacement, Replacement, Substitute } from './compaction.ts';

/**
 * Takes a block out of the replaced range that holds it, so that it stands whole again: the note stays before it
 * (or after it, when the block is the first of the range); what follows gets a line of its own, so that a later run that
 * replaces the note leaves nothing unnamed. Used when a replaced message is pinned: it splits the range around it (law 2).
 */
export function splitForPin(compaction: Compaction, block: MessageRange): Compaction {
  const { replacements, edits } = compaction;
  const isEdited = edits?.some(({ id }) => isIn(block, id)) === true;
  if (!isEdited && !replacements.some((replacement) => contains(replacement.range, block))) return compaction;
  return {
    ...compaction,
    replacements: replacements.flatMap((replacement) => split(replacement, block, compaction.id)),
    ...(edits !== undefined && { edits: edits.filter(({ id }) => !isIn(block, id)) }),
  };
}

function isIn({ from, to }: MessageRange, id: number): boolean {
  return from <= id && id <= to;
}

function split(replacement: Replacement, block: MessageRange, id: string): Replacement[] {
  const { range, by } = replacement;
  if (!contains(range, block)) return [replacement];
  const left: MessageRange = { from: range.from, to: block.from - 1 };
  const right: MessageRange = { from: block.to + 1, to: range.to };
  const hasLeft = left.from <= left.to;
  const hasRight = right.from <= right.to;
  if (hasLeft && hasRight)
    return [
      { range: left, by },
      { range: right, by: toldIn(range, right, id) },
    ];
  if (hasLeft) return [{ range: left, by }];
  return hasRight ? [{ range: right, by }] : [];
}

/** The line that stands for a part of a range whose note stands before another part. */
function toldIn(range: MessageRange, part: MessageRange, id: string): Substitute {
  return { kind: 'line', messages: [fence(id, `[${handleOf(part)} told in ${handleOf(range)}]`)] };
}

/** What stands for a later part of a range that newer records, or what the user restored, have split. */
export function remainderOf(replacement: RecordedReplacement, range: MessageRange): RecordedReplacement {
  const { compaction } = replacement;
  const by = toldIn(replacement.range, range, compaction);
  return { compaction, range, by, messages: by.messages };
}
