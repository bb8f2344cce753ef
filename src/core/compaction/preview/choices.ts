import type { Ledger } from '../../ledger/ledger.ts';
import { requiredFacts } from '../../ledger/stated.ts';
import { contains, findHolding } from '../../messages/blocks.ts';
import { fence, neutralise, unfence } from '../../messages/fence.ts';
import { parseHandles } from '../../messages/handle.ts';
import type { MessageId } from '../../messages/message.ts';
import { contentText } from '../../messages/parse.ts';
import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import { judge } from '../audit/judge.ts';
import { Sources } from '../audit/sources.ts';
import { readNote, UNVERIFIED } from '../audit/statements.ts';
import type { Narrative } from '../compaction.ts';
import type { CompactionRun, MadeRun, NoteEdit } from '../compactionRun.ts';
import { type Change, type Draft, isFrozen, startDraft, type Unit } from '../draft.ts';
import { labelRange, withNarratives, withoutCounts } from '../notes/noteText.ts';
import { renewState } from '../notes/state.ts';
import { CHARACTERS_A_TOKEN } from '../shorten.ts';
import type { PlanInput, Strategy } from '../strategy.ts';

/** The input of the plan, and its strategy's promise. */
interface Planned extends Pick<PlanInput, 'ledger' | 'mark' | 'limit'>, Pick<Strategy, 'promise'> {}

/** Applies what the user chose in the preview to a plan. Facts of law 7 that no message states any more join the state. */
export function* applyChoices(draft: Draft, run: CompactionRun, input: Planned): Steps<Draft> {
  const left = yield* setAside(draft, run.aside ?? new Set(), input);
  const chosen = yield* applyEdits(left, run, input.mark);
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
export function notePartsOf(unit: Unit): NoteParts | undefined {
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

/** The edits, and what they are checked against. */
interface Said {
  readonly edits?: readonly NoteEdit[] | undefined;
  readonly transcript: Transcript;
}

/**
 * Puts the user's own text in place of summaries. It stays word for word, in later runs too; a line that the
 * conversation does not support is marked, never removed.
 */
export function* applyEdits(draft: Draft, { edits = [], ...said }: Said, mark: string): Steps<Draft> {
  const changes: Change[] = [];
  for (const [start, unit] of draft.units.entries()) {
    const edit = edits.find(({ range }) => range.from === unit.range.from && range.to === unit.range.to);
    const parts = edit === undefined ? undefined : notePartsOf(unit);
    if (edit === undefined || parts === undefined) continue;
    const text = yield* markUnsupported(parts.body, neutralise(edit.text).toWellFormed().trim(), said);
    const narratives: readonly Narrative[] = text === '' ? [] : [{ covers: unit.range, text, by: 'user' }];
    const messages = [fence(mark, withNarratives(withoutCounts(parts.head), narratives)), ...unit.messages.slice(1)];
    changes.push({ start, count: 1, by: { kind: 'note', messages, narratives, volatile: unit.volatile } });
  }
  return yield* draft.replace(changes);
}

/** The text with a mark after each line that the user wrote and that does not hold against the raw messages. */
function* markUnsupported(before: string, text: string, { transcript }: Said): Steps<string> {
  const kept = new Set(before.split('\n').map((line) => line.trim()));
  const sources = new Sources(transcript);
  yield* sources.read();
  const marked: string[] = [];
  const lines = text.split('\n');
  for (const [at, { statements }] of readNote(text).entries()) {
    const line = lines[at] ?? '';
    yield;
    const isOwn = !kept.has(line.trim()) && !line.includes(UNVERIFIED);
    const own = isOwn ? statements.filter(({ isHeading }) => !isHeading) : [];
    const holds = own.every((statement) => judge(statement, sources) === 'holds');
    marked.push(holds ? line : `${line.trimEnd()} ${UNVERIFIED}`);
  }
  return marked.join('\n');
}

/** The most tokens that a fenced line with the handle and label of one block takes, as a rule. */
const LINE_TOKENS = 80;
/** The tokens around a fact in the state: its handle, its condition, its share of a title. */
const FACT_TOKENS = 15;

/**
 * Tells whether the user may set a unit aside: it must be one block that is sent, not frozen (law 4), and longer than the
 * line that would replace it plus what the state would then have to say (law 7).
 */
export function whatMayGo(ledger: Ledger, promise: Strategy['promise']): (unit: Unit) => boolean {
  const said = new Map<MessageId, number>();
  if (promise === 'facts-in-view')
    for (const { at, value, detail = '' } of requiredFacts(ledger))
      said.set(at, (said.get(at) ?? 0) + FACT_TOKENS + (value.length + detail.length) / CHARACTERS_A_TOKEN);
  return (unit) => {
    const [block] = unit.blocks;
    const isSent = unit.state === 'shortened' || (unit.state === 'whole' && block?.kind !== 'stray');
    if (!isSent || block === undefined || isFrozen(unit)) return false;
    return unit.tokens > block.messages.reduce((least, { id }) => least + (said.get(id) ?? 0), LINE_TOKENS);
  };
}

/** Replaces the blocks that the user set aside with lines: those that may go and that the plan has not replaced itself. */
export function* setAside(
  draft: Draft,
  ids: ReadonlySet<MessageId>,
  { ledger, promise, mark }: Pick<PlanInput, 'ledger' | 'mark'> & Pick<Strategy, 'promise'>,
): Steps<Draft> {
  if (ids.size === 0) return draft;
  const mayGo = whatMayGo(ledger, promise);
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
