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
import { type Change, type Draft, largestThatFits, type Run, rangeOf, sumTokens, unitsOf } from '../draft.ts';
import { rangeLine, withNarratives } from '../notes/noteText.ts';
import { keptWithin, shortenText } from '../shorten.ts';
import type { PlanInput } from '../strategy.ts';

/** One old tool call with its result, or what the agent said on the way. */
interface TraceEntry {
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
 * How much of a trace is written: the newest `entries`, each with at most `characters`; with 0 `characters`, their lines alone.
 */
interface TraceDetail {
  readonly entries: number;
  readonly characters: number;
}

/** How much of an error the line quotes. Characters. */
const ERROR_CHARACTERS = 160;
/** An observation that would be cut to less than this is left out. Characters. */
const LEAST_OBSERVATION = 80;

/** The heading of what the agent said; no tool has such a name. */
const SAID = 'the agent said';

/**
 * The draft with runs of old calls replaced by notes: observations as long as the settings and `aim` (tokens of the
 * whole view) allow; if the lines alone take more than `most`, only the newest of them.
 */
export function* writeTrace(
  { draft, mark, settings, narratives }: PlanInput,
  runs: readonly Run[],
  { aim, most }: { readonly aim: number; readonly most: number },
): Steps<Draft> {
  const notes: { readonly run: Run; readonly entries: readonly TraceEntry[] }[] = [];
  for (const run of runs) {
    yield;
    notes.push({ run, entries: unitsOf(draft, run).flatMap(({ blocks }) => blocks.flatMap(readEntries)) });
  }
  function* write({ entries, characters }: TraceDetail): Steps<Draft> {
    let left = entries;
    const changes: Change[] = [];
    for (const { run, entries: own } of notes.toReversed()) {
      const detail = { entries: Math.min(own.length, left), characters };
      left -= detail.entries;
      const units = unitsOf(draft, run);
      const range = rangeOf(units);
      const told = narratives.filter(({ covers }) => covers.from === range.from && covers.to === range.to);
      const messages = [fence(mark, traceText(range, own, detail, told))];
      if ((yield* draft.countInSteps(messages)) < sumTokens(units))
        changes.push({ ...run, by: { kind: 'note', messages, narratives: told } });
    }
    return yield* draft.replace(changes.reverse());
  }
  const longest = settings.actionTrace.observationCharacters;
  const entries = notes.reduce((sum, note) => sum + note.entries.length, 0);
  const full = yield* write({ entries, characters: longest });
  if (full.tokens <= aim) return full;
  const lines = yield* write({ entries, characters: 0 });
  if (lines.tokens <= aim)
    return (yield* largestThatFits(longest, aim, (characters) => write({ entries, characters }))) ?? lines;
  if (lines.tokens <= most) return lines;
  const fitting = yield* largestThatFits(entries, most, (newest) => write({ entries: newest, characters: 0 }));
  return fitting ?? (yield* write({ entries: 0, characters: 0 }));
}

/** The entries of a block: what the agent said, and one for each call. */
function readEntries(block: Block): TraceEntry[] {
  const { at, model = '', uses } = readBlock(block, undefined);
  const observation = model.trim();
  const said = { tool: SAID, handle: handleOf({ from: at, to: at }), label: '', error: undefined, observation };
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
  return observation === '' ? calls : [said, ...calls];
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
function traceText(
  range: MessageRange,
  entries: readonly TraceEntry[],
  detail: TraceDetail,
  narratives: readonly Narrative[],
): string {
  const skipped = Math.max(0, entries.length - detail.entries);
  // Prose whose text is left out would be a bare handle.
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
  for (const entry of entries) groups.set(entry.tool, [...(groups.get(entry.tool) ?? []), entry]);
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
