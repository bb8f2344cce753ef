import { contains } from '../messages/blocks.ts';
import { fence } from '../messages/fence.ts';
import { handleOf } from '../messages/handle.ts';
import type { MessageRange } from '../messages/message.ts';
import type { Compaction, Replacement } from './compaction.ts';

/**
 * Takes a block out of the replaced range that holds it, so that it stands whole again: the note stays before it
 * (or after it, when the block is the first of the range); what follows gets a line of its own, so that a later run that
 * replaces the note leaves nothing unnamed. Used when a replaced message is pinned: it splits the range around it (law 2).
 */
export function splitForPin(compaction: Compaction, block: MessageRange): Compaction {
  if (!compaction.replacements.some((replacement) => contains(replacement.range, block))) return compaction;
  const replacements = compaction.replacements.flatMap((replacement) => split(replacement, block, compaction.id));
  return { ...compaction, replacements };
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
      { range: right, by: { kind: 'line', messages: [fence(id, `[${handleOf(right)} told in ${handleOf(range)}]`)] } },
    ];
  if (hasLeft) return [{ range: left, by }];
  return hasRight ? [{ range: right, by }] : [];
}
