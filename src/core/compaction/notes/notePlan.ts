import { type Block, contains } from '../../messages/blocks.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import { fence, unfence } from '../../messages/fence.ts';
import type { MessageRange } from '../../messages/message.ts';
import { contentText } from '../../messages/parse.ts';
import { eachInSteps, type Steps } from '../../steps.ts';
import type { Narrative } from '../compaction.ts';
import {
  type Change,
  type Draft,
  findRuns,
  isFrozen,
  largestThatFits,
  type Run,
  rangeOf,
  sumTokens,
  type Unit,
  unitsOf,
} from '../draft.ts';
import type { NoteOrder, PlanInput } from '../strategy.ts';
import { isSaid, noteText, rangeLine, readSaid, saidMessage, withNarratives, withoutNarratives } from './noteText.ts';
import { readPassages } from './passages.ts';
import { type Choice, type Passage, rankPassages, type Variant } from './selection.ts';
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

/** The length of a model's note about this many tokens, within what the settings allow. */
export function noteLength(sourceTokens: number, most: number): number {
  return Math.min(most, MOST_TOKENS, Math.max(LEAST_TOKENS, Math.floor(sourceTokens * LENGTH_SHARE)));
}

/**
 * The narrative that a plan orders from the model: about everything that the plan changed and no earlier narrative
 * covers. Undefined when no model may be asked, or too little would be covered.
 */
export function planNarrative(draft: Draft, input: PlanInput, handsOver: boolean): NoteOrder | undefined {
  const { when, maxTokens } = input.settings.summary;
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
  const [first] = blocks;
  const end = blocks.at(-1);
  if (first === undefined || end === undefined) return undefined;
  const source = draft.count(blocks.flatMap((block) => block.messages.map((message) => message.wire)));
  if (source < LEAST_SOURCE) return undefined;
  return {
    range: { from: first.range.from, to: end.range.to },
    blocks,
    sourceTokens: source,
    maxTokens: Math.floor(Math.min(noteLength(source, maxTokens), room)),
    detail: 'brief',
  };
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

/**
 * The draft without the narratives within a range (default: all): the notes that held them are written without them.
 */
export function* dropNarratives(draft: Draft, within?: MessageRange): Steps<Draft> {
  return yield* draft.replace(
    draft.units.flatMap((unit, start) => {
      const kept = unit.narratives.filter(({ covers }) => within !== undefined && !contains(within, covers));
      const [message, ...states] = unit.messages;
      if (kept.length === unit.narratives.length || message === undefined) return [];
      const gone = unit.narratives.filter((narrative) => !kept.includes(narrative));
      const note = withoutNarratives(contentText(message), gone);
      const messages = [{ ...message, content: note }, ...states];
      return [{ start, count: 1, by: { kind: 'note' as const, messages, volatile: unit.volatile, narratives: kept } }];
    }),
  );
}

/**
 * Puts each narrative into the note of the last unit that it covers and that is not whole, so that whatever follows is
 * newer. A unit that was only shortened becomes a note for that,
 * where none is before it.
 */
export function* placeNarratives(draft: Draft, narratives: readonly Narrative[], mark: string): Steps<Draft> {
  let placed = draft;
  for (const narrative of narratives) {
    const takes = (unit: Unit): boolean => unit.state !== 'whole' && unit.role === 'work';
    const last = placed.units.findLastIndex((unit) => takes(unit) && unit.range.from <= narrative.covers.to);
    const at = last < 0 ? placed.units.findIndex(takes) : last;
    // Notes of neighbouring ranges would become many.
    const isAfterNote = placed.units[at]?.state === 'shortened' && placed.units[at - 1]?.state === 'note';
    const start = isAfterNote ? at - 1 : at;
    const unit = placed.units[start];
    if (unit === undefined) continue;
    const { volatile } = unit;
    const made = unit.messages.slice(0, unit.messages.length - volatile);
    const [own, ...beside] = unit.state === 'note' ? made : [fence(mark, rangeLine(unit.range))];
    const text = unfence(contentText(own ?? fence(mark, ''))) ?? '';
    const told = [...unit.narratives, narrative];
    const note = fence(mark, withNarratives(withoutNarratives(text, unit.narratives), told));
    const messages = [note, ...beside, ...unit.messages.slice(made.length)];
    placed = yield* placed.replace([{ start, count: 1, by: { kind: 'note', messages, narratives: told, volatile } }]);
  }
  return placed;
}

/** Characters per token, where there is no text to measure. */
const USUAL_DENSITY = 3.6;

interface NotedUnit {
  readonly unit: Unit;
  readonly passages: readonly Passage[];
}

/** A run that a note replaces. `told`: the model's text about it, which takes the place of quotations. */
export interface NotedRun extends Run {
  readonly told?: Narrative | undefined;
}

/** The notes of some runs, before it is decided how much they quote. */
interface NotePlan {
  /** Characters per token in what the notes are made from. */
  readonly density: number;
  readonly notes: readonly { readonly run: NotedRun; readonly units: readonly NotedUnit[] }[];
  readonly choose: (room: number) => Steps<Choice>;
  /** Equal texts share one message, so that each is counted once. */
  readonly written: Map<string, ChatMessage>;
}

/** Reads the passages of some runs. */
function* planNotes(draft: Draft, runs: readonly NotedRun[]): Steps<NotePlan> {
  const all: Passage[] = [];
  let characters = 0;
  let tokens = 0;
  const notes: NotePlan['notes'][number][] = [];
  for (const run of runs) {
    const units: NotedUnit[] = [];
    for (const unit of unitsOf(draft, run)) {
      yield;
      const read = yield* readUnit(draft, unit);
      const passages = run.told === undefined ? read : read.filter(({ isSaid }) => isSaid);
      units.push({ unit, passages });
      for (const passage of passages) all.push(passage);
      characters += unit.messages.reduce((sum, message) => sum + lengthOf(message), 0);
      tokens += unit.tokens;
    }
    notes.push({ run, units });
  }
  const choose = yield* rankPassages(all, draft.askedFor);
  const density = tokens === 0 ? USUAL_DENSITY : Math.max(1, characters / tokens);
  return { density, notes, choose, written: new Map() };
}

/**
 * The draft with each run replaced by its note where that is smaller. Together the notes quote about `room` characters.
 * When that is more than there is to quote, the newest units of each run stay as they are.
 */
function* writeNotes(draft: Draft, mark: string, plan: NotePlan, room: number): Steps<Draft> {
  const choice = yield* plan.choose(room);
  const ends = yield* endsOfNotes(plan, choice);
  // The files whose whole path a note gives already.
  let named: ReadonlySet<string> = new Set();
  const changes: Change[] = [];
  for (const [index, { run, units }] of plan.notes.entries()) {
    yield;
    const noted = units.slice(0, ends[index]);
    if (noted.length === 0) continue;
    const going = new Set(named);
    const narratives = run.told === undefined ? narrativesOf(noted) : [run.told];
    const made = yield* noteMessages(noted, narratives, { mark, chosen: choice.chosen, named: going });
    const messages = made.map((message) => once(message, plan.written));
    if ((yield* draft.countInSteps(messages)) >= tokensOf(noted)) continue;
    yield;
    named = going;
    changes.push({ start: run.start, count: noted.length, by: { kind: 'note', messages, narratives } });
  }
  yield;
  return yield* draft.replace(changes);
}

/**
 * How many units of each run its note replaces. What there is room for besides all quotations stays, in each run from
 * its newest unit on, and so do closing reports at the end that would be quoted whole.
 */
function* endsOfNotes({ notes, density }: NotePlan, { chosen, left }: Choice): Steps<readonly number[]> {
  let spare = left;
  const ends: number[] = [];
  for (const { run, units } of notes.toReversed()) {
    yield;
    let end = units.length;
    // What the model wrote covers all of its run.
    if (run.told === undefined) {
      while (isQuotedWhole(units[end - 1], chosen)) end -= 1;
      for (let last = units[end - 1]; last !== undefined; last = units[end - 1]) {
        const quoted = last.passages.reduce((sum, passage) => sum + (chosen.get(passage)?.text.length ?? 0), 0);
        const more = last.unit.tokens * density - quoted;
        if (more > spare) break;
        spare -= more;
        end -= 1;
      }
    }
    ends.push(end);
  }
  return ends.reverse();
}

/** The note of some units and, after it, what the human wrote among them. */
function* noteMessages(
  noted: readonly NotedUnit[],
  narratives: readonly Narrative[],
  { mark, chosen, named }: { readonly mark: string; readonly chosen: Choice['chosen']; readonly named: Set<string> },
): Steps<ChatMessage[]> {
  const range = rangeOf(noted.map(({ unit }) => unit));
  const quoted: Passage[] = [];
  const said: Passage[] = [];
  yield* eachInSteps(noted, ({ passages }) => {
    for (const passage of passages) (passage.isSaid === true ? said : quoted).push(passage);
  });
  const text = yield* noteText({ range, passages: quoted, chosen, named });
  yield;
  const note = fence(mark, withNarratives(text, narratives));
  return said.length === 0 ? [note] : [note, saidMessage(said, chosen)];
}

function once(message: ChatMessage, written: NotePlan['written']): ChatMessage {
  const text = contentText(message);
  const known = written.get(text) ?? message;
  written.set(text, known);
  return known;
}

// Loops, since `flatMap` takes ten times as long: 20 ms for a hundred thousand units.

function tokensOf(noted: readonly NotedUnit[]): number {
  let sum = 0;
  for (const { unit } of noted) sum += unit.tokens;
  return sum;
}

function narrativesOf(noted: readonly NotedUnit[]): Narrative[] {
  const told: Narrative[] = [];
  for (const { unit } of noted) told.push(...unit.narratives);
  return told;
}

/** A closing report that would be quoted to its last word: it stays the message that it is. */
function isQuotedWhole(noted: NotedUnit | undefined, chosen: ReadonlyMap<Passage, Variant>): boolean {
  if (noted === undefined || noted.unit.state !== 'whole') return false;
  const [block, ...more] = noted.unit.blocks;
  if (block?.kind !== 'assistant' || more.length > 0) return false;
  const [passage] = noted.passages;
  return passage !== undefined && chosen.get(passage)?.text === block.messages[0].text.trim();
}

function* readUnit(draft: Draft, { blocks }: Unit): Steps<readonly Passage[]> {
  const readOne = (block: Block): readonly Passage[] => (isSaid(draft, block) ? readSaid(block) : readPassages(block));
  const [only] = blocks;
  if (only !== undefined && blocks.length === 1) return readOne(only);
  const read: Passage[] = [];
  for (const [index, block] of blocks.entries()) {
    if (index % 16 === 15) yield;
    read.push(...readOne(block));
  }
  return read;
}

function lengthOf(message: ChatMessage): number {
  const text = typeof message.content === 'string' ? message.content.length : 0;
  return (message.tool_calls ?? []).reduce((sum, call) => sum + call.function.arguments.length, text);
}

/** The room is well used when less than this share of it is left over. */
const SPARE_SHARE = 0.01;

/**
 * The view with notes in place of some runs, and its state. The notes quote as much as fits in the target; they are the
 * shortest when even those do not fit.
 */
export function* noteRuns(draft: Draft, runs: readonly NotedRun[], input: PlanInput): Steps<Draft> {
  const plan = yield* planNotes(draft, runs);
  const { target, mark } = input;
  const write = function* (room: number): Steps<Draft> {
    return yield* renewState(yield* writeNotes(draft, mark, plan, room), input);
  };
  const shortest = yield* write(0);
  if (shortest.tokens >= target) return shortest;
  const most = Math.ceil((target - shortest.tokens) * plan.density * 4);
  return (yield* largestThatFits(most, target, write, target * SPARE_SHARE)) ?? shortest;
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
