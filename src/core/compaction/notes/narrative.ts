import { contains } from '../../messages/blocks.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import { fence, unfence } from '../../messages/fence.ts';
import type { MessageRange } from '../../messages/message.ts';
import { contentText } from '../../messages/parse.ts';
import type { Steps } from '../../steps.ts';
import type { Narrative } from '../compaction.ts';
import { type Draft, isFrozen } from '../draft.ts';
import type { NoteOrder, PlanInput } from '../strategy.ts';
import { planNotes, rangeOf } from './notePlan.ts';
import { withNarratives, withoutNarratives } from './noteText.ts';

/** Length of a narrative: this share of the tokens that it covers (ARCHITECTURE, figures), between the least and the most. */
const LENGTH_SHARE = 0.045;
const LEAST_TOKENS = 1000;
const MOST_TOKENS = 8000;
/** Narratives may take this share of the target before they are told anew as one. */
const MANY_SHARE = 0.3;
/** A model is not asked to tell of less than this. Tokens. */
const LEAST_SOURCE = 2000;

/** Tokens that a model's note of so much may have, within what the settings allow. */
export function noteLength(sourceTokens: number, most: number): number {
  return Math.min(most, MOST_TOKENS, Math.max(LEAST_TOKENS, Math.floor(sourceTokens * LENGTH_SHARE)));
}

/**
 * The narrative that a plan asks of the model: of all that the plan changed and that no earlier narrative tells. Undefined
 * when no model may be asked, or too little is behind it.
 */
export function planNarrative(draft: Draft, input: PlanInput, handsOver: boolean): NoteOrder | undefined {
  const { when, maxTokens } = input.settings.summary;
  if (!input.canSummarize || when === 'never' || (when === 'whenNeeded' && !handsOver)) return undefined;
  // When the narratives so far have grown too many, one tells of everything anew, from the raw messages.
  const anew = narrativeTokens(draft) > input.target * MANY_SHARE;
  const told = anew ? -1 : lastTold(draft);
  const first = draft.units.findIndex((unit) => unit.role !== 'prompt' && unit.range.from > told);
  // The newest unit is the step that the model is at: it is never told of.
  const last = draft.units.findLastIndex((unit, index) => unit.changed && index < draft.units.length - 1);
  if (first < 0 || last < first) return undefined;
  const covered = draft.units.slice(first, last + 1);
  const blocks = covered.flatMap((unit) => unit.blocks);
  const source = draft.count(blocks.flatMap((block) => block.messages.map((message) => message.wire)));
  if (source < LEAST_SOURCE) return undefined;
  return {
    range: rangeOf(covered),
    blocks,
    sourceTokens: source,
    maxTokens: noteLength(source, maxTokens),
    detail: 'brief',
  };
}

function lastTold(draft: Draft): number {
  return Math.max(-1, ...draft.units.flatMap((unit) => unit.narratives.map(({ covers }) => covers.to)));
}

/** Tokens, about, of what models told in the notes of a draft. */
export function narrativeTokens(draft: Draft): number {
  const texts = draft.units.flatMap((unit) => unit.narratives.map(({ text }) => text));
  return texts.reduce((sum, text) => sum + draft.count([{ role: 'user', content: text }]), 0);
}

/** The draft without the narratives that lie in a range (default: all): the notes that held them are written without. */
export function dropNarratives(draft: Draft, within?: MessageRange): Draft {
  return draft.replace(
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

/** Lines of a unit that becomes a note only to hold a narrative. Characters. */
const ROOM = 2000;

/**
 * Puts narratives into the note of the last unit that they tell of and that the plan changed: what follows is newer. A
 * unit that was only shortened becomes a note for it.
 */
export function* placeNarratives(draft: Draft, narratives: readonly Narrative[], mark: string): Steps<Draft> {
  let placed = draft;
  for (const narrative of narratives) {
    const start = findPlace(placed, narrative.covers);
    const unit = placed.units[start];
    if (unit === undefined) continue;
    const own = unit.state === 'note' ? unit.messages[0] : yield* noteOf(placed, start, mark);
    const text = own === undefined ? undefined : unfence(contentText(own));
    if (text === undefined) continue;
    const told = [...unit.narratives, narrative];
    const states = unit.volatile === 0 ? [] : unit.messages.slice(-unit.volatile);
    const messages = [fence(mark, withNarratives(text, [narrative])), ...states];
    const by = {
      kind: 'note' as const,
      messages,
      narratives: told,
      ...(states.length > 0 && { volatile: unit.volatile }),
    };
    placed = placed.replace([{ start, count: 1, by }]);
  }
  return placed;
}

function* noteOf(draft: Draft, start: number, mark: string): Steps<ChatMessage | undefined> {
  const plan = yield* planNotes(draft, mark, [{ start, count: 1 }]);
  return (yield* plan.messages(ROOM))[0];
}

function findPlace(draft: Draft, covers: MessageRange): number {
  const changed = (unit: Draft['units'][number]): boolean =>
    unit.state !== 'whole' && !isFrozen(unit) && unit.role === 'work';
  const inside = draft.units.findLastIndex((unit) => changed(unit) && unit.range.from <= covers.to);
  return inside >= 0 ? inside : draft.units.findIndex(changed);
}
