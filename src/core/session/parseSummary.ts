import * as z from 'zod/mini';
import { findFault } from '../chat/parse.ts';
import type { ChatMessage } from '../chat/wire.ts';
import { type Compaction, STRATEGY_IDS } from '../compaction/compaction.ts';
import type { UndoneCompaction } from '../conversation/compactedView.ts';
import { repairProfile } from '../model/profileFile.ts';
import type { ProfileUse } from '../model/resolve.ts';
import { type Phrase, phrase } from '../phrase.ts';
import { isRecord } from '../result.ts';
import type { ConversationDetails } from './conversationStore.ts';

const position = z.int().check(z.nonnegative());

/** Recorded messages are sent as they are, so they must be valid. */
const message = z
  .looseObject({ role: z.string() })
  .check(z.refine((value) => findFault(value) === undefined, { abort: true }));
const strategy = z.enum([...STRATEGY_IDS, 'manual', 'agent']);

const edit = z.discriminatedUnion('kind', [
  z.looseObject({ id: position, kind: z.enum(['dropped', 'shortened']), message }),
  z.looseObject({ id: position, kind: z.literal('whole') }),
]);

/** The latest time of a `Date`. Milliseconds. */
const LATEST = 8.64e15;

const value = z.union([z.string(), z.number()]);
/** Records of before have an English text (`text`) where a code is now. */
const withCode = z.transform((read: unknown) =>
  isRecord(read) && 'text' in read ? { code: read.text, ...read } : read,
);
const phraseOf = <Value extends z.ZodMiniType>(one: Value) =>
  z.pipe(withCode, z.object({ code: z.string(), values: z.array(one) }));

/** Words about a run. Phrases have others among their values, never nested more deeply than this. */
const words = z.catch(
  z.optional(z.union([z.string(), phraseOf(z.union([value, phraseOf(z.union([value, phraseOf(value)]))]))])),
  undefined,
);

const NO_MESSAGES = { whole: 0, shortened: 0, replaced: 0 };

/** Fields that are only shown are left out if they are malformed. */
const receipt = z.looseObject({
  strategy,
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  messages: z.catch(z.object({ whole: position, shortened: position, replaced: position }), NO_MESSAGES),
  facts: z.catch(z.array(z.looseObject({ class: z.string(), kept: position, behindHandle: position })), []),
  rejected: z.catch(z.array(z.string()), []),
  withoutNote: words,
  unchecked: words,
  fellBackBecause: words,
});

const range = z.object({ from: position, to: position });

const agentsOwn = z.object({
  name: z.string(),
  lost: z.array(range),
  unsaid: z.catch(
    z.array(
      z.object({ class: z.enum(['constraint', 'todo', 'file-changed', 'error']), value: z.string(), at: position }),
    ),
    [],
  ),
  more: z.catch(position, 0),
});

/** A compaction, of a transcript of any length: what it replaces and changes is within its own. */
export const storedCompaction = z
  .looseObject({
    id: z.string().check(z.minLength(1)),
    at: z.number().check(z.gte(-LATEST), z.lte(LATEST)),
    strategy,
    trigger: z.string(),
    transcriptLength: position,
    replacements: z.array(
      z.looseObject({
        range,
        by: z.looseObject({
          kind: z.enum(['shortened', 'line', 'note', 'removed', 'whole']),
          messages: z.array(message).check(z.refine((messages) => arePaired(messages as readonly ChatMessage[]))),
        }),
      }),
    ),
    edits: z.optional(z.array(edit)),
    agent: z.catch(z.optional(agentsOwn), undefined),
    receipt,
  })
  .check(
    z.refine(
      ({ replacements, edits = [], transcriptLength }) =>
        replacements.every((one) => one.range.from <= one.range.to && one.range.to < transcriptLength) &&
        edits.every(({ id }) => id < transcriptLength),
      { path: ['replacements'] },
    ),
  );

/** An undone compaction, likewise. */
export const storedUndone = z.object({
  place: position,
  compaction: storedCompaction,
  undoneWith: z.exactOptional(z.string()),
  superseded: z.exactOptional(z.literal(true)),
});

/** A stored `LearnedWindow`. */
export const learnedWindow = z.object({
  tokens: z.int().check(z.positive()),
  source: z.enum(['server', 'error', 'setting']),
  at: z.exactOptional(z.number()),
  words: z.exactOptional(z.string()),
});

const profileUse = z.looseObject({
  since: z.number(),
  profile: z.looseObject({ id: z.string(), provider: z.string() }),
  matches: z.array(
    z.looseObject({
      source: z.string(),
      rule: z.enum(['exact', 'wildcard', 'family', 'default']),
      id: z.optional(z.string()),
    }),
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
  profile: z.optional(z.unknown()),
  profiles: z.optional(z.array(z.unknown())),
  learnedWindow: z.optional(learnedWindow),
  state: z.optional(z.record(z.string(), z.unknown())),
});

/** The content of a summary file; `dropped` names the parts that were malformed. */
export interface ParsedSummary {
  readonly title: string;
  readonly createdAt: number;
  /** The number of messages in the transcript; absent in files of Karl 0.1. */
  readonly messages?: number | undefined;
  readonly details: ConversationDetails;
  readonly dropped: readonly Phrase[];
}

const BAD_UNDONE = phrase('stored.undone');
const BAD_PROFILE = phrase('stored.profiles');
const BAD_PIN = phrase('stored.pins');

/**
 * Checks the content of a summary file against a transcript of `length` messages; `undefined` if it is no summary.
 * Drops compactions and pins that are malformed or refer beyond the transcript, and keeps the rest.
 */
export function parseSummary(content: unknown, length: number): ParsedSummary | undefined {
  const parsed = summary.safeParse(content);
  if (!parsed.success) return undefined;
  const { title, createdAt, messages, compactions, pins, undone = [], profile, profiles = [], state } = parsed.data;
  const { learnedWindow: learned } = parsed.data;
  const dropped: Phrase[] = [];
  /** Keeps the values that a schema accepts, and reports the others by number and faulty field, each sentence once. */
  const keep = <Kept>(
    values: readonly unknown[],
    schema: z.ZodMiniType,
    tell: (place: string, field: string) => Phrase,
  ): readonly Kept[] =>
    values.flatMap((value, index) => {
      const read = schema.safeParse(value);
      // Unchecked fields pass through as they were written.
      if (read.success) return [read.data as Kept];
      const told = tell(String(index + 1), read.error.issues[0]?.path.join('.') || 'record');
      if (!dropped.includes(told)) dropped.push(told);
      return [];
    });
  const isWithin = ({ transcriptLength }: z.infer<typeof storedCompaction>): boolean => transcriptLength <= length;
  const within = storedCompaction.check(z.refine(isWithin, { path: ['transcriptLength'] }));
  const undoneWithin = storedUndone.check(z.refine(({ compaction }) => isWithin(compaction)));
  const kept = keep<Compaction>(compactions, within, (place, field) => phrase('stored.compaction', place, field));
  const keptUndone = keep<UndoneCompaction>(undone, undoneWithin, () => BAD_UNDONE);
  const keptProfiles = keep<ProfileUse>(profiles, profileUse, () => BAD_PROFILE);
  const keptPins = keep<number>(pins, z.int().check(z.gte(0), z.lt(length)), () => BAD_PIN);
  const ofModel = profile === undefined ? undefined : repairProfile(profile);
  if (profile !== undefined && ofModel === undefined) dropped.push(phrase('stored.profile-name'));
  if (ofModel !== undefined && ofModel.repaired.length > 0)
    dropped.push(phrase('stored.profile-values', ofModel.repaired.join(', ')));
  const details = {
    compactions: kept,
    pins: keptPins,
    ...(keptUndone.length > 0 && { undone: keptUndone }),
    ...(ofModel !== undefined && { profile: ofModel.profile }),
    ...(keptProfiles.length > 0 && { profiles: keptProfiles }),
    ...(learned !== undefined && { learnedWindow: learned }),
    ...(state !== undefined && { state }),
  };
  return { title, createdAt, messages, details, dropped };
}

/** Whether every result follows its call and every call has a result; servers refuse other requests. */
function arePaired(messages: readonly ChatMessage[]): boolean {
  const open: string[] = [];
  for (const { role, tool_calls: calls, tool_call_id: id = '' } of messages) {
    for (const call of calls ?? []) open.push(call.id);
    if (role !== 'tool') continue;
    const at = open.indexOf(id);
    if (at < 0) return false;
    open.splice(at, 1);
  }
  return open.length === 0;
}
