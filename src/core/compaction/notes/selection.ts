import type { MessageId } from '../../messages/message.ts';
import type { Raised } from '../raised.ts';
import { type Passage, TIERS, type Tier, type Variant } from './passage.ts';

/** A character of a script without an alphabet takes about as many tokens as so many Latin ones. */
const WIDE_COST = 3;
const WIDE = /[\u2e80-\uffff]/g;
/** List mark, handle and line end. Characters. */
const FRAME = 12;
/** What was done last is worth as much as what was said so many tiers above it at the beginning. */
const AGE_TIERS = 3;
/** What the human answered and the heads of reports do not age. */
const AGELESS: ReadonlySet<Tier> = new Set(['reply', 'report']);

/** Of the room, the share that is filled first from the turn that is under way: whoever goes on must know where it is. */
const RUNNING_SHARE = 0.25;
/** Of the room, the share that what the run's instructions ask for may take before everything else. */
const RAISED_SHARE = 0.5;

interface Step {
  readonly passage: Passage;
  readonly index: number;
  readonly rank: number;
  /** What this length costs, in characters of plain text. */
  readonly cost: number;
}

/** Chooses which passages notes quote, and how much of each. Made once for a run, asked for several sizes of room. */
export class Selection {
  /** Every length of every passage in the order of worth: by tier, the newest first. */
  readonly #steps: readonly Step[];
  /** Those of the turn that is under way. */
  readonly #running: readonly Step[];
  /** Those that the instructions ask for, the best fitting first. */
  readonly #raised: readonly Step[];

  /** `turn` is the message that began the turn which is under way. */
  constructor(passages: readonly Passage[], turn: MessageId, raised: Raised) {
    const newest = newestByKey(passages);
    const ids = passages.map(({ range }) => range.from);
    const end = ids.reduce((most, id) => Math.max(most, id), 0);
    const span = Math.max(1, end - ids.reduce((least, id) => Math.min(least, id), end));
    const age = ({ range }: Passage): number => (end - range.from) / span;
    this.#steps = passages
      .filter((passage) => passage.key === undefined || newest.get(passage.key) === passage)
      .flatMap((passage) =>
        passage.variants.map((variant, index) => ({
          passage,
          index,
          rank: TIERS.indexOf(variant.tier) + (AGELESS.has(variant.tier) ? 0 : AGE_TIERS * age(passage)),
          cost: costOf(variant.text) + FRAME + (passage.path?.length ?? 0),
        })),
      )
      .sort((a, b) => a.rank - b.rank || b.passage.range.from - a.passage.range.from || a.index - b.index);
    this.#running = this.#steps.filter(({ passage }) => passage.range.from > turn);
    this.#raised = this.#steps
      .map((step) => ({ step, order: orderOf(step.passage, raised) }))
      .filter(({ order }) => order < Number.POSITIVE_INFINITY)
      .sort((a, b) => a.order - b.order || a.step.index - b.step.index)
      .map(({ step }) => step);
  }

  /** The passages worth most that fit in `room` characters, each as long as fits. */
  choose(room: number): ReadonlyMap<Passage, Variant> {
    const chosen = new Map<Passage, Variant>();
    const costs = new Map<Passage, number>();
    const take = (steps: readonly Step[], most: number): number => {
      let left = most;
      for (const { passage, index, cost } of steps) {
        const more = cost - (costs.get(passage) ?? 0);
        const variant = passage.variants[index];
        if (more <= 0 || more > left || variant === undefined) continue;
        left -= more;
        costs.set(passage, cost);
        chosen.set(passage, variant);
      }
      return left;
    };
    const asked = room * RAISED_SHARE;
    const free = room - asked + take(this.#raised, asked);
    const reserved = free * RUNNING_SHARE;
    take(this.#steps, free - reserved + take(this.#running, reserved));
    return chosen;
  }
}

/** Characters that some passages take, each in its longest form up to a tier. */
export function costUpTo(passages: readonly Passage[], tier: Tier): number {
  const last = TIERS.indexOf(tier);
  return passages.reduce((sum, { variants }) => {
    const longest = variants.findLast((variant) => TIERS.indexOf(variant.tier) <= last);
    return longest === undefined ? sum : sum + costOf(longest.text) + FRAME;
  }, 0);
}

function orderOf({ range }: Passage, raised: Raised): number {
  let order = Number.POSITIVE_INFINITY;
  for (let id = range.from; id <= range.to; id += 1) order = Math.min(order, raised.get(id) ?? order);
  return order;
}

function newestByKey(passages: readonly Passage[]): ReadonlyMap<string, Passage> {
  const newest = new Map<string, Passage>();
  for (const passage of passages) if (passage.key !== undefined) newest.set(passage.key, passage);
  return newest;
}

function costOf(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0) * (WIDE_COST - 1);
}
