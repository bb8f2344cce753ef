import * as z from 'zod/mini';
import { type Compaction, STRATEGY_IDS } from '../compaction/compaction.ts';
import type { UndoneCompaction } from '../conversation/compactedView.ts';
import { type Sentence, sentence } from '../language.ts';
import type { ChatMessage } from '../messages/chat.ts';
import { findFault } from '../messages/parse.ts';
import { repairProfile } from '../model/profileFile.ts';
import type { ProfileUse } from '../model/resolve.ts';
import { err, ok, type Result } from '../result.ts';
import type { ConversationDetails } from './conversationStore.ts';

const position = z.int().check(z.nonnegative());

/** Recorded messages are sent as they are, so they must be valid. */
const message = z.looseObject({ role: z.string() }).check(z.refine((value) => findFault(value) === undefined));
const strategy = z.enum([...STRATEGY_IDS, 'manual', 'agent']);

const edit = z.discriminatedUnion('kind', [
  z.looseObject({ id: position, kind: z.enum(['dropped', 'shortened']), message }),
  z.looseObject({ id: position, kind: z.literal('whole') }),
]);

/** The latest time of a `Date`. Milliseconds. */
const LATEST = 8.64e15;

const value = z.union([z.string(), z.number()]);
const sentenceOf = <Value extends z.ZodMiniType>(one: Value) => z.object({ text: z.string(), values: z.array(one) });

/** Words about a run. Sentences have others among their values, never nested more deeply than this. */
const words = z.catch(
  z.optional(z.union([z.string(), sentenceOf(z.union([value, sentenceOf(z.union([value, sentenceOf(value)]))]))])),
  undefined,
);

/** Fields that are only shown are left out if they are malformed. */
const receipt = z.looseObject({
  strategy,
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  messages: z.catch(z.object({ whole: position, shortened: position, replaced: position }), {
    whole: 0,
    shortened: 0,
    replaced: 0,
  }),
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
      z.object({
        class: z.enum(['constraint', 'todo', 'file-changed', 'error']),
        value: z.string(),
        at: position,
      }),
    ),
    [],
  ),
  more: z.catch(position, 0),
});

const compaction = z.looseObject({
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
        messages: z.array(message),
      }),
    }),
  ),
  edits: z.optional(z.array(edit)),
  agent: z.catch(z.optional(agentsOwn), undefined),
  receipt,
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
  readonly dropped: readonly Sentence[];
}

/**
 * Checks the content of a summary file against a transcript of `length` messages; `undefined` if it is no summary. Drops
 * compactions and pins that are malformed or refer beyond the transcript, and keeps the rest.
 */
export function parseSummary(content: unknown, length: number): ParsedSummary | undefined {
  const parsed = summary.safeParse(content);
  if (!parsed.success) return undefined;
  const { title, createdAt, messages, compactions, pins, undone = [], profile, profiles = [], state } = parsed.data;
  const { learnedWindow: learned } = parsed.data;
  const dropped: Sentence[] = [];
  const keptCompactions = compactions.flatMap((value, index) => {
    const read = readCompaction(value, length, String(index + 1));
    if (!read.ok) dropped.push(read.error);
    return read.ok ? [read.value] : [];
  });
  const keep = <Kept>(
    values: readonly unknown[],
    read: (value: unknown) => Kept | undefined,
    told: Sentence,
  ): Kept[] => {
    const kept = values.flatMap((value) => read(value) ?? []);
    if (kept.length < values.length) dropped.push(told);
    return kept;
  };
  const keptUndone = keep(
    undone,
    (value) => readUndone(value, length),
    sentence('a compression that was undone is malformed: it cannot be redone'),
  );
  const keptProfiles = keep(
    profiles,
    (use) => (profileUse.safeParse(use).success ? (use as ProfileUse) : undefined),
    sentence('what is malformed among the profiles that were used: dropped'),
  );
  const pin = z.int().check(z.gte(0), z.lt(length));
  const keptPins = keep(pins, (value) => pin.safeParse(value).data, sentence('pins that refer to no message: dropped'));
  const ofModel = profile === undefined ? undefined : repairProfile(profile);
  if (profile !== undefined && ofModel === undefined)
    dropped.push(sentence('the profile of the model has no name: dropped'));
  if (ofModel !== undefined && ofModel.repaired.length > 0)
    dropped.push(sentence('the profile of the model has invalid values ({0}): repaired', ofModel.repaired.join(', ')));
  const details = {
    // Unchecked fields pass through as they were written.
    compactions: keptCompactions,
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

/** Whether a value is a compaction of a transcript of at most `length` messages. */
export function isCompaction(value: unknown, length: number): boolean {
  return readCompaction(value, length).ok;
}

/** Whether a value is an undone compaction of a transcript of at most `length` messages. */
export function isUndone(value: unknown, length: number): boolean {
  return readUndone(value, length) !== undefined;
}

const undoneShape = z.looseObject({
  place: position,
  compaction: z.unknown(),
  undoneWith: z.catch(z.optional(z.string()), undefined),
  superseded: z.catch(z.optional(z.literal(true)), undefined),
});

function readUndone(value: unknown, length: number): UndoneCompaction | undefined {
  const parsed = undoneShape.safeParse(value);
  const read = readCompaction(parsed.data?.compaction, length);
  if (!parsed.success || !read.ok) return undefined;
  const { place, undoneWith, superseded } = parsed.data;
  return {
    place,
    compaction: read.value,
    ...(undoneWith !== undefined && { undoneWith }),
    ...(superseded !== undefined && { superseded }),
  };
}

/** Reads a stored compaction; the error has no full stop. `place`: its number, from 1. */
function readCompaction(value: unknown, length: number, place = ''): Result<Compaction, Sentence> {
  const malformed = (field: string) =>
    field === ''
      ? sentence('compression {0} is malformed: dropped, its messages are whole again', place)
      : sentence('compression {0} is malformed ({1}): dropped, its messages are whole again', place, field);
  const parsed = compaction.safeParse(value);
  if (!parsed.success) return err(malformed(parsed.error.issues[0]?.path.join('.') ?? ''));
  const { replacements, edits = [], transcriptLength } = parsed.data;
  const messages = replacements.map(({ by }) => by.messages as readonly ChatMessage[]);
  if (!messages.every(arePaired)) return err(malformed('replacements'));
  if (transcriptLength > length)
    return err(
      sentence(
        'compression {0} refers to {1} messages of {2}: dropped, its messages are whole again',
        place,
        String(transcriptLength),
        String(length),
      ),
    );
  const isBeyond =
    replacements.some(({ range }) => range.from > range.to || range.to >= transcriptLength) ||
    edits.some(({ id }) => id >= transcriptLength);
  return isBeyond
    ? err(sentence('compression {0} replaces messages that do not exist: dropped, its messages are whole again', place))
    : ok(parsed.data as unknown as Compaction);
}
