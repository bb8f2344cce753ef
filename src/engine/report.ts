import { contentText } from '../core/chat/parse.ts';
import { copyData } from '../core/chat/wire.ts';
import type {
  Compaction,
  CompactionError,
  CompactionResult,
  HandAct,
  Receipt,
  SkipReason,
  StrategyId,
  Trigger,
} from '../core/compaction/compaction.ts';
import { inEnglish } from '../language/language.ts';

/**
 * The common part of all reports. Token figures are of the view's messages, including the prompt but not the tool
 * definitions.
 */
interface Measured {
  /** The strategy that ended the run: the fallback, if it ran. */
  readonly strategy: StrategyId;
  readonly tokensBefore: number;
  /** Equal to `tokensBefore` unless something was compacted. */
  readonly tokensAfter: number;
  /** The tokens by which prompt, tools and current request alone exceed the budget; 0 when they fit. */
  readonly overflowTokens: number;
}

/** What one call of `compact` did. Only `compacted` changed anything. */
export type CompactionReport = Measured &
  (
    | {
        readonly kind: 'compacted';
        /** Whether the view is at or below the target of the run. */
        readonly reachedTarget: boolean;
        readonly receipt: Receipt;
        /** The strategy that failed first, when the named fallback ran. */
        readonly fellBackFrom?: StrategyId;
        readonly reason?: undefined;
        readonly message?: undefined;
      }
    | {
        readonly kind: 'skipped';
        /** True only for the reason `already-under-target`. */
        readonly reachedTarget: boolean;
        readonly reason: SkipReason;
        /** The reason as a sentence. */
        readonly message: string;
        readonly receipt?: undefined;
      }
    | {
        readonly kind: 'failed';
        readonly reachedTarget: false;
        readonly reason: CompactionError['kind'];
        /** The reason as a sentence, with the summarizer's own words if it was at fault. */
        readonly message: string;
        readonly receipt?: undefined;
      }
    | {
        /** Ended by the caller's signal, or because the conversation changed during the run. */
        readonly kind: 'cancelled';
        readonly reachedTarget: false;
        readonly reason?: undefined;
        readonly message?: undefined;
        readonly receipt?: undefined;
      }
  );

/** The end of a run, as reported to its caller. */
export function reportOf(result: CompactionResult, figures: Omit<Measured, 'strategy'>): CompactionReport {
  if (result.kind === 'compacted') {
    const { kind, compaction, receipt, reachedTarget, fellBackFrom } = result;
    const fell = fellBackFrom !== undefined && { fellBackFrom };
    return { ...figures, kind, strategy: compaction.strategy, reachedTarget, receipt, ...fell };
  }
  if (result.kind === 'cancelled') return { ...figures, ...result, reachedTarget: false };
  if (result.kind === 'skipped') {
    const reachedTarget = result.reason === 'already-under-target';
    return { ...figures, ...result, message: inEnglish(result.message), reachedTarget };
  }
  const { kind, strategy, error } = result;
  return { ...figures, kind, strategy, reachedTarget: false, reason: error.kind, message: inEnglish(error.message) };
}

/** A compaction in effect. */
export interface CompactionInfo {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `manual`: the user chose what to replace; `trigger` names the action. `agent`: another agent's own compaction. */
  readonly strategy: StrategyId | 'manual' | 'agent';
  readonly trigger: Trigger | HandAct | 'agent';
  /** The raw messages that it replaces, as indexes into `messages()`, both ends included. */
  readonly ranges: readonly { readonly from: number; readonly to: number; readonly kind: string }[];
  /** The text of its notes. */
  readonly notes: readonly string[];
  readonly receipt: Receipt;
}

/** What callers see of a record; a copy. */
export function infoOf({ id, at, strategy, trigger, replacements, receipt }: Compaction): CompactionInfo {
  const ranges = replacements.map(({ range, by }) => ({ ...range, kind: by.kind }));
  const notes = replacements.filter(({ by }) => by.kind === 'note').flatMap(({ by }) => by.messages.map(contentText));
  return { id, at, strategy, trigger, ranges, notes, receipt: copyData(receipt) };
}
