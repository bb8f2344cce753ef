import * as z from 'zod/mini';
import type { LearnedWindow } from '../budget/budget.ts';
import { type Compaction, STRATEGY_IDS } from '../compaction/compaction.ts';
import type { UndoneCompaction } from '../conversation/compactedView.ts';
import type { ConversationFigures } from '../conversation/figures.ts';
import { english } from '../language.ts';
import type { ChatMessage } from '../messages/chat.ts';
import { findFault } from '../messages/parse.ts';
import type { ModelProfile } from '../profile/profile.ts';
import type { ProfileUse } from '../profile/profileUse.ts';
import type { Result } from '../result.ts';

/** A problem with a stored conversation: what, where and, in `message`, what to do about it. */
export interface StorageProblem {
  readonly kind:
    | 'disk-full'
    | 'read-only'
    | 'missing'
    | 'locked'
    | 'lock-lost'
    | 'torn-line'
    | 'corrupt-line'
    | 'missing-line'
    | 'cut-short'
    | 'corrupt-summary'
    | 'dropped-compaction'
    | 'closed'
    | 'other';
  readonly path: string;
  readonly message: string;
}

/** What is stored beside the raw messages. Losing it loses no message. */
export interface ConversationDetails {
  readonly compactions: readonly Compaction[];
  readonly pins: readonly number[];
  /** Undone compactions that can be redone. */
  readonly undone?: readonly UndoneCompaction[];
  /** The profile that shaped the last run. */
  readonly profile?: ModelProfile;
  /** Every profile that turns used, oldest first, with the entries that it was made from. */
  readonly profiles?: readonly ProfileUse[];
  readonly learnedWindow?: LearnedWindow;
  /** Other state of the session; plain JSON. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** A conversation as it was read. `problems` occurred while reading; each is reported once, not at every load. */
export interface StoredConversation {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly messages: readonly ChatMessage[];
  readonly details: ConversationDetails;
  readonly problems: readonly StorageProblem[];
}

/** Whether this window may write; if not, who does, or what prevents writing to disk. */
export type ConversationAccess =
  | { readonly kind: 'write' }
  | { readonly kind: 'read-only'; readonly holder: string }
  | { readonly kind: 'unwritable'; readonly problem: StorageProblem };

/**
 * An open conversation. Operations are carried out in the order of the calls. No promise rejects: failures are values.
 */
export interface OpenConversation {
  readonly id: string;
  readonly access: ConversationAccess;
  /** As read when it was opened. */
  readonly stored: StoredConversation;
  /** Serialises messages and queues them for the transcript: all of them, or none and the reason. */
  queue(messages: readonly ChatMessage[]): Result<void, StorageProblem>;
  /** Writes what is queued; resolves when it is on disk. What could not be written stays queued, in order. */
  flush(): Promise<Result<void, StorageProblem>>;
  /** `queue` and `flush`. */
  append(messages: readonly ChatMessage[]): Promise<Result<void, StorageProblem>>;
  /** Replaces the details and the view, each whole or not at all. */
  save(details: ConversationDetails, view: readonly ChatMessage[]): Promise<Result<void, StorageProblem>>;
  /**
   * Calls back when another window has taken over (once; writing has ended then), or when files had to be written
   * again.
   */
  onProblem(listener: (problem: StorageProblem) => void): () => void;
  /** Writes what is queued, trying again what could not be written before, and then lets other windows write. */
  close(): Promise<void>;
}

/** An entry in the list of conversations. */
export interface ConversationListing {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly bytes: number;
  /** As they were last stored; absent where there are none. */
  readonly figures?: ConversationFigures;
}

/** How much is kept. Absent fields mean no limit. */
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
   * Opens for writing, or read-only while another window writes or the disk cannot be written; `takeOver` ends the
   * other window's writing.
   */
  open(id: string, options?: { readonly takeOver?: boolean }): Promise<Result<OpenConversation, StorageProblem>>;
  /** Reads a conversation without changing anything, even while another window writes it. */
  read(id: string): Promise<Result<StoredConversation, StorageProblem>>;
  /** Newest first. */
  list(): Promise<Result<readonly ConversationListing[], StorageProblem>>;
  rename(id: string, title: string): Promise<Result<void, StorageProblem>>;
  delete(id: string): Promise<Result<void, StorageProblem>>;
  /**
   * Deletes what exceeds the limits, oldest first, and returns the ids; never a conversation that is open in any
   * window.
   */
  prune(limits: StorageLimits): Promise<Result<readonly string[], StorageProblem>>;
}

const position = z.int().check(z.nonnegative());

/** What is recorded is sent as it is. */
const message = z.looseObject({ role: z.string() }).check(z.refine((value) => findFault(value) === undefined));
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

/** The content of a summary file; `dropped` says which parts could not be understood. */
export interface ParsedSummary {
  readonly title: string;
  readonly createdAt: number;
  /** How many messages the transcript had; absent in files of Karl 0.1. */
  readonly messages?: number | undefined;
  readonly details: ConversationDetails;
  readonly dropped: readonly string[];
}

/**
 * Checks the content of a summary file against a transcript of `length` messages. `undefined` when it is no such
 * content. A compaction or pin that is malformed or refers beyond the transcript is dropped, the rest is kept.
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
    // Only some fields are checked above; the others pass through as they were written.
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

/** Whether a value is an undone compaction of a transcript of at most `length` messages. */
export function isUndone(value: unknown, length: number): boolean {
  const { place, compaction: record }: Partial<Record<keyof UndoneCompaction, unknown>> = Object(value);
  return Number.isInteger(place) && Number(place) >= 0 && compactionFault(record, length) === undefined;
}

/** What is wrong with a stored compaction. */
export type CompactionFault =
  | { readonly kind: 'malformed'; readonly field: string }
  | { readonly kind: 'too-long'; readonly messages: number }
  | { readonly kind: 'beyond' };

/** The fault of a stored compaction, given a transcript of `length` messages; undefined when there is none. */
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

/** Describes a fault, without a full stop. `place`: the number of the compaction, from 1. */
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
