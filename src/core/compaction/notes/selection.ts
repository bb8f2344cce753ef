import type { MessageRange } from '../../chat/message.ts';
import { eachInSteps, type Steps, sortInSteps } from '../../steps.ts';
import { type AskedFor, askedOrder } from '../draft.ts';

/**
 * How much a passage is worth to a reader who must continue from the note, most first; within a tier the newest first.
 * The order is what helped readers in all measured sessions: the human's words (their rules first, then a line of each
 * message), closing reports whole, what the agent said on the way, then what it did.
 */
const TIERS = [
  'rule',
  'line',
  'reply',
  'report',
  'whole report',
  'said',
  'step',
  'said in full',
  'step in full',
] as const;
export type Tier = (typeof TIERS)[number];

/** This many texts of some thousand characters are looked through between two yields. */
const LONG_TEXTS_AT_ONCE = 4;

/** One length of a passage. A longer one contains the content of the shorter ones. */
export interface Variant {
  readonly tier: Tier;
  readonly text: string;
}

/** Something that a note can quote, in lengths from the shortest to the longest. */
export interface NotePassage {
  /** The messages that it quotes; they give its handle. */
  readonly range: MessageRange;
  readonly variants: readonly Variant[];
  /** The file that it is about. */
  readonly path?: string | undefined;
  /** The tool whose use it quotes. */
  readonly tool?: string;
  /** The heading under which it is quoted; its text then has its handle. */
  readonly group?: string;
  /** Passages with the same key say the same: only the newest of them is quoted. */
  readonly key?: string | undefined;
  /** The human wrote it, so it is quoted outside the note's fence. */
  readonly isSaid?: boolean;
}

/** What each item takes besides its text: list mark, handle, line end. Characters. */
const FRAME = 12;
/**
 * How many tiers a passage loses from the newest to the oldest: the last thing done is worth as much as something said
 * this many tiers higher at the beginning.
 */
const AGE_TIERS = 3;
/** What the human wrote and answered and the beginnings of reports do not lose worth with age. */
const AGELESS: ReadonlySet<Tier> = new Set(['rule', 'line', 'reply', 'report']);

/** The share of the room that what the run's instructions ask for may take before everything else. */
const ASKED_FOR_SHARE = 0.5;

interface Length {
  readonly passage: NotePassage;
  readonly index: number;
  /** The lower, the more it is worth; below 0 what the run's instructions ask for. */
  readonly rank: number;
  /** Characters. */
  readonly cost: number;
}

/** The passages that notes quote, each at its length; `left`: characters to spare. */
export interface Choice {
  readonly chosen: ReadonlyMap<NotePassage, Variant>;
  readonly left: number;
}

/**
 * Ranks the lengths of all passages by worth: by tier and age, then the newest first. Returns what chooses, for a room in
 * characters, the most valuable that fit, each as long as fits.
 */
export function* rankPassages(
  passages: readonly NotePassage[],
  askedFor: AskedFor,
): Steps<(room: number) => Steps<Choice>> {
  const newest = new Map<string, NotePassage>();
  let end = 0;
  let start = Number.POSITIVE_INFINITY;
  yield* eachInSteps(passages, (passage) => {
    if (passage.key !== undefined) newest.set(passage.key, passage);
    end = Math.max(end, passage.range.from);
    start = Math.min(start, passage.range.from);
  });
  const span = Math.max(1, end - start);
  const lengths: Length[] = [];
  const weigh = (passage: NotePassage): void => {
    if (passage.key !== undefined && newest.get(passage.key) !== passage) return;
    const age = (end - passage.range.from) / span;
    const asked = askedOrder(passage.range, askedFor);
    for (const [index, { tier, text }] of passage.variants.entries()) {
      const worth = TIERS.indexOf(tier) + (AGELESS.has(tier) ? 0 : AGE_TIERS * age);
      const rank = asked === undefined ? worth : asked - askedFor.size;
      lengths.push({ passage, index, rank, cost: text.length + FRAME + (passage.path?.length ?? 0) });
    }
  };
  yield* eachInSteps(passages, weigh, LONG_TEXTS_AT_ONCE);
  const ranked = yield* sortInSteps(
    lengths,
    (a, b) => a.rank - b.rank || b.passage.range.from - a.passage.range.from || a.index - b.index,
  );
  return (room) => choose(ranked, room);
}

/** What the instructions ask for comes first, in its share of the room. */
function* choose(lengths: readonly Length[], room: number): Steps<Choice> {
  const chosen = new Map<NotePassage, Variant>();
  const costs = new Map<NotePassage, number>();
  let left = room * ASKED_FOR_SHARE;
  const take = ({ passage, index, cost }: Length): void => {
    const more = cost - (costs.get(passage) ?? 0);
    const variant = passage.variants[index];
    if (more <= 0 || more > left || variant === undefined) return;
    left -= more;
    costs.set(passage, cost);
    chosen.set(passage, variant);
  };
  for (const length of lengths) {
    if (length.rank >= 0) break;
    take(length);
  }
  left += room * (1 - ASKED_FOR_SHARE);
  yield* eachInSteps(lengths, take);
  return { chosen, left };
}
