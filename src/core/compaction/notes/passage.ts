import type { MessageRange } from '../../messages/message.ts';

/**
 * How much a passage is worth to a reader who must go on from the note, most first. Passages of one tier are taken newest
 * first. What carried over between sessions decides the order, not what one of them needed: the human's words, closing
 * reports whole, what the agent said on the way, then what it did, then what tools printed.
 */
export const TIERS = [
  'reply',
  'report',
  'whole report',
  'said',
  'step',
  'said in full',
  'step in full',
  'output',
  'long output',
] as const;
export type Tier = (typeof TIERS)[number];

/** Texts of some thousand characters that are looked through between two steps. */
export const LONG_TEXTS_AT_ONCE = 4;

/** One length of a passage. A longer one says all that a shorter one says. */
export interface Variant {
  readonly tier: Tier;
  readonly text: string;
}

/** A use of a tool, for the line that counts what a note does not quote. */
export interface Step {
  readonly range: MessageRange;
  readonly tool: string;
  readonly path?: string;
}

/** Something that a note can quote, from the shortest to the longest form. */
export interface Passage {
  /** The messages that it quotes: its handle. */
  readonly range: MessageRange;
  readonly variants: readonly Variant[];
  /** The file that it is about; named in full where a note first names it. */
  readonly path?: string;
  /** The use of a tool that it tells of. */
  readonly step?: Step;
  /** Passages with the same key say the same: only the newest is worth its tier. */
  readonly key?: string;
}
