import { type Block, contains } from '../../chat/blocks.ts';
import { fence, unfence } from '../../chat/fence.ts';
import type { MessageRange } from '../../chat/message.ts';
import { contentText } from '../../chat/parse.ts';
import { err, ok, type Result } from '../../result.ts';
import { eachInSteps, type Steps } from '../../steps.ts';
import type { Narrative, Skip } from '../compaction.ts';
import {
  type Change,
  type Draft,
  findRuns,
  isFrozen,
  largestThatFits,
  type Run,
  rangeOf,
  SPARE_SHARE,
  sumTokens,
  type Unit,
  unitsOf,
} from '../draft.ts';
import type { NoteOrder, Plan, PlanInput } from '../strategy.ts';
import { isSaid, noteMessages, rangeLine, readSaid, withNarratives } from './noteText.ts';
import { readPassages } from './passages.ts';
import { type Choice, type NotePassage, rankPassages } from './selection.ts';
import { renewState } from './state.ts';

/**
 * The length of a narrative is this share of the tokens that it covers, within the least and the most (ARCHITECTURE,
 * figures).
 */
const LENGTH_SHARE = 0.045;
const LEAST_TOKENS = 1000;
const MOST_TOKENS = 8000;
/** When narratives take more than this share of the target, they are replaced by a single new one. */
const MANY_SHARE = 0.3;
/** Narratives that take more than this share of the target give way to quotations, so none is ordered that would be longer. */
export const MOST_NARRATIVES = 0.4;
/** A model is not asked for a narrative of less than this. Tokens. */
const LEAST_SOURCE = 2000;
/** With less room than this, no model is asked either: its answer would be cut off and still cost money. Tokens. */
const LEAST_ROOM = 256;

/** The shortest note that is ordered. Tokens. */
const LEAST_NOTE = 64;

/**
 * The order of a note about some blocks, at most `most` long; a brief one is also no longer than the settings and the length
 * of the raw messages warrant. Tokens.
 */
function orderNote(
  { draft, settings }: Pick<PlanInput, 'draft' | 'settings'>,
  blocks: readonly Block[],
  most: number,
  detail: NoteOrder['detail'] = 'brief',
): NoteOrder {
  const sourceTokens = draft.count(blocks.flatMap(({ messages }) => messages.map(({ wire }) => wire)));
  const warranted = Math.max(LEAST_TOKENS, Math.floor(sourceTokens * LENGTH_SHARE));
  const brief = Math.min(settings.summary.maxTokens, MOST_TOKENS, warranted, most);
  const maxTokens = Math.max(LEAST_NOTE, Math.floor(detail === 'brief' ? brief : most));
  return { range: rangeOf(blocks), blocks, sourceTokens, maxTokens, detail };
}

/**
 * The narrative that a plan orders from the model: about everything that the plan changed and no earlier narrative
 * covers. Undefined when no model may be asked, or too little would be covered.
 */
export function planNarrative(draft: Draft, input: PlanInput, handsOver: boolean): NoteOrder | undefined {
  const { when } = input.settings.summary;
  if (!input.canSummarize || when === 'never' || (when === 'whenNeeded' && !handsOver)) return undefined;
  const room = input.target * MOST_NARRATIVES;
  if (room < LEAST_ROOM) return undefined;
  // When the narratives have grown too long, a single new one covers everything, from the raw messages.
  const anew = narrativeTokens(draft) > input.target * MANY_SHARE;
  const told = anew ? -1 : lastTold(draft);
  // The newest unit is the step that the model is at: no narrative covers it.
  const last = draft.units.findLastIndex((unit, index) => unit.changed && index < draft.units.length - 1);
  const behind = draft.units.slice(0, last + 1).filter((unit) => unit.role !== 'prompt');
  // A note made anew may cover messages that a narrative covers already, and more.
  const blocks = behind.flatMap((unit) => unit.blocks).filter((block) => block.range.from > told);
  if (blocks.length === 0) return undefined;
  const order = orderNote({ ...input, draft }, blocks, room);
  return order.sourceTokens < LEAST_SOURCE ? undefined : order;
}

function lastTold(draft: Draft): number {
  return Math.max(-1, ...draft.units.flatMap((unit) => unit.narratives.map(({ covers }) => covers.to)));
}

/** The approximate tokens of all narratives in a draft. */
export function narrativeTokens(draft: Draft): number {
  let sum = 0;
  for (const { narratives } of draft.units)
    for (const { text } of narratives) sum += draft.count([{ role: 'user', content: text }]);
  return sum;
}

/** A unit's note with narratives in place of its own. A unit that was only shortened becomes a note for that. */
function tellIn(start: number, unit: Unit, narratives: readonly Narrative[], mark: string): Change {
  const { volatile, state, range, messages: made } = unit;
  const states = made.slice(made.length - volatile);
  const [own, ...beside] = state === 'note' ? made.slice(0, made.length - volatile) : [fence(mark, rangeLine(range))];
  const text = withNarratives(unfence(contentText(own ?? fence(mark, ''))) ?? '', narratives, unit.narratives);
  return {
    start,
    count: 1,
    by: { kind: 'note', messages: [fence(mark, text), ...beside, ...states], narratives, volatile },
  };
}

/** The draft without the narratives within a range (default: all): the notes that held them are written without them. */
export function* dropNarratives(draft: Draft, mark: string, within?: MessageRange): Steps<Draft> {
  return yield* draft.replace(
    draft.units.flatMap((unit, start) => {
      const kept = unit.narratives.filter(({ covers }) => within !== undefined && !contains(within, covers));
      return kept.length === unit.narratives.length ? [] : [tellIn(start, unit, kept, mark)];
    }),
  );
}

/**
 * Puts each narrative into the note of the last unit that it covers and that is not whole, so that whatever follows is
 * newer. Where that unit is only shortened and a note precedes it, the narrative goes there: otherwise notes would multiply.
 */
export function* placeNarratives(draft: Draft, narratives: readonly Narrative[], mark: string): Steps<Draft> {
  let placed = draft;
  for (const narrative of narratives) {
    const { units } = placed;
    const takes = (unit: Unit): boolean => unit.state !== 'whole' && unit.role === 'work';
    const last = units.findLastIndex((unit) => takes(unit) && unit.range.from <= narrative.covers.to);
    const at = last < 0 ? units.findIndex(takes) : last;
    const start = units[at]?.state === 'shortened' && units[at - 1]?.state === 'note' ? at - 1 : at;
    const unit = units[start];
    if (unit !== undefined)
      placed = yield* placed.replace([tellIn(start, unit, [...unit.narratives, narrative], mark)]);
  }
  return placed;
}

/** An estimate of the characters per token. What is written is counted exactly. */
const DENSITY = 4;

interface NotedUnit {
  readonly unit: Unit;
  readonly passages: readonly NotePassage[];
}

/** A run that a note replaces. `told`: the model's text about it, which takes the place of quotations. */
interface NotedRun extends Run {
  readonly told?: Narrative | undefined;
}

/** The notes that a model is asked for. `share`: of the run's tokens, at most; `isWorth`: whether a run gets one. */
interface Asking extends Pick<NoteOrder, 'detail'> {
  readonly share: number;
  readonly isWorth: (units: readonly Unit[]) => boolean;
}

/**
 * Replaces runs by what the model wrote about them, and orders a note for each run that the model has not written about.
 * Runs without a model's note are replaced by quotations, as many as fit in the target. What the human wrote is quoted
 * beside either. `trace`: see `noteRuns`.
 */
export function* planNotes(
  input: PlanInput,
  runs: readonly Run[],
  asking?: Asking,
  trace?: ReadTrace,
): Steps<Result<Plan, Skip>> {
  const { draft, narratives } = input;
  if (runs.length === 0) return err({ reason: 'nothing-to-compact' });
  const orders: NoteOrder[] = [];
  const noted = runs.map((run): NotedRun => {
    const units = unitsOf(draft, run);
    const { from, to } = rangeOf(units);
    const told = narratives.find(({ covers }) => covers.from === from && covers.to === to);
    if (told === undefined && asking !== undefined && input.canSummarize && asking.isWorth(units)) {
      const blocks = units.flatMap((unit) => unit.blocks);
      orders.push(orderNote(input, blocks, sumTokens(units) * asking.share, asking.detail));
    }
    return { ...run, told };
  });
  return ok({ draft: yield* noteRuns(draft, noted, input, trace), orders, rungs: [] });
}

/** A run with what can be quoted of its units. */
interface NotedUnits extends NotedRun {
  readonly units: readonly NotedUnit[];
}

/** What is quoted of a block, where a note is a trace of calls. */
type ReadTrace = (block: Block) => readonly NotePassage[];

/**
 * The view with notes in place of some runs, and its state. The notes quote as much as fits in the target; they are the
 * shortest when even those do not fit. A trace has no state, and its quotations stand beside the model's text.
 */
export function* noteRuns(draft: Draft, runs: readonly NotedRun[], input: PlanInput, trace?: ReadTrace): Steps<Draft> {
  const all: NotePassage[] = [];
  const notes: NotedUnits[] = [];
  for (const run of runs) {
    const units: NotedUnit[] = [];
    for (const unit of unitsOf(draft, run)) {
      yield;
      const read = yield* readUnit(draft, unit, trace ?? readPassages);
      const isTold = run.told !== undefined && trace === undefined;
      const passages = isTold ? read.filter(({ isSaid }) => isSaid) : read;
      units.push({ unit, passages });
      for (const passage of passages) all.push(passage);
    }
    notes.push({ ...run, units });
  }
  const choose = yield* rankPassages(all, draft.askedFor);
  const { target, mark } = input;
  const write = function* (room: number): Steps<Draft> {
    const choice = yield* choose(room);
    const written = yield* writeNotes(
      draft,
      mark,
      notes,
      trace === undefined ? choice : { ...choice, left: undefined },
    );
    return trace === undefined ? yield* renewState(written, input) : written;
  };
  const shortest = yield* write(0);
  if (shortest.tokens >= target) return shortest;
  const most = Math.ceil((target - shortest.tokens) * DENSITY * 4);
  return (yield* largestThatFits(most, target, write, target * SPARE_SHARE)) ?? shortest;
}

/**
 * The draft with each run replaced by its note where that is smaller. Each run's newest units stay as long as there is room
 * for them beside all quotations (`left`, characters; undefined: none).
 */
function* writeNotes(
  draft: Draft,
  mark: string,
  notes: readonly NotedUnits[],
  { chosen, left }: Pick<Choice, 'chosen'> & { readonly left: number | undefined },
): Steps<Draft> {
  let spare = left ?? Number.NEGATIVE_INFINITY;
  const parts: NotedUnits[] = [];
  for (const run of notes.toReversed()) {
    yield;
    const { told, units } = run;
    let end = units.length;
    // What the model wrote covers all of its run.
    for (let last = units[end - 1]; last !== undefined && told === undefined; last = units[end - 1]) {
      const quoted = last.passages.reduce((sum, passage) => sum + (chosen.get(passage)?.text.length ?? 0), 0);
      const more = last.unit.tokens * DENSITY - quoted;
      if (more > spare) break;
      spare -= more;
      end -= 1;
    }
    parts.push({ ...run, units: units.slice(0, end) });
  }
  const changes: Change[] = [];
  for (const { start, told, units } of parts.reverse()) {
    const noted: Unit[] = [];
    const passages: NotePassage[] = [];
    const narratives: Narrative[] = [];
    yield* eachInSteps(units, (one) => {
      noted.push(one.unit);
      for (const passage of one.passages) passages.push(passage);
      for (const narrative of one.unit.narratives) narratives.push(narrative);
    });
    if (noted.length === 0) continue;
    const stated = told === undefined ? narratives : [told];
    const isFirst = changes.length === 0;
    const messages = yield* noteMessages(mark, rangeOf(noted), passages, { chosen, narratives: stated, isFirst });
    if ((yield* draft.countInSteps(messages)) >= sumTokens(noted)) continue;
    changes.push({ start, count: noted.length, by: { kind: 'note', messages, narratives: stated } });
  }
  return yield* draft.replace(changes);
}

function* readUnit(draft: Draft, { blocks }: Unit, read: ReadTrace): Steps<readonly NotePassage[]> {
  const [only] = blocks;
  const readOne = (block: Block): readonly NotePassage[] => (isSaid(draft, block) ? readSaid(block) : read(block));
  if (only !== undefined && blocks.length === 1) return readOne(only);
  const passages: NotePassage[] = [];
  yield* eachInSteps(blocks, (block) => passages.push(...readOne(block)), 16);
  return passages;
}

/**
 * When the notes of earlier runs take more than this share of the target, or there are more than so many next to each
 * other, a single new one replaces them, made from the raw messages.
 */
const NOTES_SHARE = 0.5;
const MOST_NOTES = 3;

/**
 * The runs of units between `start` and `end`, of those that `belongs` accepts, that a strategy replaces by notes: what no
 * note of an earlier run covers yet, or whole stretches where the notes in them must become one.
 */
export function* runsToNote(
  draft: Draft,
  start: number,
  end: number,
  target: number,
  belongs = (unit: Unit): boolean => !isFrozen(unit),
): Steps<Run[]> {
  const isNote = ({ state }: Unit): boolean => state === 'note';
  const isMuch = sumTokens(draft.units.slice(start, end).filter(isNote)) > target * NOTES_SHARE;
  const runs: Run[] = [];
  for (const stretch of findRuns(draft, end, belongs, start)) {
    yield;
    const notes = unitsOf(draft, stretch).filter(isNote).length;
    const { start: from, count } = stretch;
    const between = findRuns(draft, from + count, (unit) => !isNote(unit), from);
    // A single note stays as it is.
    if (count > 1 && (isMuch || notes + between.length > MOST_NOTES)) runs.push(stretch);
    else runs.push(...between);
  }
  return runs;
}
