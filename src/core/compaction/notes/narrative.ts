import { contains } from '../../messages/blocks.ts';
import { fence, unfence } from '../../messages/fence.ts';
import type { MessageRange } from '../../messages/message.ts';
import { contentText } from '../../messages/parse.ts';
import type { Steps } from '../../steps.ts';
import type { Narrative } from '../compaction.ts';
import type { Draft, Unit } from '../draft.ts';
import type { NoteOrder, PlanInput } from '../strategy.ts';
import { rangeLine, withNarratives, withoutNarratives } from './noteText.ts';

/**
 * The length of a narrative is this share of the tokens that it covers, within the least and the most (ARCHITECTURE,
 * figures).
 */
const LENGTH_SHARE = 0.045;
const LEAST_TOKENS = 1000;
const MOST_TOKENS = 8000;
/** When narratives take more than this share of the target, they are replaced by a single new one. */
const MANY_SHARE = 0.3;
/** Narratives that take more than this share of the target give way to quotations, so none is ordered that would be longer. */
export const MOST_NARRATIVES = 0.4;
/** A model is not asked for a narrative of less than this. Tokens. */
const LEAST_SOURCE = 2000;
/** With less room than this, no model is asked either: its answer would be cut off and still cost money. Tokens. */
const LEAST_ROOM = 256;

/** The length of a model's note about this many tokens, within what the settings allow. */
export function noteLength(sourceTokens: number, most: number): number {
  return Math.min(most, MOST_TOKENS, Math.max(LEAST_TOKENS, Math.floor(sourceTokens * LENGTH_SHARE)));
}

/**
 * The narrative that a plan orders from the model: about everything that the plan changed and no earlier narrative
 * covers. Undefined when no model may be asked, or too little would be covered.
 */
export function planNarrative(draft: Draft, input: PlanInput, handsOver: boolean): NoteOrder | undefined {
  const { when, maxTokens } = input.settings.summary;
  if (!input.canSummarize || when === 'never' || (when === 'whenNeeded' && !handsOver)) return undefined;
  const room = input.target * MOST_NARRATIVES;
  if (room < LEAST_ROOM) return undefined;
  // When the narratives have grown too long, a single new one covers everything, from the raw messages.
  const anew = narrativeTokens(draft) > input.target * MANY_SHARE;
  const told = anew ? -1 : lastTold(draft);
  // The newest unit is the step that the model is at: no narrative covers it.
  const last = draft.units.findLastIndex((unit, index) => unit.changed && index < draft.units.length - 1);
  const behind = draft.units.slice(0, last + 1).filter((unit) => unit.role !== 'prompt');
  // A note made anew may cover messages that a narrative covers already, and more.
  const blocks = behind.flatMap((unit) => unit.blocks).filter((block) => block.range.from > told);
  const [first] = blocks;
  const end = blocks.at(-1);
  if (first === undefined || end === undefined) return undefined;
  const source = draft.count(blocks.flatMap((block) => block.messages.map((message) => message.wire)));
  if (source < LEAST_SOURCE) return undefined;
  return {
    range: { from: first.range.from, to: end.range.to },
    blocks,
    sourceTokens: source,
    maxTokens: Math.floor(Math.min(noteLength(source, maxTokens), room)),
    detail: 'brief',
  };
}

function lastTold(draft: Draft): number {
  return Math.max(-1, ...draft.units.flatMap((unit) => unit.narratives.map(({ covers }) => covers.to)));
}

/** The approximate tokens of all narratives in a draft. */
export function narrativeTokens(draft: Draft): number {
  let sum = 0;
  for (const { narratives } of draft.units)
    for (const { text } of narratives) sum += draft.count([{ role: 'user', content: text }]);
  return sum;
}

/**
 * The draft without the narratives within a range (default: all): the notes that held them are written without them.
 */
export function* dropNarratives(draft: Draft, within?: MessageRange): Steps<Draft> {
  return yield* draft.replace(
    draft.units.flatMap((unit, start) => {
      const kept = unit.narratives.filter(({ covers }) => within !== undefined && !contains(within, covers));
      const [message, ...states] = unit.messages;
      if (kept.length === unit.narratives.length || message === undefined) return [];
      const gone = unit.narratives.filter((narrative) => !kept.includes(narrative));
      const note = withoutNarratives(contentText(message), gone);
      const messages = [{ ...message, content: note }, ...states];
      return [{ start, count: 1, by: { kind: 'note' as const, messages, volatile: unit.volatile, narratives: kept } }];
    }),
  );
}

/**
 * Puts each narrative into the note of the last unit that it covers and that is not whole, so that whatever follows is
 * newer. A unit that was only shortened becomes a note for that,
 * where none is before it.
 */
export function* placeNarratives(draft: Draft, narratives: readonly Narrative[], mark: string): Steps<Draft> {
  let placed = draft;
  for (const narrative of narratives) {
    const takes = (unit: Unit): boolean => unit.state !== 'whole' && unit.role === 'work';
    const last = placed.units.findLastIndex((unit) => takes(unit) && unit.range.from <= narrative.covers.to);
    const at = last < 0 ? placed.units.findIndex(takes) : last;
    // Notes of neighbouring ranges would become many.
    const isAfterNote = placed.units[at]?.state === 'shortened' && placed.units[at - 1]?.state === 'note';
    const start = isAfterNote ? at - 1 : at;
    const unit = placed.units[start];
    if (unit === undefined) continue;
    const { volatile } = unit;
    const made = unit.messages.slice(0, unit.messages.length - volatile);
    const [own, ...beside] = unit.state === 'note' ? made : [fence(mark, rangeLine(unit.range))];
    const text = unfence(contentText(own ?? fence(mark, ''))) ?? '';
    const told = [...unit.narratives, narrative];
    const note = fence(mark, withNarratives(withoutNarratives(text, unit.narratives), told));
    const messages = [note, ...beside, ...unit.messages.slice(made.length)];
    placed = yield* placed.replace([{ start, count: 1, by: { kind: 'note', messages, narratives: told, volatile } }]);
  }
  return placed;
}
