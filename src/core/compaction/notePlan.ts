import type { Fact } from '../ledger/fact.ts';
import { chooseItems, costOf, type FactItem, factItems, renderItems } from '../ledger/render.ts';
import { FIRST_SOFT_RANK } from '../ledger/worth.ts';
import type { Block } from '../messages/blocks.ts';
import type { ChatMessage } from '../messages/chat.ts';
import { fence } from '../messages/fence.ts';
import type { MessageId, MessageRange } from '../messages/message.ts';
import { contentText } from '../messages/parse.ts';
import type { Change, Draft, Unit } from './draft.ts';
import { FactWriter } from './factWriter.ts';
import { DONE_EXPLAINED, lastReport, noteBody } from './noteText.ts';
import { outdatedByMessage } from './outdated.ts';
import type { Steps } from './steps.ts';
import type { PlanInput } from './strategy.ts';
import type { Run } from './tail.ts';

/** The reports of the newest turns are worth as much as an error; older ones give way to every fact that is no hint. */
const NEWEST_REPORTS = 3;
const REPORT_RANK = { newest: 3, older: 7 } as const;

/** What a note may say: a fact, or what the model last reported. */
interface NoteItem extends Pick<FactItem, 'rank' | 'at' | 'cost'> {
  readonly run: number;
  readonly fact?: FactItem;
}

interface PlannedNote {
  readonly run: Run;
  readonly units: readonly Unit[];
  readonly blocks: readonly Block[];
  readonly range: MessageRange;
  readonly report: string;
  readonly answered: MessageId | undefined;
  /** Tokens of what stands there now, and of the raw messages. */
  readonly tokens: number;
  readonly raw: number;
  readonly items: readonly NoteItem[];
}

/** Notes written with a certain room. */
export interface WrittenNotes {
  readonly draft: Draft;
  /** Room of facts that were left out and are more than hints. */
  readonly missing: number;
  /** The same with the reports. */
  readonly unsaid: number;
  /** How many facts and reports were left out, hints too. */
  readonly left: number;
}

/** The notes of some runs before it is decided how much they say: they are written as often as it takes to fit. */
export class NotePlan {
  /** Room that the notes take at most when each has its usual share. */
  readonly usual: number;
  readonly #draft: Draft;
  readonly #mark: string;
  readonly #notes: readonly PlannedNote[];
  /** Whether a note that stays explains what "done" means. */
  readonly #explained: boolean;
  readonly #written = new Map<string, ChatMessage>();

  constructor(parts: { draft: Draft; mark: string; notes: readonly PlannedNote[]; explained: boolean; usual: number }) {
    this.#draft = parts.draft;
    this.#mark = parts.mark;
    this.#notes = parts.notes;
    this.#explained = parts.explained;
    this.usual = parts.usual;
  }

  /** The draft with each run replaced by its note, where that is smaller; all notes together say facts of `room` characters. */
  write(room: number): WrittenNotes {
    const items = this.#notes.flatMap((note) => note.items);
    const chosen = chooseItems(items, room);
    const changes: Change[] = [];
    let explained = this.#explained;
    for (const note of this.#notes) {
      const message = this.#message(this.#body(note, chosen, explained));
      // What stands there may be a line of this plan that says less: then a note smaller than the raw messages will do.
      const most = note.items.some((item) => chosen.has(item)) ? note.raw : note.tokens;
      if (this.#draft.count([message]) >= most) continue;
      explained ||= note.answered !== undefined;
      changes.push({ ...note.run, by: { kind: 'note', messages: [message] } });
    }
    const left = items.filter((item) => !chosen.has(item));
    const told = left.filter((item) => item.rank < FIRST_SOFT_RANK);
    const sum = (items: readonly NoteItem[]): number => items.reduce((total, item) => total + item.cost, 0);
    const missing = sum(told.filter((item) => item.fact !== undefined));
    return { draft: this.#draft.replace(changes), missing, unsaid: sum(told), left: left.length };
  }

  #body(note: PlannedNote, chosen: ReadonlySet<NoteItem>, explained: boolean): string {
    const shown: FactItem[] = [];
    const left: FactItem[] = [];
    let report = '';
    for (const item of note.items) {
      if (item.fact !== undefined) (chosen.has(item) ? shown : left).push(item.fact);
      else if (chosen.has(item)) report = note.report;
    }
    const { range, blocks, answered } = note;
    return noteBody({ range, blocks, facts: renderItems(shown, left), report, answered, explained });
  }

  /** The same text is the same message: it is counted once. */
  #message(text: string): ChatMessage {
    const known = this.#written.get(text);
    if (known !== undefined) return known;
    const message = fence(this.#mark, text);
    this.#written.set(text, message);
    return message;
  }
}

/** Gathers what notes of some runs could say: each fact once, and none that a unit which stays says. */
export function* planNotesOf(
  draft: Draft,
  input: PlanInput,
  runs: readonly Run[],
  shareOf: (rawCharacters: number) => number,
): Steps<NotePlan> {
  const replaced = new Set(runs.flatMap((run) => draft.units.slice(run.start, run.start + run.count)));
  const kept = draft.units.filter((unit) => !replaced.has(unit));
  const writer = new FactWriter(input.ledger, kept);
  const outdated = outdatedByMessage(input.ledger);
  const notes: PlannedNote[] = [];
  let usual = 0;
  for (const [index, run] of runs.entries()) {
    yield;
    const units = draft.units.slice(run.start, run.start + run.count);
    const range = rangeOf(units);
    const blocks = units.flatMap((unit) => unit.blocks);
    const report = lastReport(blocks, outdated);
    const rank = index >= runs.length - NEWEST_REPORTS ? REPORT_RANK.newest : REPORT_RANK.older;
    const items = itemsOf({ index, range, report, rank, facts: writer.take(range) });
    const tokens = units.reduce((sum, unit) => sum + unit.tokens, 0);
    const raw = draft.count(blocks.flatMap((block) => block.messages.map((message) => message.wire)));
    usual += shareOf(countCharacters(units));
    notes.push({ run, units, blocks, range, report, answered: findAnswered(draft, run), tokens, raw, items });
  }
  const explained = kept.some((unit) => unit.state === 'note' && unit.messages.some(explainsDone));
  return new NotePlan({ draft, mark: input.mark, notes, explained, usual });
}

interface ItemsInput {
  readonly index: number;
  readonly range: MessageRange;
  readonly report: string;
  readonly rank: number;
  readonly facts: readonly Fact[];
}

/** The items of one note. Facts that the report says stand in the report, which is worth what they are. */
function itemsOf({ index, range, report, rank, facts }: ItemsInput): NoteItem[] {
  const all = withTitles(factItems(facts));
  if (report === '') return all.map((fact) => itemOf(fact, index));
  const inReport = new Set(all.filter((fact) => isSentence(fact) && report.includes(fact.text)));
  const worth = Math.min(rank, ...[...inReport].map((fact) => fact.rank));
  return [
    ...all.filter((fact) => !inReport.has(fact)).map((fact) => itemOf(fact, index)),
    { run: index, rank: worth, at: range.to, cost: costOf(report) },
  ];
}

/** The title of a section, shared by its items. Characters. */
const TITLE_COST = 14;

function withTitles(items: readonly FactItem[]): FactItem[] {
  const sizes = new Map<string, number>();
  for (const { kind } of items) sizes.set(kind, (sizes.get(kind) ?? 0) + 1);
  return items.map((item) => ({ ...item, cost: item.cost + TITLE_COST / (sizes.get(item.kind) ?? 1) }));
}

/** Figures and decisions are quoted with the words around them; when the report has these words, once is enough. */
function isSentence(fact: FactItem): boolean {
  return fact.kind === 'number' || fact.kind === 'decision';
}

function itemOf(fact: FactItem, run: number): NoteItem {
  return { run, fact, rank: fact.rank, at: fact.at, cost: fact.cost };
}

function explainsDone(message: ChatMessage): boolean {
  return contentText(message).includes(DONE_EXPLAINED);
}

/** The raw messages that units stand for. */
export function rangeOf(units: readonly Unit[]): { from: number; to: number } {
  const first = units[0];
  const last = units.at(-1);
  if (first === undefined || last === undefined) throw new Error('a range needs at least one unit');
  return { from: first.range.from, to: last.range.to };
}

/** What a run was before any compaction. */
export function countCharacters(units: readonly Unit[]): number {
  let characters = 0;
  for (const unit of units)
    for (const block of unit.blocks) for (const message of block.messages) characters += message.text.length;
  return characters;
}

/** The request that a run answers: the newest of the human before its end, when the model's last word stands in the run and the human went on after it. */
function findAnswered(draft: Draft, run: Run): MessageId | undefined {
  const end = run.start + run.count;
  const next = draft.units[end];
  if (next?.role !== 'human' && next?.role !== 'request') return undefined;
  if (draft.units[end - 1]?.blocks.at(-1)?.kind !== 'assistant') return undefined;
  const asked = draft.units.slice(0, end).findLast((unit) => unit.role === 'human');
  return asked?.range.from;
}
