import type { Words } from '../../language.ts';
import { blockMessages, findHolding } from '../../messages/blocks.ts';
import type { MessageId, MessageRange } from '../../messages/message.ts';
import { withoutUndefined } from '../../result.ts';
import type { CompactionResult, StrategyId } from '../compaction.ts';
import type { CompactionRun, MadeRun } from '../compactionRun.ts';
import type { Unit } from '../draft.ts';
import { countShortened } from '../shorten.ts';
import { type NoteParts, notePartsOf, whatMayGo } from './choices.ts';

/**
 * Why a stretch stays whole. `unread`: the model has not answered it yet; `chosen`: by the user, for this run; `later`: it comes after the message up to which the
 * run goes; `short`: setting it aside would save nothing; `not-needed`: the user may set it aside.
 */
export type WhyKept =
  | 'prompt'
  | 'pinned'
  | 'request'
  | 'running'
  | 'unread'
  | 'chosen'
  | 'later'
  | 'summary'
  | 'short'
  | 'not-needed';

/** What a run does to one block of the view, or to a summary of an earlier run. Tokens are those of the messages. */
export interface PreviewRow {
  readonly range: MessageRange;
  /**
   * `summarized`: a summary takes its place; `dropped`: a line with its handle does; `aside`: set aside by the user; not
   * where the plan replaces it anyway.
   */
  readonly fate: 'kept' | 'shortened' | 'summarized' | 'dropped' | 'aside';
  readonly tokens: number;
  /** The tokens of a block after it was shortened. */
  readonly tokensAfter?: number;
  /** How many messages of a shortened block are shortened; the others are sent as they came. */
  readonly shortened?: number;
  /** Only for what is kept. */
  readonly why?: WhyKept;
  /** A summary of an earlier run; the user cannot choose to keep it. */
  readonly isSummary: boolean;
}

/** A summary that the run would put in place of messages. */
export interface PreviewNote extends NoteParts {
  readonly range: MessageRange;
}

/** What a run would do, before it is done. Plain data. */
export interface CompactionPreview {
  readonly strategy: StrategyId;
  /** For whole requests, as the gauge shows them. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly limitTokens: number;
  /** In the order of the transcript. */
  readonly rows: readonly PreviewRow[];
  readonly notes: readonly PreviewNote[];
  /** Statements that were removed from the model's summary. */
  readonly rejected: readonly string[];
  /** Why a summary ordered from the model is missing. */
  readonly withoutNote?: Words;
  /** Why the model did not check the summary that it wrote. */
  readonly unchecked?: Words;
  /** Why the run cannot be applied, as a sentence. */
  readonly problem?: Words;
}

/** What the user pinned and chose, which explains why something is kept or not. */
export interface Chosen {
  readonly pins: ReadonlySet<MessageId>;
  readonly keep: ReadonlySet<MessageId>;
  readonly aside: ReadonlySet<MessageId>;
  readonly upTo: MessageId | undefined;
}

/** Describes what a run that is made but not recorded would do. */
export function describePreview(
  made: MadeRun,
  result: CompactionResult,
  { gauge, ledger }: Pick<CompactionRun, 'gauge' | 'ledger'>,
  chosen: Chosen,
): CompactionPreview {
  const { before, after, notes, strategy } = made;
  const given = { ...chosen, mayGo: whatMayGo(ledger, strategy.promise) };
  return withoutUndefined<CompactionPreview>({
    strategy: strategy.id,
    tokensBefore: gauge.usedBefore(before.tokens),
    tokensAfter: gauge.usedAfter(after.tokens),
    limitTokens: gauge.limit,
    rows: before.units.flatMap((old) => {
      const now = after.units[findHolding(after.units, old.range.from)];
      return now === undefined ? [] : [rowOf(old, now, given)];
    }),
    notes: after.units.flatMap((unit) => {
      const parts = isLineOfOwn(unit, chosen) ? undefined : notePartsOf(unit);
      return parts === undefined ? [] : [{ range: unit.range, ...parts }];
    }),
    rejected: notes.rejected,
    withoutNote: notes.error?.message,
    unchecked: notes.unchecked,
    problem: problemOf(result),
  });
}

function problemOf(result: CompactionResult): Words | undefined {
  if (result.kind === 'failed') return result.error.message;
  return result.kind === 'skipped' ? result.message : undefined;
}

/** What the user chose, and what the user may still choose. */
type Given = Chosen & { readonly mayGo: (unit: Unit) => boolean };

function rowOf(old: Unit, now: Unit, chosen: Given): PreviewRow {
  const { range, tokens } = old;
  const row = { range, tokens, isSummary: old.state !== 'whole' && old.state !== 'shortened' };
  if (!now.changed) return { ...row, fate: 'kept', why: whyKept(old, row.isSummary, chosen) };
  if (isLineOfOwn(now, chosen)) return { ...row, fate: 'aside' };
  if (now.state === 'shortened') {
    const shortened = countShortened(now.blocks.flatMap(blockMessages), now.messages);
    return { ...row, fate: 'shortened', tokensAfter: now.tokens, shortened };
  }
  return { ...row, fate: now.state === 'line' ? 'dropped' : 'summarized' };
}

/** True for the line that replaces one block that the user set aside: it is not a summary. */
function isLineOfOwn({ range, state, blocks }: Unit, { aside }: Chosen): boolean {
  return state === 'line' && blocks.length === 1 && aside.has(range.from);
}

function whyKept(unit: Unit, isSummary: boolean, { pins, keep, upTo, mayGo }: Given): WhyKept {
  const { range, role } = unit;
  if (role === 'prompt' || role === 'request') return role;
  if (upTo !== undefined && range.from >= upTo) return 'later';
  const holdsOne = (ids: ReadonlySet<MessageId>): boolean => [...ids].some((id) => range.from <= id && id <= range.to);
  if (holdsOne(keep) && !holdsOne(pins)) return 'chosen';
  if (role === 'open') return 'running';
  if (role === 'unread') return 'unread';
  if (role === 'pinned') return 'pinned';
  if (isSummary) return 'summary';
  return mayGo(unit) ? 'not-needed' : 'short';
}
