import type { Block } from '../../messages/blocks.ts';
import type { ChatMessage } from '../../messages/chat.ts';
import { fence } from '../../messages/fence.ts';
import { contentText } from '../../messages/parse.ts';
import { eachInSteps, type Steps } from '../../steps.ts';
import type { Narrative } from '../compaction.ts';
import { type Change, type Draft, type Run, rangeOf, type Unit, unitsOf } from '../draft.ts';
import type { PlanInput } from '../strategy.ts';
import { noteText, withNarratives } from './noteText.ts';
import { readPassages } from './passages.ts';
import { isSaid, readSaid, saidMessage } from './said.ts';
import { type Passage, Selection, type Variant } from './selection.ts';
import { renewState } from './state.ts';

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

/** A run with what its note is made from. */
interface PlannedNote {
  readonly run: NotedRun;
  readonly units: readonly NotedUnit[];
}

/** The notes of some runs, before it is decided how much they quote: they are written as often as it takes to fit. */
export class NotePlan {
  /** Characters per token in what the notes are made from. */
  readonly density: number;
  readonly #draft: Draft;
  readonly #mark: string;
  readonly #notes: readonly PlannedNote[];
  readonly #selection: Selection;
  /** Equal texts share one message, so that each is counted once. */
  readonly #written = new Map<string, ChatMessage>();

  private constructor(
    draft: Draft,
    mark: string,
    notes: readonly PlannedNote[],
    selection: Selection,
    density: number,
  ) {
    this.#draft = draft;
    this.#mark = mark;
    this.#notes = notes;
    this.#selection = selection;
    this.density = density;
  }

  /** Reads the passages of some runs. */
  static *of(draft: Draft, mark: string, runs: readonly NotedRun[]): Steps<NotePlan> {
    const notes: PlannedNote[] = [];
    const all: Passage[] = [];
    let characters = 0;
    let tokens = 0;
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
    const asked = draft.units.find(({ role }) => role === 'request');
    const turn = (asked ?? draft.units.findLast(({ role }) => role === 'human'))?.range.from ?? -1;
    const selection = yield* Selection.of(all, turn, draft.askedFor);
    const density = tokens === 0 ? USUAL_DENSITY : Math.max(1, characters / tokens);
    return new NotePlan(draft, mark, notes, selection, density);
  }

  /**
   * The draft with each run replaced by its note where that is smaller. Together the notes quote about `room`
   * characters. When that is more than there is to quote, the newest units of each run stay as they are.
   */
  *write(room: number): Steps<Draft> {
    const { chosen, left } = yield* this.#selection.choose(room);
    const ends = yield* this.#endsOfNotes(chosen, left);
    // The files whose whole path a note gives already.
    let named: ReadonlySet<string> = new Set();
    const changes: Change[] = [];
    for (const [index, { run, units }] of this.#notes.entries()) {
      yield;
      const noted = units.slice(0, ends[index]);
      if (noted.length === 0) continue;
      const going = new Set(named);
      const told = run.told === undefined ? narrativesOf(noted) : [run.told];
      const messages = yield* this.#messages(noted, told, chosen, going);
      if ((yield* this.#draft.countInSteps(messages)) >= tokensOf(noted)) continue;
      yield;
      named = going;
      changes.push({ start: run.start, count: noted.length, by: { kind: 'note', messages, narratives: told } });
    }
    yield;
    return yield* this.#draft.replace(changes);
  }

  /** The notes even where they are no shorter than what they replace. */
  *messages(room: number): Steps<ChatMessage[]> {
    const { chosen } = yield* this.#selection.choose(room);
    const going = new Set<string>();
    const messages: ChatMessage[] = [];
    for (const { units } of this.#notes)
      messages.push(...(yield* this.#messages(units, narrativesOf(units), chosen, going)));
    return messages;
  }

  /**
   * How many units of each run its note replaces. What there is room for besides all quotations stays, in each run from
   * its newest unit on, and so do closing reports at the end that would be quoted whole.
   */
  *#endsOfNotes(chosen: ReadonlyMap<Passage, Variant>, left: number): Steps<readonly number[]> {
    let spare = left;
    const ends: number[] = [];
    for (const { run, units } of this.#notes.toReversed()) {
      yield;
      let end = units.length;
      // What the model wrote covers all of its run.
      if (run.told === undefined) {
        while (isQuotedWhole(units[end - 1], chosen)) end -= 1;
        for (let last = units[end - 1]; last !== undefined; last = units[end - 1]) {
          const quoted = last.passages.reduce((sum, passage) => sum + (chosen.get(passage)?.text.length ?? 0), 0);
          const more = last.unit.tokens * this.density - quoted;
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
  *#messages(
    noted: readonly NotedUnit[],
    narratives: readonly Narrative[],
    chosen: ReadonlyMap<Passage, Variant>,
    named: Set<string>,
  ): Steps<ChatMessage[]> {
    const range = rangeOf(noted.map(({ unit }) => unit));
    const quoted: Passage[] = [];
    const said: Passage[] = [];
    yield* eachInSteps(noted, ({ passages }) => {
      for (const passage of passages) (passage.isSaid === true ? said : quoted).push(passage);
    });
    const text = yield* noteText({ range, passages: quoted, chosen, named });
    yield;
    const note = this.#once(fence(this.#mark, withNarratives(text, narratives)));
    return said.length === 0 ? [note] : [note, this.#once(saidMessage(said, chosen))];
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
