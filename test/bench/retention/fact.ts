/** The classes of facts that are planted or taken from structured fields. */
export const FACT_CLASSES = [
  'file-read',
  'file-changed',
  'identifier',
  'error',
  'newest-error',
  'command',
  'number',
  'constraint',
  'implicit-constraint',
  'decision',
  'todo',
  'test-state',
  'preference',
  'user-message',
] as const;
export type FactClass = (typeof FACT_CLASSES)[number];

/** Something that the source says and that must survive. */
export interface PlantedFact {
  readonly id: string;
  readonly class: FactClass;
  /** Stands verbatim in the source. */
  readonly value: string;
  /** The value means something only beside these words: on one line, or within 80 characters. */
  readonly anchor?: string;
  readonly messageIndex: number;
  /** For a to-do: whether it is done now. */
  readonly done?: boolean;
  /** The value that this one replaced. */
  readonly supersedes?: string;
  /** Planted in a wording that is reported apart: no extractor may be developed against it. */
  readonly heldOut: boolean;
}

/** A part of a transcript by position: what is oldest is what a compaction loses first. */
export type Age = 'oldest' | 'middle' | 'newest';

/** The third of a transcript of `length` messages that a fact stands in. */
export function ageOf(fact: PlantedFact, length: number): Age {
  const share = fact.messageIndex / Math.max(1, length);
  return share < 1 / 3 ? 'oldest' : share < 2 / 3 ? 'middle' : 'newest';
}
