import { contains } from '../messages/blocks.ts';
import { fence } from '../messages/fence.ts';
import { handleOf } from '../messages/handle.ts';
import type { MessageRange } from '../messages/message.ts';
import type { Compaction, RecordedReplacement, Replacement, Substitute } from './compaction.ts';

/**
 * Takes a block out of the replaced range that contains it, so that it is whole again, as when a replaced message is
 * pinned (law 2). The note stays before the block (or after it, when the block comes first in the range); what follows
 * gets a line of its own, so that it stays named even if a later run replaces the note.
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

/** The line for a part of a range whose note is before another part. */
function toldIn(range: MessageRange, part: MessageRange, id: string): Substitute {
  return { kind: 'line', messages: [fence(id, `[${handleOf(part)} told in ${handleOf(range)}]`)] };
}

/** The line for a later part of a range that newer records, or a restored block, have split. */
export function remainderOf(replacement: RecordedReplacement, range: MessageRange): RecordedReplacement {
  const { compaction } = replacement;
  const by = toldIn(replacement.range, range, compaction);
  return { compaction, range, by, messages: by.messages };
}
