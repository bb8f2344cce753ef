import { type CompactionResult, netGain, type Receipt } from '../../core/compaction/compaction.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import { maskSecrets } from '../../core/model/secrets.ts';
import { unreachable } from '../../core/result.ts';
import { inEnglish } from '../../language/language.ts';

/** Whose event it is, and when it happened. */
export interface EventContext {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly conversation: string;
  /** The model of the conversation; a compaction's own model is in its receipt. */
  readonly model: string;
  /** Minutes east of UTC; absent: this machine's time zone. */
  readonly offsetMinutes?: number;
}

/** One event as a logfmt line without message text, keys and line end; undefined for events that are not logged. */
export function formatEvent(event: KarlEvent, context: EventContext): string | undefined {
  const fields = eventFields(event);
  if (fields === undefined) return undefined;
  // In a line about a compaction, `model` names the summarizer, if it wrote anything; the conversation's own model is
  // `profile`.
  const owner = event.type.startsWith('compaction-') ? { profile: context.model } : { model: context.model };
  return formatFields({
    time: formatLocalTime(context.at, context.offsetMinutes),
    event: event.type,
    ...owner,
    ...fields,
    conversation: context.conversation,
  });
}

const VERY_LARGE = 80_000;

type Fields = Readonly<Record<string, LogValue>>;

function eventFields(event: KarlEvent): Fields | undefined {
  switch (event.type) {
    case 'messages-appended':
    case 'budget-changed':
    case 'request-answered':
      return undefined;
    case 'compaction-started':
      return {
        strategy: event.strategy,
        trigger: event.trigger,
        characters: event.characters,
        ...(event.characters > VERY_LARGE && { context: 'very large' }),
        waits_for: event.waitsFor,
      };
    case 'compaction-ended': {
      const { result, trigger, tokensBefore, tokensAfter, ms, overflowTokens } = event;
      return {
        strategy: result.kind === 'compacted' ? result.compaction.strategy : result.strategy,
        trigger,
        ...(result.kind === 'compacted' ? receiptFields(result.receipt) : { messages: 0, summary_characters: 0 }),
        tokens_before: tokensBefore,
        tokens_after: tokensAfter,
        ms: Math.round(ms),
        outcome: result.kind,
        ...outcomeFields(result),
        ...(overflowTokens > 0 && { overflow_tokens: overflowTokens }),
      };
    }
    case 'compaction-by-hand':
    case 'compaction-undone':
    case 'compaction-redone': {
      const { id, strategy, trigger, receipt } = event.compaction;
      const isByHand = event.type === 'compaction-by-hand';
      return {
        strategy,
        trigger,
        messages: isByHand ? receipt.summarized : undefined,
        tokens_before: event.tokensBefore,
        tokens_after: event.tokensAfter,
        ms: isByHand ? Math.round(event.ms) : undefined,
        outcome: isByHand ? trigger : event.type.slice('compaction-'.length),
        compaction: id,
      };
    }
    case 'window-learned':
      return { model: event.model, window: event.window.tokens, source: event.window.source };
    case 'model-error':
    case 'tools-refused':
      return { model: event.model, ...errorFields(event.error) };
    case 'retry':
      return {
        model: event.model,
        attempt: event.attempt,
        delay_ms: Math.round(event.delayMs),
        ...errorFields(event.error),
      };
    case 'warning':
      return { reason: maskSecrets(inEnglish(event.message)) };
    default:
      return unreachable(event);
  }
}

/** What the run made, what it cost in reported tokens, and what it saves with each request. */
function receiptFields(receipt: Receipt): Fields {
  const { savedEach, readAnew } = netGain(receipt);
  const { modelCalls, modelTokens, modelCost, rungs, freedAlone } = receipt;
  return {
    messages: receipt.summarized,
    summary_characters: receipt.summaryCharacters,
    instructed: receipt.instructions === undefined ? undefined : true,
    model: receipt.model,
    without_summary: receipt.withoutNoteKind,
    summary_check: receipt.unchecked === undefined ? undefined : 'failed',
    saved_each: savedEach,
    read_anew: readAnew,
    ...(modelCalls > 0 && { model_calls: modelCalls }),
    model_input_tokens: modelTokens?.input,
    model_output_tokens: modelTokens?.output,
    model_cached_tokens: modelTokens?.cached,
    cost_usd: modelCost?.toPrecision(3),
    ...(rungs.length > 0 && { rungs: rungs.join(',') }),
    ...(freedAlone !== undefined && { freed_alone: freedAlone, rest_by: 'adaptive' }),
  };
}

function outcomeFields(result: CompactionResult): Fields {
  switch (result.kind) {
    case 'compacted': {
      const { reachedTarget, fellBackFrom, compaction } = result;
      return { reached_target: reachedTarget, fell_back_from: fellBackFrom, compaction: compaction.id };
    }
    case 'skipped':
      return {
        reason: result.reason,
        ...(result.cuts !== undefined && { top_ends: `t${result.cuts.top}`, bottom_begins: `t${result.cuts.bottom}` }),
      };
    case 'failed':
      // Only the kind, since the message may quote the model's text.
      return { reason: result.error.kind };
    case 'cancelled':
      return {};
    default:
      return unreachable(result);
  }
}

function errorFields(error: Extract<KarlEvent, { type: 'model-error' }>['error']): Fields {
  return {
    kind: error.kind,
    status: error.status,
    actual_tokens: error.actualTokens,
    limit_tokens: error.limitTokens,
    output_tokens: error.outputTokens,
    retryable: error.retryable,
    // A possible quotation may be message text.
    reason: error.quoted === true ? 'quoted' : maskSecrets(inEnglish(error.evidence)),
  };
}

/** The value of a logfmt field; `undefined` leaves the field out. */
export type LogValue = string | number | boolean | undefined;

/** Longer values are cut: the text of an error can fill a page. */
const LONGEST_VALUE = 300;

/** Quoting is needed for spaces, quotes, equals signs, backslashes, empty text, and every control or line-breaking character. */
const NEEDS_QUOTES = /[\s"=\\\p{Cc}\p{Zl}\p{Zp}]|^$/u;

/** Fields as one logfmt line of valid UTF-8 without line end, `key=value key="quoted value"`, whatever they hold. */
export function formatFields(fields: Readonly<Record<string, LogValue>>): string {
  return Object.entries(fields)
    .filter((entry): entry is [string, Exclude<LogValue, undefined>] => entry[1] !== undefined)
    .map(([key, value]) => `${key}=${formatValue(value)}`)
    .join(' ');
}

function formatValue(value: Exclude<LogValue, undefined>): string {
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000);
  if (typeof value === 'boolean') return String(value);
  const text = (value.length <= LONGEST_VALUE ? value : `${value.slice(0, LONGEST_VALUE - 1)}…`).toWellFormed();
  return NEEDS_QUOTES.test(text) ? `"${text.replace(/["\\\p{Cc}\p{Zl}\p{Zp}]/gu, escapeCharacter)}"` : text;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function escapeCharacter(character: string): string {
  return ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Local time as ISO 8601 with its offset, e.g. `2026-03-01T23:59:59.120+01:00`. `at` is milliseconds since 1970. */
export function formatLocalTime(at: number, offsetMinutes: number = -new Date(at).getTimezoneOffset()): string {
  const local = new Date(at + offsetMinutes * 60_000).toISOString().slice(0, -1);
  const sign = offsetMinutes < 0 ? '-' : '+';
  const size = Math.abs(Math.round(offsetMinutes));
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `${local}${sign}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}
