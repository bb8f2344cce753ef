import { describeUse } from '../../ledger/describe.ts';
import { extract } from '../../ledger/ledger.ts';
import { readBlock, type ToolUse } from '../../ledger/reading.ts';
import type { Block } from '../../messages/blocks.ts';
import { quoteHead } from '../../messages/cut.ts';
import { fence } from '../../messages/fence.ts';
import { handleOf } from '../../messages/handle.ts';
import type { MessageRange } from '../../messages/message.ts';
import type { Steps } from '../../steps.ts';
import type { Narrative } from '../compaction.ts';
import type { Change, Draft, Run } from '../draft.ts';
import { rangeOf } from '../notes/notePlan.ts';
import { rangeLine, withNarratives } from '../notes/noteText.ts';
import { keptWithin, shortenText } from '../shorten.ts';
import type { PlanInput } from '../strategy.ts';
import { unitsOf } from './noteRuns.ts';

/** A run of old calls, with its entries. */
interface TraceRun {
  readonly run: Run;
  readonly entries: readonly TraceEntry[];
}

/** How many attempts are made at a text that fills its room. */
const MOST_ROUNDS = 6;

/** The notes of the old calls, before it is decided how much they say. */
export class TraceNotes {
  readonly #input: PlanInput;
  readonly #runs: readonly TraceRun[];
  readonly #count: number;

  private constructor(input: PlanInput, runs: readonly TraceRun[]) {
    this.#input = input;
    this.#runs = runs;
    this.#count = runs.reduce((sum, { entries }) => sum + entries.length, 0);
  }

  /** Reads the calls of some runs. */
  static *read(input: PlanInput, runs: readonly Run[]): Steps<TraceNotes> {
    const read: TraceRun[] = [];
    for (const run of runs) {
      const entries: TraceEntry[] = [];
      for (const block of unitsOf(input.draft, run).flatMap(({ blocks }) => blocks)) {
        yield;
        entries.push(...readEntries(block));
      }
      read.push({ run, entries });
    }
    return new TraceNotes(input, read);
  }

  /**
   * The draft with the notes: observations as long as the settings and `aim` (tokens of the whole view) allow; if the
   * lines alone take more than `most`, only the newest of them.
   */
  *fit(narratives: readonly Narrative[], aim: number, most: number): Steps<Draft> {
    const write = (detail: TraceDetail): Draft => this.#write(detail, narratives);
    const longest = this.#input.settings.actionTrace.observationCharacters;
    const entries = this.#count;
    const full = write({ entries, characters: longest });
    if (full.tokens <= aim) return full;
    yield;
    const lines = write({ entries, characters: 0 });
    if (lines.tokens <= aim) return yield* fill(lines, longest, aim, (characters) => write({ entries, characters }));
    if (lines.tokens <= most) return lines;
    const least = write({ entries: 0, characters: 0 });
    return yield* fill(least, entries, most, (newest) => write({ entries: newest, characters: 0 }));
  }

  #write({ entries, characters }: TraceDetail, narratives: readonly Narrative[]): Draft {
    const { draft, mark } = this.#input;
    let left = entries;
    const changes = this.#runs.toReversed().flatMap(({ run, entries: own }): Change[] => {
      const detail = { entries: Math.min(own.length, left), characters };
      left -= detail.entries;
      const units = unitsOf(draft, run);
      const range = rangeOf(units);
      const told = narratives.filter(({ covers }) => covers.from === range.from && covers.to === range.to);
      const messages = [fence(mark, traceText(range, own, detail, told))];
      const tokens = units.reduce((sum, unit) => sum + unit.tokens, 0);
      if (draft.count(messages) >= tokens) return [];
      return [{ ...run, by: { kind: 'note', messages, ...(told.length > 0 && { narratives: told }) } }];
    });
    return draft.replace(changes.reverse());
  }
}

/**
 * Of the drafts that `write` makes from a figure between 0 and `high`, the largest found that has at most `room`
 * tokens.
 */
function* fill(least: Draft, high: number, room: number, write: (figure: number) => Draft): Steps<Draft> {
  let best = least;
  let fits = 0;
  let tooMuch = high;
  for (let round = 0; round < MOST_ROUNDS && tooMuch - fits > 1; round += 1) {
    yield;
    const figure = Math.floor((fits + tooMuch) / 2);
    const draft = write(figure);
    if (draft.tokens > room) tooMuch = figure;
    else {
      fits = figure;
      best = draft;
    }
  }
  return best;
}

/** One old tool call with its result, or what the agent said on the way. */
export interface TraceEntry {
  readonly tool: string;
  /** The handle of its messages. */
  readonly handle: string;
  /** What it did and how it ended: `npm test · exit 1 · 212 lines`; empty for what was said. */
  readonly label: string;
  /** The error that it ended in. */
  readonly error: string | undefined;
  readonly observation: string;
}

/**
 * How much a trace says: the newest `entries`, each with at most `characters`; with 0 `characters`, their lines alone.
 */
export interface TraceDetail {
  readonly entries: number;
  readonly characters: number;
}

/** How much of an error the line quotes. Characters. */
const ERROR_CHARACTERS = 160;
/** An observation that would be cut to less than this is left out. Characters. */
const LEAST_OBSERVATION = 80;

/** The heading of what the agent said; no tool has such a name. */
const SAID = 'the agent said';

/** The entries of a block: what the agent said, and one for each call. */
export function readEntries(block: Block): TraceEntry[] {
  const { at, model = '', uses } = readBlock(block, undefined);
  const said = {
    tool: SAID,
    handle: handleOf({ from: at, to: at }),
    label: '',
    error: undefined,
    observation: model.trim(),
  };
  const calls = (block.kind === 'tools' ? uses : []).map((use) => {
    const place = use.result?.at ?? use.at;
    const label = describeUse(use);
    return {
      tool: use.name,
      handle: handleOf(uses.length === 1 ? block.range : { from: place, to: place }),
      // The heading names the tool already.
      label: label.startsWith(`${use.name} `) ? label.slice(use.name.length + 1) : label,
      error: errorOf(use, block),
      observation: use.result?.text.trim() ?? '',
    };
  });
  return said.observation === '' ? calls : [said, ...calls];
}

/** The first error that the ledger finds in the result; if the call failed without one, how its result begins. */
function errorOf({ result }: ToolUse, block: Block): string | undefined {
  if (result === undefined) return undefined;
  const found = extract(block).find(
    (fact) => fact.class === 'error' && fact.at === result.at && fact.strength !== 'soft' && fact.value !== '',
  );
  const text = found?.value ?? (result.failed ? result.text.trim() : '');
  const [line = ''] = text.split('\n', 1);
  return line === '' ? undefined : quoteHead(line, ERROR_CHARACTERS);
}

/**
 * The text of a trace, grouped by tool: the narrative, what the agent said, then a line for each call with outcome,
 * path and error, and as much of the observation as the detail allows. Older calls that are left out are counted.
 */
export function traceText(
  range: MessageRange,
  entries: readonly TraceEntry[],
  detail: TraceDetail,
  narratives: readonly Narrative[],
): string {
  const skipped = Math.max(0, entries.length - detail.entries);
  // Without its text, an entry of what was said is only a handle, which says nothing.
  const told = entries.slice(skipped).filter(({ tool }) => tool !== SAID || detail.characters >= LEAST_OBSERVATION);
  const lines = [...groupByTool(told)].flatMap(([tool, group]) => [
    `${tool}:`,
    ...group.map((entry) => entryText(entry, detail.characters)),
  ]);
  const left = entries.slice(0, skipped).filter(({ tool }) => tool !== SAID);
  const counts = [...groupByTool(left)].map(([tool, group]) => `${group.length} ${tool}`);
  return withNarratives([rangeLine(range, counts.join('; ')), ...lines].join('\n'), narratives);
}

function groupByTool(entries: readonly TraceEntry[]): Map<string, TraceEntry[]> {
  const groups = new Map<string, TraceEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.tool) ?? [];
    group.push(entry);
    groups.set(entry.tool, group);
  }
  return groups;
}

function entryText({ handle, label, error, observation }: TraceEntry, characters: number): string {
  const line = label === '' ? `[${handle}]` : `[${handle} ${label}]`;
  const seen = excerpt(observation, handle, characters - line.length);
  const told = error === undefined || seen.includes(error) ? line : `${line} ${error}`;
  const shown = told === line ? seen : excerpt(observation, handle, characters - told.length);
  return shown === '' ? told : `${told}\n${shown}`;
}

function excerpt(text: string, handle: string, characters: number): string {
  if (text.length <= characters) return text;
  if (characters < LEAST_OBSERVATION) return '';
  return shortenText(text, handle, keptWithin(characters)) ?? quoteHead(text, characters);
}
