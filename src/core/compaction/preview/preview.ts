import { blockMessages, contains, findHolding, holdsAny } from '../../chat/blocks.ts';
import { fence, neutralise, unfence } from '../../chat/fence.ts';
import { parseHandles } from '../../chat/handle.ts';
import type { MessageId, MessageRange } from '../../chat/message.ts';
import { contentText } from '../../chat/parse.ts';
import type { Words } from '../../phrase.ts';
import { withoutUndefined } from '../../result.ts';
import type { Steps } from '../../steps.ts';
import type { CompactionResult, Narrative, StrategyId } from '../compaction.ts';
import type { CompactionRun, MadeRun, NoteEdit } from '../compactionRun.ts';
import { type Change, type Draft, isFrozen, startDraft, tellsAny, type Unit } from '../draft.ts';
import { labelRange, withNarratives, withoutCounts } from '../notes/noteText.ts';
import { renewState } from '../notes/state.ts';
import { countShortened } from '../shorten.ts';
import type { PlanInput, Strategy } from '../strategy.ts';

/** The input of the plan, and its strategy's promise. */
interface Planned extends Pick<PlanInput, 'ledger' | 'mark' | 'limit'>, Pick<Strategy, 'promise'> {}

/** Applies what the user chose in the preview to a plan. Facts of law 7 that no message states any more join the state. */
export function* applyChoices(draft: Draft, run: CompactionRun, input: Planned): Steps<Draft> {
  const left = yield* setAside(draft, run.aside ?? new Set(), input.mark);
  const chosen = yield* applyEdits(left, run.edits ?? [], input.mark);
  if (chosen === draft || input.promise === 'handles-only') return chosen;
  return yield* renewState(chosen, { ...input, target: input.limit });
}

/** A summary as the user reads and edits it. */
export interface NoteParts {
  /** Its first line, with the handle of everything that it replaces. The user cannot change it. */
  readonly head: string;
  readonly body: string;
  /** What the human wrote in its range, and the state as of its writing. The user cannot change it. */
  readonly state: string;
}

/** The parts of the summary that a plan put into a unit; undefined when it has none that can be edited. */
function notePartsOf(unit: Unit): NoteParts | undefined {
  if (!unit.changed || (unit.state !== 'note' && unit.state !== 'line')) return undefined;
  const [note = '', ...others] = unit.messages.map(contentText);
  const text = unfence(note);
  if (text === undefined) return undefined;
  const [head = '', ...body] = text.split('\n');
  if (!parseHandles(head).some((range) => contains(range, unit.range))) return undefined;
  const [told] = unit.narratives;
  const own = told?.by === 'user' ? told.text : body.join('\n').trim();
  return { head, body: own, state: others.map((other) => unfence(other) ?? other).join('\n\n') };
}

/** Puts the user's own text in place of summaries. It stays word for word, in later runs too. */
export function* applyEdits(draft: Draft, edits: readonly NoteEdit[], mark: string): Steps<Draft> {
  const changes: Change[] = [];
  for (const [start, unit] of draft.units.entries()) {
    const edit = edits.find(({ range }) => range.from === unit.range.from && range.to === unit.range.to);
    const parts = edit === undefined ? undefined : notePartsOf(unit);
    if (edit === undefined || parts === undefined) continue;
    yield;
    const text = neutralise(edit.text).toWellFormed().trim();
    const narratives: readonly Narrative[] = text === '' ? [] : [{ covers: unit.range, text, by: 'user' }];
    const messages = [fence(mark, withNarratives(withoutCounts(parts.head), narratives)), ...unit.messages.slice(1)];
    changes.push({ start, count: 1, by: { kind: 'note', messages, narratives, volatile: unit.volatile } });
  }
  return yield* draft.replace(changes);
}

/** The most tokens that a fenced line with the handle and label of one block takes, as a rule. */
const LINE_TOKENS = 80;

/** Whether the user may set a unit aside: a block that is sent, not frozen (law 4), and longer than the line in its place. */
function mayGo(unit: Unit): boolean {
  const isSent = unit.state === 'shortened' || (unit.state === 'whole' && unit.blocks[0]?.kind !== 'stray');
  return isSent && !isFrozen(unit) && unit.tokens > LINE_TOKENS;
}

/** Replaces the blocks that the user set aside with lines: those that may go and that the plan has not replaced itself. */
export function* setAside(draft: Draft, ids: ReadonlySet<MessageId>, mark: string): Steps<Draft> {
  if (ids.size === 0) return draft;
  const changes: Change[] = [];
  for (const [start, unit] of draft.units.entries()) {
    if (!ids.has(unit.range.from) || !mayGo(unit)) continue;
    yield;
    const messages = [fence(mark, labelRange(unit.range, unit.blocks))];
    changes.push({ start, count: 1, by: { kind: 'line', messages } });
  }
  return yield* draft.replace(changes);
}

/**
 * Applies a run made earlier to the conversation as it is now; undefined when what it replaces is no longer there as
 * whole blocks. Whether the result is legal is for the laws to say.
 */
export function* rebase(made: MadeRun, run: CompactionRun): Steps<MadeRun | undefined> {
  const before = yield* startDraft(run);
  const changes: Change[] = [];
  for (const { range, by } of made.after.replacements()) {
    yield;
    const start = findHolding(before.units, range.from);
    const end = findHolding(before.units, range.to);
    if (before.units[start]?.range.from !== range.from || before.units[end]?.range.to !== range.to) return undefined;
    changes.push({ start, count: end - start + 1, by });
  }
  return { ...made, before, after: yield* before.replace(changes) };
}

/**
 * Why a stretch stays whole. `unread`: the model has not answered it yet; `chosen`: by the user, for this run; `later`: it
 * comes after the message up to which the run goes; `short`: setting it aside would save nothing; `not-needed`: the user may
 * set it aside.
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

/** What a run would do, before it is done. Plain data. */
export interface CompactionPreview {
  readonly strategy: StrategyId;
  /** For whole requests, as the gauge shows them. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly limitTokens: number;
  /** In the order of the transcript. */
  readonly rows: readonly PreviewRow[];
  /** The summaries that the run would put in place of messages. */
  readonly notes: readonly (NoteParts & { readonly range: MessageRange })[];
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
interface Chosen extends Pick<CompactionRun, 'keep' | 'aside'> {
  readonly pins: ReadonlySet<MessageId>;
  readonly upTo: MessageId | undefined;
}

/** Describes what a run that is made but not recorded would do. `own`: the user's pins, and where the run ends. */
export function describePreview(
  { before, after, notes, strategy }: MadeRun,
  result: CompactionResult,
  { gauge, keep, aside }: CompactionRun,
  own: Pick<Chosen, 'pins' | 'upTo'>,
): CompactionPreview {
  const chosen = { ...own, keep, aside };
  return withoutUndefined<CompactionPreview>({
    strategy: strategy.id,
    tokensBefore: gauge.usedBefore(before.tokens),
    tokensAfter: gauge.usedAfter(after.tokens),
    limitTokens: gauge.limit,
    rows: before.units.flatMap((old) => {
      const now = after.units[findHolding(after.units, old.range.from)];
      return now === undefined ? [] : [rowOf(old, now, chosen)];
    }),
    notes: after.units.flatMap((unit) => {
      const parts = isLineOfOwn(unit, chosen) ? undefined : notePartsOf(unit);
      return parts === undefined ? [] : [{ range: unit.range, ...parts }];
    }),
    rejected: notes.rejected,
    withoutNote: notes.error?.message,
    unchecked: tellsAny(after, notes.narratives) ? notes.unchecked : undefined,
    problem: problemOf(result),
  });
}

/** Why a run cannot be applied; undefined when it can, or was cancelled. */
export function problemOf(result: CompactionResult): Words | undefined {
  if (result.kind === 'failed') return result.error.message;
  return result.kind === 'skipped' ? result.message : undefined;
}

function rowOf(old: Unit, now: Unit, chosen: Chosen): PreviewRow {
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
  return state === 'line' && blocks.length === 1 && aside?.has(range.from) === true;
}

function whyKept(unit: Unit, isSummary: boolean, { pins, keep = new Set(), upTo }: Chosen): WhyKept {
  const { range, role } = unit;
  if (role === 'prompt' || role === 'request') return role;
  if (upTo !== undefined && range.from >= upTo) return 'later';
  if (holdsAny(range, keep) && !holdsAny(range, pins)) return 'chosen';
  if (role === 'open') return 'running';
  if (role === 'unread') return 'unread';
  if (role === 'pinned') return 'pinned';
  if (isSummary) return 'summary';
  return mayGo(unit) ? 'not-needed' : 'short';
}
