import { isDeepStrictEqual } from 'node:util';
import { type ChatMessage, type CompactionReport, type Conversation, countTokens } from '../../src/engine.ts';
import { checkView, type Shown, textOf } from './checkView.ts';
import { groupRaw, type RawGroup } from './expectedView.ts';

/** A request that a summarizer was sent, with the tokens that it may write. */
export interface SummaryRequest {
  readonly tokens: number;
  readonly maxTokens: number;
}

/** One run seen from outside: the conversation before and after it. */
export interface Run {
  readonly before: Shown;
  readonly after: Shown;
  readonly report: CompactionReport;
  /** Indexes of pinned messages. */
  readonly pins?: readonly number[];
  /** Index of the current request, when the caller knows it. */
  readonly request?: number;
  /** Facts that the caller planted and that law 7 wants literally in the view. */
  readonly planted?: readonly string[];
  readonly requests?: readonly SummaryRequest[];
  /** What the summarizer takes in and gives out in one request, tokens. */
  readonly summarizerWindow?: number;
}

/** What a conversation shows from outside now; it stays as it is when the conversation goes on. */
export function show(conversation: Conversation, formerIds: readonly string[] = []): Shown {
  return structuredClone({
    messages: conversation.messages(),
    view: conversation.view(),
    compactions: conversation.compactions(),
    formerIds: [...formerIds],
  });
}

/**
 * The laws of compaction that one run broke, in words; none when all hold. Written apart from the engine's own check:
 * it sees only what every caller of the engine sees.
 */
export function checkLaws(run: Run): string[] {
  return [
    ...checkView(run.after),
    ...checkFrozen(run),
    ...checkSmaller(run),
    ...checkAuthority(run),
    ...checkAudited(run),
    ...checkHarmless(run),
    ...checkFits(run),
  ];
}

/** Law 4: system messages, pinned messages with their pairs, the current request and running calls are untouched. */
function isFrozen({ before, pins = [], request }: Run, group: RawGroup): boolean {
  return (
    isSystem(before.messages[group.from]) ||
    group.from === request ||
    group.open ||
    pins.some((pin) => group.from <= pin && pin <= group.to)
  );
}

/** Law 4: what the model has not answered is not replaced; it may be shortened where the view would not fit with it. */
function isUnread({ before }: Run, group: RawGroup): boolean {
  const answered = before.messages.findLastIndex(({ role }) => role === 'assistant');
  return group.from > answered || (group.from === answered && before.messages[answered]?.tool_calls !== undefined);
}

function checkFrozen(run: Run): string[] {
  const covered = run.after.compactions.flatMap((compaction) => compaction.ranges);
  return groupRaw(run.before.messages).flatMap((group) => {
    const ranges = covered.filter((range) => range.from <= group.to && group.from <= range.to);
    const isKept = isFrozen(run, group)
      ? ranges.length === 0
      : !isUnread(run, group) || ranges.every(({ kind }) => kind === 'shortened');
    return isKept ? [] : [`frozen: t${group.from} was replaced`];
  });
}

function isSystem(message: ChatMessage | undefined): boolean {
  return message?.role === 'system' || message?.role === 'developer';
}

/** Law 5: a run that says it compacted gained a tenth of what it might change, or brought the view under the limit. */
function checkSmaller(run: Run): string[] {
  const { report, before, after } = run;
  if (report.kind !== 'compacted') return [];
  const limit = report.receipt?.limitTokens ?? Number.POSITIVE_INFINITY;
  // What every request has besides its messages.
  const besides = countTokens(before.view) - report.tokensBefore;
  if (report.tokensBefore + besides > limit && report.tokensAfter + besides <= limit) return [];
  const kept = groupRaw(before.messages).filter((group) => isFrozen(run, group) || isUnread(run, group));
  // A run that shortened what the model has not read was needed for the view to fit.
  const newest = after.compactions.at(-1)?.ranges ?? [];
  if (kept.some(({ from }) => newest.some((range) => range.from === from))) return [];
  const frozen = countTokens(kept.flatMap(({ from, to }) => before.messages.slice(from, to + 1)));
  // Where the caller does not know the current request, it may be any message of the user.
  const asked = run.request === undefined ? before.messages.filter(({ role }) => role === 'user') : [];
  const request = Math.max(0, ...asked.map((message) => countTokens([message])));
  const { tokensBefore, tokensAfter } = report;
  const isSmaller = tokensBefore - tokensAfter >= (tokensBefore - frozen - request) * 0.1;
  return isSmaller ? [] : [`smaller: ${tokensBefore} → ${tokensAfter} tokens`];
}

/** Law 6: what has authority in the view was in the raw messages. */
function checkAuthority({ after }: Run): string[] {
  const raw = after.messages.filter(isSystem);
  const shown = after.view.filter(isSystem);
  return isDeepStrictEqual(shown, raw) ? [] : ['untrusted: the system messages of the view are not the raw ones'];
}

/** Law 7, as far as the caller knows what must be in the view: word for word, white space aside. */
function checkAudited({ after, report, planted = [] }: Run): string[] {
  if (report.kind !== 'compacted' || report.receipt?.promise !== 'facts-in-view') return [];
  const text = flat(after.view.map((message) => `${textOf(message)}\n${argumentsOf(message)}`).join('\n'));
  return planted.filter((fact) => !text.includes(flat(fact))).map((fact) => `audited: "${fact}" is not in the view`);
}

function argumentsOf(message: ChatMessage): string {
  return (message.tool_calls ?? []).map((call) => call.function.arguments).join('\n');
}

const flat = (text: string): string => text.replace(/\s+/g, ' ');

/** Law 9: only a run that compacted changed the view, and no run changed a raw message. */
function checkHarmless({ before, after, report }: Run): string[] {
  const faults: string[] = [];
  if (!isDeepStrictEqual(after.messages.slice(0, before.messages.length), before.messages))
    faults.push('harmless: raw messages were changed');
  if (report.kind !== 'compacted' && !isDeepStrictEqual(after.view, before.view))
    faults.push(`harmless: a ${report.kind} run changed the view`);
  if (report.kind !== 'compacted' && !isDeepStrictEqual(after.compactions, before.compactions))
    faults.push(`harmless: a ${report.kind} run left a record`);
  return faults;
}

/** Law 10: every request to the summarizer leaves room for its answer in its window. */
function checkFits({ requests = [], summarizerWindow = Number.POSITIVE_INFINITY }: Run): string[] {
  return requests
    .filter(({ tokens, maxTokens }) => tokens + maxTokens > summarizerWindow)
    .map(({ tokens, maxTokens }) => `fits: ${tokens} + ${maxTokens} tokens for a window of ${summarizerWindow}`);
}
