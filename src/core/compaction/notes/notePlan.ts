import type { Block } from '../../messages/blocks.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import { fence } from '../../messages/fence.ts';
import { contentText } from '../../messages/parse.ts';
import { eachInSteps, filterInSteps, type Steps } from '../../steps.ts';
import type { Narrative } from '../compaction.ts';
import type { Change, Draft, Run, Unit } from '../draft.ts';
import type { PlanInput } from '../strategy.ts';
import { noteText, withNarratives } from './noteText.ts';
import { readPassages } from './passages.ts';
import { isSaid, readSaid, saidMessage } from './said.ts';
import { costUpTo, LONG_TEXTS_AT_ONCE, type Passage, Selection, type Tier, type Variant } from './selection.ts';
import { renewState } from './state.ts';

/** The tokens of a note's frame: fence, heading, count of steps. */
export const FRAME_TOKENS = 70;
/** Characters per token, where there is no text to measure. */
export const USUAL_DENSITY = 3.6;

interface NotedUnit {
  readonly unit: Unit;
  readonly passages: readonly Passage[];
}

/** A run that a note replaces. `told`: the model's text about it, which takes the place of quotations. */
export interface NotedRun extends Run {
  readonly told?: Narrative | undefined;
}

interface PlannedNote {
  readonly run: NotedRun;
  readonly units: readonly NotedUnit[];
}

/** What the notes of some runs are made from. */
interface NoteSources {
  readonly draft: Draft;
  readonly mark: string;
  readonly notes: readonly PlannedNote[];
  readonly passages: readonly Passage[];
  readonly selection: Selection;
  readonly density: number;
}

/** The notes of some runs, before it is decided how much they quote: they are written as often as it takes to fit. */
export class NotePlan {
  readonly #sources: NoteSources;
  /** Equal texts share one message, so that each is counted once. */
  readonly #written = new Map<string, ChatMessage>();
  /** The tokens of an empty note: a run that takes no more is not worth replacing. */
  readonly #frameTokens: number;

  constructor(sources: NoteSources) {
    this.#sources = sources;
    this.#frameTokens = sources.draft.count([fence(sources.mark, '')]);
  }

  /** Characters per token in what the notes are made from. */
  get density(): number {
    return this.#sources.density;
  }

  /**
   * The draft with each run replaced by its note where that is smaller. Together the notes quote about `room`
   * characters. When that is more than there is to quote, the newest units of each run stay as they are.
   */
  *write(room: number): Steps<Draft> {
    const { draft, notes, selection } = this.#sources;
    const { chosen, left } = yield* selection.choose(room);
    const ends = yield* this.#endsOfNotes(chosen, left);
    // The files whose whole path a note gives already.
    let named: ReadonlySet<string> = new Set();
    const changes: Change[] = [];
    for (const [index, { run, units }] of notes.entries()) {
      yield;
      const noted = units.slice(0, ends[index]);
      const now = tokensOf(noted);
      if (now <= this.#frameTokens) continue;
      const going = new Set(named);
      const told = run.told === undefined ? narrativesOf(noted) : [run.told];
      const messages = yield* this.#messages(noted, told, chosen, going);
      if ((yield* draft.countInSteps(messages)) >= now) continue;
      yield;
      named = going;
      const by = { kind: 'note' as const, messages, narratives: told };
      changes.push({ start: run.start, count: noted.length, by });
    }
    yield;
    return yield* draft.replace(changes);
  }

  /** True when, by estimate, notes that say everything up to a tier fit in a view of `target` tokens. */
  *hasRoomFor(tier: Tier, target: number): Steps<boolean> {
    const { passages, density } = this.#sources;
    const shortest = yield* this.write(0);
    let cost = 0;
    const add = (passage: Passage): void => {
      cost += costUpTo([passage], tier);
    };
    yield* eachInSteps(passages, add, LONG_TEXTS_AT_ONCE);
    return (target - shortest.tokens) * density >= cost;
  }

  /** The notes even where they are no shorter than what they replace. */
  *messages(room: number): Steps<ChatMessage[]> {
    const { notes, selection } = this.#sources;
    const { chosen } = yield* selection.choose(room);
    const going = new Set<string>();
    const messages: ChatMessage[] = [];
    for (const { units } of notes) messages.push(...(yield* this.#messages(units, narrativesOf(units), chosen, going)));
    return messages;
  }

  /** Where each note ends: what there is room for besides all quotations stays, in each run from its newest unit on. */
  *#endsOfNotes(chosen: ReadonlyMap<Passage, Variant>, left: number): Steps<readonly number[]> {
    const { notes, density } = this.#sources;
    let spare = left;
    const ends: number[] = [];
    for (const { run, units } of notes.toReversed()) {
      yield;
      // What the model wrote covers all of its run.
      let end = run.told === undefined ? endOfNote(units, chosen) : units.length;
      for (let last = units[end - 1]; last !== undefined && run.told === undefined; last = units[end - 1]) {
        const quoted = last.passages.reduce((sum, passage) => sum + (chosen.get(passage)?.text.length ?? 0), 0);
        const more = last.unit.tokens * density - quoted;
        if (more > spare) break;
        spare -= more;
        end -= 1;
      }
      ends.push(end);
    }
    return ends.reverse();
  }

  /** The note of some units and, after it, what the human wrote among them. */
  *#messages(
    noted: readonly NotedUnit[],
    narratives: readonly Narrative[],
    chosen: ReadonlyMap<Passage, Variant>,
    named: Set<string>,
  ): Steps<ChatMessage[]> {
    const [first] = noted;
    const last = noted.at(-1);
    if (first === undefined || last === undefined) return [];
    const range = { from: first.unit.range.from, to: last.unit.range.to };
    const passages = yield* passagesOf(noted);
    const said = yield* filterInSteps(passages, ({ isSaid }) => isSaid === true);
    const quoted = said.length === 0 ? passages : yield* filterInSteps(passages, ({ isSaid }) => isSaid !== true);
    const text = yield* noteText({ range, passages: quoted, chosen, named });
    yield;
    const note = fence(this.#sources.mark, withNarratives(text, narratives));
    return [note, ...(said.length === 0 ? [] : [saidMessage(said, chosen)])].map((message) => this.#once(message));
  }

  #once(message: ChatMessage): ChatMessage {
    const text = contentText(message);
    const known = this.#written.get(text) ?? message;
    this.#written.set(text, known);
    return known;
  }
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

function* passagesOf(noted: readonly NotedUnit[]): Steps<Passage[]> {
  const all: Passage[] = [];
  yield* eachInSteps(noted, ({ passages }) => {
    for (const passage of passages) all.push(passage);
  });
  return all;
}

/**
 * How many of the units the note replaces: closing reports at the end that would be quoted whole stay as messages
 * instead.
 */
function endOfNote(units: readonly NotedUnit[], chosen: ReadonlyMap<Passage, Variant>): number {
  let end = units.length;
  while (end > 0 && isQuotedWhole(units[end - 1], chosen)) end -= 1;
  return end;
}

/** A closing report that would be quoted to its last word: it stays the message that it is. */
function isQuotedWhole(noted: NotedUnit | undefined, chosen: ReadonlyMap<Passage, Variant>): boolean {
  if (noted === undefined || noted.unit.state !== 'whole') return false;
  const [block, ...more] = noted.unit.blocks;
  if (block?.kind !== 'assistant' || more.length > 0) return false;
  const [passage] = noted.passages;
  return passage !== undefined && chosen.get(passage)?.text === block.messages[0].text.trim();
}

/** Reads the passages of some runs. */
export function* planNotes(draft: Draft, mark: string, runs: readonly NotedRun[]): Steps<NotePlan> {
  const notes: PlannedNote[] = [];
  const all: NotedUnit[] = [];
  for (const run of runs) {
    const units: NotedUnit[] = [];
    for (let index = run.start; index < run.start + run.count; index += 1) {
      const unit = draft.units[index];
      if (unit === undefined) continue;
      yield;
      const passages = yield* readUnit(draft, index);
      const noted = { unit, passages: run.told === undefined ? passages : passages.filter(({ isSaid }) => isSaid) };
      units.push(noted);
      all.push(noted);
    }
    notes.push({ run, units });
  }
  const passages = yield* passagesOf(all);
  const asked = draft.units.find(({ role }) => role === 'request');
  const turn = (asked ?? draft.units.findLast(({ role }) => role === 'human'))?.range.from ?? -1;
  const selection = yield* Selection.of(passages, turn, draft.askedFor);
  const density = yield* densityOf(all);
  return new NotePlan({ draft, mark, notes, passages, selection, density });
}

/** The passages of a unit, given its index. */
export function* readUnit(draft: Draft, at: number): Steps<readonly Passage[]> {
  const { blocks = [] } = draft.units[at] ?? {};
  const next = draft.units[at + 1]?.blocks[0];
  const readOne = (block: Block, index: number): readonly Passage[] =>
    isSaid(draft, block) ? readSaid(block) : readPassages(block, blocks[index + 1] ?? next);
  const [only] = blocks;
  if (only !== undefined && blocks.length === 1) return readOne(only, 0);
  const read: Passage[] = [];
  for (const [index, block] of blocks.entries()) {
    if (index % 16 === 15) yield;
    read.push(...readOne(block, index));
  }
  return read;
}

function* densityOf(noted: readonly NotedUnit[]): Steps<number> {
  let characters = 0;
  let tokens = 0;
  yield* eachInSteps(noted, ({ unit }) => {
    tokens += unit.tokens;
    for (const message of unit.messages) characters += lengthOf(message);
  });
  return tokens === 0 ? USUAL_DENSITY : Math.max(1, characters / tokens);
}

function lengthOf(message: ChatMessage): number {
  const text = typeof message.content === 'string' ? message.content.length : 0;
  return (message.tool_calls ?? []).reduce((sum, call) => sum + call.function.arguments.length, text);
}

const MOST_ROUNDS = 8;
/** The room is well used when less than this share of it is left over. */
const SPARE_SHARE = 0.01;

/**
 * The view with its notes and state, where the notes quote as much as fits in `most` tokens for the whole view; with
 * the shortest notes when even those do not fit.
 */
export function* fillRoom(plan: NotePlan, input: PlanInput, most: number): Steps<Draft> {
  const start = yield* renewState(yield* plan.write(0), input);
  if (start.tokens >= most) return start;
  let best = start;
  let fits = 0;
  let tooMuch = Number.POSITIVE_INFINITY;
  let room = (most - start.tokens) * plan.density;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const draft = yield* renewState(yield* plan.write(room), input);
    const spare = most - draft.tokens;
    if (spare >= 0) {
      fits = room;
      if (draft.tokens >= best.tokens) best = draft;
      if (spare < most * SPARE_SHARE) break;
    } else tooMuch = room;
    const aimed = room + (spare - most * SPARE_SHARE * 0.4) * plan.density;
    room =
      aimed > fits && aimed < tooMuch
        ? aimed
        : tooMuch === Number.POSITIVE_INFINITY
          ? fits * 1.3 + 100
          : (fits + tooMuch) / 2;
  }
  return best;
}
