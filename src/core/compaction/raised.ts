import type { MessageId } from '../messages/message.ts';
import type { Steps } from '../steps.ts';
import type { Draft, Unit } from './draft.ts';
import type { PassageIndex } from './recall/passageIndex.ts';

/** Messages that a run's instructions ask for, by id: 0 for the best match. */
export type Raised = ReadonlyMap<MessageId, number>;

/** A run without instructions. */
export const NOTHING_RAISED: Raised = new Map();

/** At most this many passages are looked at, the best first: more than any note has room for. */
const MOST_PASSAGES = 200;

/** Finds what instructions such as "keep the SQL" ask for, by searching the raw messages for their words. */
export function* findRaised(instructions: string | undefined, index: PassageIndex): Steps<Raised> {
  if (instructions === undefined) return NOTHING_RAISED;
  yield* index.update();
  const found = index.search(instructions, { most: MOST_PASSAGES, among: ({ kind }) => kind !== 'system' });
  const raised = new Map<MessageId, number>();
  for (const [order, { passage }] of found.entries())
    for (const { message } of passage.places) if (!raised.has(message)) raised.set(message, order);
  return raised;
}

/** Those of some units that the run's instructions ask for, the best match first. */
export function raisedUnits({ raised }: Draft, units: readonly Unit[]): Unit[] {
  const ranked = units.map((unit) => ({ unit, rank: rankOf(unit, raised) }));
  return ranked
    .filter(({ rank }) => rank < UNASKED)
    .sort((a, b) => a.rank - b.rank)
    .map(({ unit }) => unit);
}

/** True for a unit that the run's instructions ask for. */
export function isRaised({ raised }: Draft, unit: Unit | undefined): boolean {
  return unit !== undefined && rankOf(unit, raised) < UNASKED;
}

const UNASKED = Number.POSITIVE_INFINITY;

function rankOf({ blocks }: Unit, raised: Draft['raised']): number {
  const ids = blocks.flatMap(({ messages }) => messages.map(({ id }) => id));
  return ids.reduce((best, id) => Math.min(best, raised.get(id) ?? UNASKED), UNASKED);
}
