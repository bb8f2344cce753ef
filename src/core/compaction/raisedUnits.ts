import type { Draft } from './draft.ts';
import type { Unit } from './unit.ts';

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
