import { contains } from '../chat/blocks.ts';
import { fence } from '../chat/fence.ts';
import { handleOf } from '../chat/handle.ts';
import type { MessageId, MessageRange } from '../chat/message.ts';
import type { ChatMessage } from '../chat/wire.ts';
import type { FactClass } from '../ledger/fact.ts';
import type { ModelError } from '../model/classify.ts';
import type { ModelTokens } from '../model/cost.ts';
import type { Words } from '../phrase.ts';

/** The strategies of the setting `karl.strategy`. */
export const STRATEGY_IDS = ['adaptive', 'heuristic', 'karl', 'sandwich', 'extractive', 'action-trace'] as const;
/** The name of a strategy: a way to compact. */
export type StrategyId = (typeof STRATEGY_IDS)[number];

/** All triggers of runs. */
export const TRIGGERS = [
  'threshold',
  'message-count',
  'trace-size',
  'command',
  'overflow',
  // Only from callers of the engine, and in records of earlier versions.
  'smaller-model',
  'hard-limit',
] as const;
/** What started a run. */
export type Trigger = (typeof TRIGGERS)[number];

/** What the user did by hand to messages of their own choice; recorded where a run has its trigger. */
export type HandAct = 'dropped' | 'shortened' | 'restored';

/** What a record says of a compaction that an agent made itself, before Karl had its conversation. */
export interface AgentsOwn {
  /** The agent's name. */
  readonly name: string;
  /** What it discarded, also where parts of that were restored or pinned since. */
  readonly lost: readonly MessageRange[];
  /** What of that its summary does not state. */
  readonly unsaid: readonly UnsaidFact[];
  /** How many more of that there are: the older ones, where there are many of a kind. */
  readonly more: number;
}

/** A fact that a summary does not state. */
export interface UnsaidFact {
  readonly class: FactClass;
  readonly value: string;
  /** The message that states it. */
  readonly at: MessageId;
}

/**
 * What takes the place of a range of raw messages. `shortened`: the same messages with parts cut behind handles;
 * `line`: a handle with its label; `note`: text about the range; `removed`: nothing, the handle is named by a
 * neighbouring note; `whole`: the messages themselves again, whatever older records replaced them with.
 */
export interface Substitute {
  readonly kind: 'shortened' | 'line' | 'note' | 'removed' | 'whole';
  /** The messages of the view, in order. Empty only for `removed` and `whole`. */
  readonly messages: readonly ChatMessage[];
  /** The model's texts within the note: they stay word for word when the rest of the note is made anew. */
  readonly narratives?: readonly Narrative[];
  /** Only of a line: it names a part of a range whose note is before another part. */
  readonly isTold?: true;
  /** How many of the last messages are the state as of the end of the run; the next run renews them. */
  readonly volatile?: number;
}

/** What a model wrote about a range of raw messages, after its audit; or what the user wrote instead. */
export interface Narrative {
  readonly covers: MessageRange;
  readonly text: string;
  /** `user`: the user's own words. Absent when a model wrote it. */
  readonly by?: 'user';
}

/** A run of whole blocks and what replaces it. */
export interface Replacement {
  readonly range: MessageRange;
  readonly by: Substitute;
}

/** The user's change to a single message of a call with its results; the rest of the block stays as it is. */
export type Edit =
  | { readonly id: MessageId; readonly kind: 'dropped' | 'shortened'; readonly message: ChatMessage }
  /** As it originally was, whatever older records replaced it with. */
  | { readonly id: MessageId; readonly kind: 'whole' };

/** A replacement with the record that it belongs to. */
export interface RecordedReplacement extends Replacement {
  readonly compaction: string;
  readonly messages: readonly ChatMessage[];
  /** Messages of the range of which the user left only a line. */
  readonly dropped?: ReadonlySet<MessageId>;
}

/**
 * A record kept beside the transcript: which ranges are replaced, by what, and how that was made. Undo drops the
 * record. A later range contains an earlier one or does not touch it, except where the user restored part of the
 * earlier one.
 */
export interface Compaction {
  /** Unguessable; the fence marks of its notes are made from it. */
  readonly id: string;
  /** When it was recorded, milliseconds since 1970. */
  readonly at: number;
  /** `manual`: the user chose what is replaced, and `trigger` is what they did. `agent`: see `agent`. */
  readonly strategy: StrategyId | 'manual' | 'agent';
  readonly trigger: Trigger | HandAct | 'agent';
  /** How many raw messages there were; the record replaces none after them. */
  readonly transcriptLength: number;
  readonly replacements: readonly Replacement[];
  /** Only in a manual record. */
  readonly edits?: readonly Edit[];
  /** Only in a record of what another agent did. */
  readonly agent?: AgentsOwn;
  readonly receipt: Receipt;
}

/** The record of a run, as opposed to a manual one. */
export type RunRecord = Compaction & { readonly strategy: StrategyId; readonly trigger: Trigger };

/** What one compaction kept, shortened, removed, repaired, saved and cost. Shown to the user and logged. */
export interface Receipt {
  readonly strategy: Compaction['strategy'];
  /**
   * The goal of the run: the target of the settings or the caller, or half of what was used where the target would
   * demand too little.
   */
  readonly aim: 'target' | 'half';
  /** What the user asked this run to keep. */
  readonly instructions?: string;
  /** The rungs of the ladder that changed something, in order; for other strategies those that freed the rest. */
  readonly rungs: readonly string[];
  /** The tokens that the strategy itself freed, where the request had to fit and `adaptive` freed the rest. */
  readonly freedAlone?: number;
  /** Tokens of the whole request before and after: what the gauge showed and shows. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What requests might use then: the base of every percentage. Absent in records of Karl 0.1. */
  readonly limitTokens?: number;
  /** Raw messages by their state after the run. */
  readonly messages: { readonly whole: number; readonly shortened: number; readonly replaced: number };
  /** Raw messages newly replaced or shortened by this run. */
  readonly summarized: number;
  /** Characters of the notes and lines that this run wrote. */
  readonly summaryCharacters: number;
  /** Facts whose message is no longer whole, by class: still stated in the view, or behind a handle. */
  readonly facts: readonly { readonly class: FactClass; readonly kept: number; readonly behindHandle: number }[];
  /** Statements of the model's note that were removed because they do not hold. */
  readonly rejected: readonly string[];
  /** Why a note ordered from the model is missing, as a sentence. */
  readonly withoutNote?: Words;
  /** The kind of that failure; unlike the sentence, it may be logged. */
  readonly withoutNoteKind?: CompactionError['kind'];
  /** Statements of the note that are marked as unverified. */
  readonly unverified: number;
  /** Why the model did not check the note that it wrote, as a sentence; absent when it did, or was not to. */
  readonly unchecked?: Words;
  /** What the strategy promises: facts literally in the view, or handles only (`heuristic`, `action-trace`). */
  readonly promise: 'facts-in-view' | 'handles-only';
  /**
   * The share of the request before the first change, 0 to 1, tool definitions included: what a prompt cache can still
   * use.
   */
  readonly prefixKept: number;
  /** The model whose words this run put into the view; absent when there are none. */
  readonly model?: string;
  /** Requests to a model for this run, whether or not they succeeded. */
  readonly modelCalls: number;
  /** The tokens of these requests as the server reported them; absent when it did not report on all of them. */
  readonly modelTokens?: ModelTokens;
  /** The same in US dollars, where the model's price is known. */
  readonly modelCost?: number;
  /** Wall time of the run, milliseconds. */
  readonly ms: number;
  /** The strategy that failed, when the fallback was used instead, and why, as a sentence. */
  readonly fellBackFrom?: StrategyId;
  readonly fellBackBecause?: Words;
}

/** Why a planner changes nothing. */
export interface Skip {
  readonly reason: SkipReason;
  /** Where the top of a sandwich ends and its bottom begins, if they meet: for the log. */
  readonly cuts?: { readonly top: MessageId; readonly bottom: MessageId } | undefined;
}

/** Why a run failed. A failed run changed nothing. */
export interface CompactionError {
  /** `stale-preview`: the conversation has changed, so that the previewed run no longer fits it. */
  readonly kind: 'no-summarizer' | 'summarizer-failed' | 'summary-rejected' | 'law-broken' | 'stale-preview';
  readonly message: Words;
  /** Why the model's server wrote nothing, if it was that. */
  readonly refusal?: ModelError | undefined;
}

/** The result of one run. */
export type CompactionResult =
  | {
      readonly kind: 'compacted';
      readonly compaction: RunRecord;
      readonly receipt: Receipt;
      readonly reachedTarget: boolean;
      readonly fellBackFrom?: StrategyId | undefined;
      /** Why a summary that was ordered from the model is missing: left out, or the reason for the fallback. */
      readonly unwritten?: CompactionError | undefined;
    }
  | ({ readonly kind: 'skipped'; readonly strategy: StrategyId; readonly message: Words } & Skip)
  | { readonly kind: 'failed'; readonly strategy: StrategyId; readonly error: CompactionError }
  | { readonly kind: 'cancelled'; readonly strategy: StrategyId };

/** Why a run changed nothing. `vetoed`: the message gives the reason of the hook. */
export type SkipReason =
  | 'empty'
  | 'nothing-to-compact'
  | 'already-under-target'
  | 'too-few-messages'
  | 'cuts-meet'
  | 'single-turn'
  | 'trace-too-small'
  | 'vetoed'
  | 'gain-too-small';

/**
 * Takes a block out of the replaced range that contains it, so that it is whole again, as when a replaced message is
 * pinned (law 2). The note stays before the block (or after it, when the block comes first in the range); what follows
 * gets a line of its own, so that it stays named even if a later run replaces the note.
 */
export function splitForPin(compaction: Compaction, block: MessageRange): Compaction {
  const { replacements, edits } = compaction;
  const isEdited = edits?.some(({ id }) => isIn(block, id)) === true;
  if (!isEdited && !replacements.some((replacement) => contains(replacement.range, block))) return compaction;
  return {
    ...compaction,
    replacements: replacements.flatMap((replacement) => split(replacement, block, compaction.id)),
    ...(edits !== undefined && { edits: edits.filter(({ id }) => !isIn(block, id)) }),
  };
}

function isIn({ from, to }: MessageRange, id: number): boolean {
  return from <= id && id <= to;
}

function split(replacement: Replacement, block: MessageRange, id: string): Replacement[] {
  const { range, by } = replacement;
  if (!contains(range, block)) return [replacement];
  const parts: MessageRange[] = [
    { from: range.from, to: block.from - 1 },
    { from: block.to + 1, to: range.to },
  ];
  return parts
    .filter(({ from, to }) => from <= to)
    .map((part, index) => ({ range: part, by: index === 0 ? by : toldIn(replacement, part, id) }));
}

/** The line for a part of a range whose note is before another part. */
function toldIn({ range, by }: Replacement, part: MessageRange, id: string): Substitute {
  const messages = [fence(id, `[${handleOf(part)} is in the note of ${handleOf(range)}]`)];
  return { kind: 'line', messages, ...((by.kind === 'note' || by.isTold) && { isTold: true }) };
}

/** The line for a later part of a range that newer records, or a restored block, have split. */
export function remainderOf(replacement: RecordedReplacement, range: MessageRange): RecordedReplacement {
  const { compaction } = replacement;
  const by = toldIn(replacement, range, compaction);
  return { compaction, range, by, messages: by.messages };
}

/** Whether a run pays: what it cost once, against what it saves with every request. Tokens. */
interface NetGain {
  readonly savedEach: number;
  /** What comes after the first change in the request: no provider's cache has it, so it is read anew, once. */
  readonly readAnew: number;
  /** What the model read and wrote for the notes: 0 when none was asked, undefined when its server does not say. */
  readonly spent: number | undefined;
  /**
   * The number of requests after which more is saved than was spent and read again; undefined when that is not known.
   */
  readonly paidOffAfter: number | undefined;
}

/** Works out the net gain of a run from its receipt. */
export function netGain(receipt: Receipt): NetGain {
  const savedEach = receipt.tokensBefore - receipt.tokensAfter;
  const readAnew = Math.max(0, Math.round(receipt.tokensAfter - receipt.prefixKept * receipt.tokensBefore));
  const { modelTokens, modelCalls } = receipt;
  const asked = modelTokens === undefined ? undefined : modelTokens.input + modelTokens.output;
  const spent = modelCalls === 0 ? 0 : asked;
  const isKnown = spent !== undefined && savedEach > 0;
  return { savedEach, readAnew, spent, paidOffAfter: isKnown ? Math.ceil((spent + readAnew) / savedEach) : undefined };
}
