import { fence } from '../../messages/fence.ts';
import type { Steps } from '../../steps.ts';
import type { Narrative } from '../compaction.ts';
import type { Change, Draft, Run } from '../draft.ts';
import { rangeOf } from '../notes/notePlan.ts';
import type { PlanInput } from '../strategy.ts';
import { unitsOf } from './noteRuns.ts';
import { readEntries, type TraceDetail, type TraceEntry, traceText } from './traceText.ts';

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
