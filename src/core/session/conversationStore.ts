import * as z from 'zod/mini';
import type { LearnedWindow } from '../budget/budget.ts';
import { type Compaction, STRATEGY_IDS } from '../compaction/compaction.ts';
import type { UndoneCompaction } from '../conversation/compactedView.ts';
import type { ConversationFigures } from '../conversation/figures.ts';
import { english } from '../language.ts';
import type { ChatMessage } from '../messages/chat.ts';
import type { ModelProfile } from '../profile/profile.ts';
import type { ProfileUse } from '../profile/profileUse.ts';
import type { Result } from '../result.ts';

/** Something that went wrong with a stored conversation: what, where, and in `message` what to do about it. */
export interface StorageProblem {
  readonly kind:
    | 'disk-full'
    | 'read-only'
    | 'missing'
    | 'locked'
    | 'lock-lost'
    | 'torn-line'
    | 'corrupt-line'
    | 'cut-short'
    | 'corrupt-summary'
    | 'dropped-compaction'
    | 'closed'
    | 'other';
  readonly path: string;
  readonly message: string;
}

/** What is kept of a conversation beside its raw messages. Losing it loses no message. */
export interface ConversationDetails {
  readonly compactions: readonly Compaction[];
  readonly pins: readonly number[];
  /** Compactions that were undone and can be done again. */
  readonly undone?: readonly UndoneCompaction[];
  /** The profile that shaped the last run. */
  readonly profile?: ModelProfile;
  /** Every profile that turns ran with, oldest first, with the entries that made it. */
  readonly profiles?: readonly ProfileUse[];
  readonly learnedWindow?: LearnedWindow;
  /** Whatever else the session keeps; plain JSON. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** A conversation as it was read. `problems` were met while reading; each is reported once, not on every load. */
export interface StoredConversation {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly messages: readonly ChatMessage[];
  readonly details: ConversationDetails;
  readonly problems: readonly StorageProblem[];
}

/** Whether this window may write; if not, who does, or what of the disk stands in the way. */
export type ConversationAccess =
  | { readonly kind: 'write' }
  | { readonly kind: 'read-only'; readonly holder: string }
  | { readonly kind: 'unwritable'; readonly problem: StorageProblem };

/** An open conversation. What is written comes after what was asked for before. Nothing rejects: what fails is a value. */
export interface OpenConversation {
  readonly id: string;
  readonly access: ConversationAccess;
  /** As read when it was opened. */
  readonly stored: StoredConversation;
  /** Serialises messages and puts them in line for the transcript: all, or none and the reason. */
  queue(messages: readonly ChatMessage[]): Result<void, StorageProblem>;
  /** Writes what is in line; resolves when it is on the disk. What could not be written stays in line, in order. */
  flush(): Promise<Result<void, StorageProblem>>;
  /** `queue` and `flush`. */
  append(messages: readonly ChatMessage[]): Promise<Result<void, StorageProblem>>;
  /** Replaces the details and the view, each whole or not at all. */
  save(details: ConversationDetails, view: readonly ChatMessage[]): Promise<Result<void, StorageProblem>>;
  /** Calls back when another window has taken over (once; writing has ended then), or the files had to be written again. */
  onProblem(listener: (problem: StorageProblem) => void): () => void;
  /** Finishes what is queued, tries once more what could not be written, and lets other windows write. */
  close(): Promise<void>;
}

/** One line of a list of conversations. */
export interface ConversationListing {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly bytes: number;
  /** As they were stored last; absent where none were. */
  readonly figures?: ConversationFigures;
}

/** How much is kept. Absent = no limit. */
export interface StorageLimits {
  readonly days?: number;
  readonly bytes?: number;
}

/** Keeps conversations. A port: the extension host injects one that writes files. */
export interface ConversationStore {
  create(conversation: {
    readonly id: string;
    readonly title: string;
  }): Promise<Result<OpenConversation, StorageProblem>>;
  /**
   * Opens for writing, or read-only while another window writes or the disk takes nothing; `takeOver` ends the other's
   * writing.
   */
  open(id: string, options?: { readonly takeOver?: boolean }): Promise<Result<OpenConversation, StorageProblem>>;
  /** Reads a conversation and changes nothing, whoever writes it. */
  read(id: string): Promise<Result<StoredConversation, StorageProblem>>;
  /** Newest first. */
  list(): Promise<Result<readonly ConversationListing[], StorageProblem>>;
  rename(id: string, title: string): Promise<Result<void, StorageProblem>>;
  delete(id: string): Promise<Result<void, StorageProblem>>;
  /** Deletes what is over the limits, oldest first, and answers the ids; never what is open in any window. */
  prune(limits: StorageLimits): Promise<Result<readonly string[], StorageProblem>>;
}

const position = z.int().check(z.nonnegative());

const message = z.looseObject({ role: z.string() });
const strategy = z.enum([...STRATEGY_IDS, 'manual']);

const edit = z.discriminatedUnion('kind', [
  z.looseObject({ id: position, kind: z.enum(['dropped', 'shortened']), message }),
  z.looseObject({ id: position, kind: z.literal('whole') }),
]);

const compaction = z.looseObject({
  id: z.string().check(z.minLength(1)),
  at: z.number(),
  strategy,
  trigger: z.string(),
  transcriptLength: position,
  replacements: z.array(
    z.looseObject({
      range: z.object({ from: position, to: position }),
      by: z.looseObject({
        kind: z.enum(['shortened', 'line', 'note', 'removed', 'whole']),
        messages: z.array(message),
      }),
    }),
  ),
  edits: z.optional(z.array(edit)),
  receipt: z.looseObject({ strategy, tokensBefore: z.number(), tokensAfter: z.number() }),
});

const learnedWindow = z.object({
  tokens: z.int().check(z.positive()),
  source: z.enum(['server', 'error', 'setting']),
  at: z.exactOptional(z.number()),
  words: z.exactOptional(z.string()),
});

const profileUse = z.looseObject({
  since: z.number(),
  profile: z.looseObject({ id: z.string(), provider: z.string() }),
  matches: z.array(
    z.looseObject({ source: z.string(), rule: z.enum(['exact', 'wildcard', 'default']), id: z.optional(z.string()) }),
  ),
});

const summary = z.looseObject({
  v: z.literal(1),
  title: z.string(),
  createdAt: z.number(),
  messages: z.catch(z.optional(position), undefined),
  compactions: z.array(z.unknown()),
  pins: z.array(z.unknown()),
  undone: z.optional(z.array(z.unknown())),
  profile: z.optional(z.looseObject({ id: z.string(), completionReserve: z.number() })),
  profiles: z.optional(z.array(z.unknown())),
  learnedWindow: z.optional(learnedWindow),
  state: z.optional(z.record(z.string(), z.unknown())),
});

/** A summary file as it was understood; `dropped` says in words which parts were not. */
export interface ParsedSummary {
  readonly title: string;
  readonly createdAt: number;
  /** How many messages the transcript had; files of Karl 0.1 do not say it. */
  readonly messages?: number | undefined;
  readonly details: ConversationDetails;
  readonly dropped: readonly string[];
}

/**
 * Checks the content of a summary file against a transcript of `length` messages. `undefined` when it is none; a
 * compaction or a pin that is malformed or refers beyond the transcript is dropped alone.
 */
export function parseSummary(content: unknown, length: number): ParsedSummary | undefined {
  const parsed = summary.safeParse(content);
  if (!parsed.success) return undefined;
  const { title, createdAt, messages, compactions, pins, profile, profiles = [], learnedWindow, state } = parsed.data;
  const { undone = [] } = parsed.data;
  const dropped: string[] = [];
  const keptCompactions = compactions.filter((value, index) => {
    const fault = compactionFault(value, length);
    if (fault !== undefined) dropped.push(describeFault(fault, String(index + 1), length));
    return fault === undefined;
  });
  const keptUndone = undone.filter((value) => isUndone(value, length));
  if (keptUndone.length < undone.length)
    dropped.push(english('a compression that was undone is malformed: it cannot be redone'));
  const keptPins = pins.filter(
    (pin): pin is number => Number.isInteger(pin) && Number(pin) >= 0 && Number(pin) < length,
  );
  const keptProfiles = profiles.filter((use) => profileUse.safeParse(use).success);
  const badProfiles = profiles.length - keptProfiles.length;
  if (badProfiles > 0)
    dropped.push(
      badProfiles === 1
        ? english('1 of the profiles that were used is malformed: dropped')
        : english('{0} of the profiles that were used are malformed: dropped', String(badProfiles)),
    );
  const badPins = pins.length - keptPins.length;
  if (badPins > 0)
    dropped.push(
      badPins === 1
        ? english('1 pin refers to no message: dropped')
        : english('{0} pins refer to no message: dropped', String(badPins)),
    );
  const details = {
    // Checked above field by field; what the check does not name passes through as it was written.
    compactions: keptCompactions as Compaction[],
    pins: keptPins,
    ...(keptUndone.length > 0 && { undone: keptUndone as UndoneCompaction[] }),
    ...(profile !== undefined && { profile: profile as unknown as ModelProfile }),
    ...(keptProfiles.length > 0 && { profiles: keptProfiles as ProfileUse[] }),
    ...(learnedWindow !== undefined && { learnedWindow }),
    ...(state !== undefined && { state }),
  };
  return { title, createdAt, messages, details, dropped };
}

/** Whether it is a compaction that was undone, of a transcript of at most `length` messages. */
export function isUndone(value: unknown, length: number): boolean {
  const { place, compaction: record }: Partial<Record<keyof UndoneCompaction, unknown>> = Object(value);
  return Number.isInteger(place) && Number(place) >= 0 && compactionFault(record, length) === undefined;
}

/** What is wrong with a compaction that was stored. */
export type CompactionFault =
  | { readonly kind: 'malformed'; readonly field: string }
  | { readonly kind: 'too-long'; readonly messages: number }
  | { readonly kind: 'beyond' };

/** What is wrong with a stored compaction of a transcript of at most `length` messages; undefined when nothing is. */
export function compactionFault(value: unknown, length: number): CompactionFault | undefined {
  const parsed = compaction.safeParse(value);
  if (!parsed.success) return { kind: 'malformed', field: parsed.error.issues[0]?.path.join('.') ?? '' };
  const { replacements, edits = [], transcriptLength } = parsed.data;
  if (transcriptLength > length) return { kind: 'too-long', messages: transcriptLength };
  const wrong =
    replacements.some(({ range }) => range.from > range.to || range.to >= transcriptLength) ||
    edits.some(({ id }) => id >= transcriptLength);
  return wrong ? { kind: 'beyond' } : undefined;
}

/** In words, without a full stop. `place`: which of the compactions it is, from 1. */
function describeFault(fault: CompactionFault, place: string, length: number): string {
  switch (fault.kind) {
    case 'malformed':
      return fault.field === ''
        ? english('compression {0} is malformed: dropped, its messages are whole again', place)
        : english('compression {0} is malformed ({1}): dropped, its messages are whole again', place, fault.field);
    case 'too-long':
      return english(
        'compression {0} refers to {1} messages of {2}: dropped, its messages are whole again',
        place,
        String(fault.messages),
        String(length),
      );
    case 'beyond':
      return english(
        'compression {0} replaces messages that do not exist: dropped, its messages are whole again',
        place,
      );
  }
}
