import type { MessageId, MessageRange } from '../../messages/message.ts';
import type { StrategyId } from '../compaction.ts';
import type { CompactionRun } from '../compactionRun.ts';
import type { Draft } from '../draft.ts';
import type { MadeRun } from '../madeRun.ts';
import type { CompactionResult } from '../outcome.ts';
import type { Unit } from '../unit.ts';
import { type NoteParts, notePartsOf } from './noteEdits.ts';

/** Why a stretch stays whole. `chosen`: by the user for this run; `later`: it is behind the message up to which the run goes. */
export type WhyKept = 'prompt' | 'pinned' | 'request' | 'running' | 'chosen' | 'later' | 'summary' | 'not-needed';

/** What a run does with one block of the view, or with a summary of an earlier run. Tokens are of the messages. */
export interface PreviewRow {
  readonly range: MessageRange;
  readonly fate: 'kept' | 'shortened' | 'replaced';
  readonly tokens: number;
  /** What is left of a block that is shortened. */
  readonly tokensAfter?: number;
  /** Of what is kept. */
  readonly why?: WhyKept;
  /** A summary of an earlier run; it cannot be kept by choice. */
  readonly isSummary: boolean;
}

/** A summary that the run would put in the place of messages. */
export interface PreviewNote extends NoteParts {
  readonly range: MessageRange;
}

/** What a run would do, before it is done. Plain data. */
export interface CompactionPreview {
  readonly strategy: StrategyId;
  /** Of whole requests, as the gauge shows them. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly limitTokens: number;
  /** In the order of the transcript. */
  readonly rows: readonly PreviewRow[];
  readonly notes: readonly PreviewNote[];
  /** Statements of a model's summary that were taken out. */
  readonly rejected: readonly string[];
  /** Why a summary by the model that was ordered is missing. */
  readonly withoutNote?: string;
  /** Why it cannot be applied as it is, in a sentence. */
  readonly problem?: string;
}

/** What of the conversation decides why something is kept. */
export interface Chosen {
  readonly pins: ReadonlySet<MessageId>;
  readonly keep: ReadonlySet<MessageId>;
  readonly upTo: MessageId | undefined;
}

/** Says what a run that was made would do. */
export function describePreview(
  made: MadeRun,
  result: CompactionResult,
  { gauge }: Pick<CompactionRun, 'gauge'>,
  chosen: Chosen,
): CompactionPreview {
  const { before, after, acted, strategy } = made;
  const problem = problemOf(result);
  return {
    strategy: strategy.id,
    tokensBefore: gauge.usedBefore(before.tokens),
    tokensAfter: gauge.usedAfter(after.tokens),
    limitTokens: gauge.limit,
    rows: rowsOf(before, after, chosen),
    notes: after.units.flatMap((unit) => {
      const parts = notePartsOf(unit);
      return parts === undefined ? [] : [{ range: unit.range, ...parts }];
    }),
    rejected: acted.rejected,
    ...(acted.error !== undefined && { withoutNote: acted.error.message }),
    ...(problem !== undefined && { problem }),
  };
}

function problemOf(result: CompactionResult): string | undefined {
  if (result.kind === 'failed') return result.error.message;
  return result.kind === 'skipped' ? result.message : undefined;
}

function rowsOf(before: Draft, after: Draft, chosen: Chosen): readonly PreviewRow[] {
  const rows: PreviewRow[] = [];
  let next = 0;
  for (const unit of after.units) {
    for (let old = before.units[next]; old !== undefined && old.range.from <= unit.range.to; old = before.units[next]) {
      rows.push(rowOf(old, unit, chosen));
      next += 1;
    }
  }
  return rows;
}

function rowOf(old: Unit, now: Unit, chosen: Chosen): PreviewRow {
  const { range, tokens } = old;
  const row = { range, tokens, isSummary: old.state !== 'whole' && old.state !== 'shortened' };
  if (!now.changed) return { ...row, fate: 'kept', why: whyKept(old, row.isSummary, chosen) };
  if (now.state === 'shortened') return { ...row, fate: 'shortened', tokensAfter: now.tokens };
  return { ...row, fate: 'replaced' };
}

function whyKept({ range, role }: Unit, isSummary: boolean, { pins, keep, upTo }: Chosen): WhyKept {
  if (role === 'prompt' || role === 'request') return role;
  if (upTo !== undefined && range.from >= upTo) return 'later';
  if (isIn(keep, range) && !isIn(pins, range)) return 'chosen';
  if (role === 'open') return 'running';
  if (role === 'pinned') return 'pinned';
  return isSummary ? 'summary' : 'not-needed';
}

function isIn(ids: ReadonlySet<MessageId>, { from, to }: MessageRange): boolean {
  for (let id = from; id <= to; id += 1) if (ids.has(id)) return true;
  return false;
}
