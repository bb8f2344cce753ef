import type { MessageRange } from '../../messages/message.ts';

/**
 * How much a passage is worth to a reader who must continue from the note, most first; within a tier the newest first.
 * The order follows what proved useful in all sessions, not in a single one: the human's words (their rules first, then
 * a line of each message), closing reports whole,
 * what the agent said on the way, then what it did, then what tools printed.
 */
export const TIERS = [
  'rule',
  'line',
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

/** This many texts of some thousand characters are looked through between two yields. */
export const LONG_TEXTS_AT_ONCE = 4;

/** One length of a passage. A longer one says everything that a shorter one says. */
export interface Variant {
  readonly tier: Tier;
  readonly text: string;
}

/** A tool use, for the line that counts what a note does not quote. */
export interface Step {
  readonly range: MessageRange;
  readonly tool: string;
  readonly path?: string;
}

/** Something that a note can quote, in lengths from the shortest to the longest. */
export interface Passage {
  /** The messages that it quotes; they give its handle. */
  readonly range: MessageRange;
  readonly variants: readonly Variant[];
  /** The file that it is about; its path is given in full where a note first names it. */
  readonly path?: string;
  /** The tool use that it quotes. */
  readonly step?: Step;
  /** Passages with the same key say the same: only the newest of them is quoted. */
  readonly key?: string;
  /** The human wrote it: it is said outside the note's fence. */
  readonly isSaid?: boolean;
}
