import type { MessageId } from '../messages/message.ts';
import type { Steps } from '../steps.ts';
import { type AskedFor, type Draft, NOTHING_ASKED_FOR, type Unit } from './draft.ts';
import type { PassageIndex } from './recall/passageIndex.ts';

/** At most this many passages are looked at, the best first: more than any note has room for. */
const MOST_PASSAGES = 200;

/** Finds what instructions such as "keep the SQL" ask for, by searching the raw messages for their words. */
export function* findAskedFor(instructions: string | undefined, index: PassageIndex): Steps<AskedFor> {
  if (instructions === undefined) return NOTHING_ASKED_FOR;
  yield* index.update();
  const found = index.search(instructions, { most: MOST_PASSAGES, among: ({ kind }) => kind !== 'system' });
  const askedFor = new Map<MessageId, number>();
  for (const [order, { passage }] of found.entries())
    for (const { message } of passage.places) if (!askedFor.has(message)) askedFor.set(message, order);
  return askedFor;
}

/** Those of some units that the run's instructions ask for, the best match first. */
export function unitsAskedFor({ askedFor }: Draft, units: readonly Unit[]): Unit[] {
  const ranked = units.map((unit) => ({ unit, rank: rankOf(unit, askedFor) }));
  return ranked
    .filter(({ rank }) => rank < UNASKED)
    .sort((a, b) => a.rank - b.rank)
    .map(({ unit }) => unit);
}

/** True for a unit that the run's instructions ask for. */
export function isAskedFor({ askedFor }: Draft, unit: Unit | undefined): boolean {
  return unit !== undefined && rankOf(unit, askedFor) < UNASKED;
}

const UNASKED = Number.POSITIVE_INFINITY;

function rankOf({ blocks }: Unit, askedFor: Draft['askedFor']): number {
  const ids = blocks.flatMap(({ messages }) => messages.map(({ id }) => id));
  return ids.reduce((best, id) => Math.min(best, askedFor.get(id) ?? UNASKED), UNASKED);
}
