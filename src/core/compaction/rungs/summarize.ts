import { fence } from '../../messages/fence.ts';
import type { Draft } from '../draft.ts';
import { rangeOf } from '../notePlan.ts';
import { labelRange } from '../noteText.ts';
import type { NoteOrder, PlanInput } from '../strategy.ts';

/** A model is not asked to tell a story of less than this. Tokens. */
const LEAST_SOURCE = 500;

/**
 * A model writes the narrative of everything that this run turned into notes: the last of them is ordered from the
 * model, the others become labelled handles. Returns undefined when no note was made or too little stands behind them.
 */
export function planSummary(
  draft: Draft,
  input: PlanInput,
): { readonly draft: Draft; readonly order: NoteOrder } | undefined {
  const noted = draft.units.flatMap((unit, index) => (unit.changed && unit.state === 'note' ? [index] : []));
  const last = noted.at(-1);
  if (last === undefined) return undefined;
  const changes = noted.slice(0, -1).flatMap((start) => {
    const unit = draft.units[start];
    if (unit === undefined) return [];
    const messages = [fence(input.mark, labelRange(unit.range, unit.blocks, 400))];
    return draft.count(messages) < unit.tokens ? [{ start, count: 1, by: { kind: 'line' as const, messages } }] : [];
  });
  const first = noted[0] ?? last;
  const blocks = draft.units.slice(first, last + 1).flatMap((unit) => unit.blocks);
  const target = draft.units[last];
  if (target === undefined) return undefined;
  const source =
    blocks.reduce((sum, block) => sum + block.messages.reduce((part, message) => part + message.text.length, 0), 0) / 4;
  if (source < LEAST_SOURCE) return undefined;
  return {
    draft: draft.replace(changes),
    order: {
      range: target.range,
      source: rangeOf(draft.units.slice(first, last + 1)),
      blocks,
      maxTokens: input.settings.summary.maxTokens,
    },
  };
}
