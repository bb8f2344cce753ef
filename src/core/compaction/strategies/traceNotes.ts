import { describeUse } from '../../ledger/describe.ts';
import { errorsOfUse } from '../../ledger/errors.ts';
import type { ToolUse } from '../../ledger/outcome.ts';
import { readBlock } from '../../ledger/reading.ts';
import type { Block } from '../../messages/blocks.ts';
import { quoteHead } from '../../messages/cut.ts';
import { fence } from '../../messages/fence.ts';
import { handleOf } from '../../messages/handle.ts';
import type { MessageRange } from '../../messages/message.ts';
import { groupBy } from '../../result.ts';
import type { Steps } from '../../steps.ts';
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
  const notes: { readonly run: Run; readonly own: readonly TraceEntry[] }[] = [];
  for (const run of runs) {
    yield;
    notes.push({ run, own: unitsOf(draft, run).flatMap(({ blocks }) => blocks.flatMap(readEntries)) });
  }
  const all = notes.reduce((sum, { own }) => sum + own.length, 0);
  /** With the newest `entries`, each in at most `characters`. */
  function* write(entries: number, characters: number): Steps<Draft> {
    let left = entries;
    const changes: Change[] = [];
    for (const { run, own } of notes.toReversed()) {
      const units = unitsOf(draft, run);
      const range = rangeOf(units);
      const told = narratives.filter(({ covers }) => covers.from === range.from && covers.to === range.to);
      const text = traceText(range, own, Math.max(0, own.length - left), characters);
      left = Math.max(0, left - own.length);
      const messages = [fence(mark, withNarratives(text, told))];
      if ((yield* draft.countInSteps(messages)) < sumTokens(units))
        changes.push({ ...run, by: { kind: 'note', messages, narratives: told } });
    }
    return yield* draft.replace(changes.reverse());
  }
  const longest = settings.actionTrace.observationCharacters;
  const full = yield* write(all, longest);
  if (full.tokens <= aim) return full;
  const lines = yield* write(all, 0);
  if (lines.tokens <= aim)
    return (yield* largestThatFits(longest, aim, (characters) => write(all, characters))) ?? lines;
  if (lines.tokens <= most) return lines;
  return (yield* largestThatFits(all, most, (entries) => write(entries, 0))) ?? (yield* write(0, 0));
}

/** The entries of a block: what the agent said, and one for each call. */
function readEntries(block: Block): TraceEntry[] {
  const { at, model = '', uses } = readBlock(block);
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
      error: errorOf(use),
      observation: use.result?.text.trim() ?? '',
    };
  });
  return observation === '' ? calls : [said, ...calls];
}

/** The first error in the result; if the call failed without one, how its result begins. */
function errorOf(use: ToolUse): string | undefined {
  const { result } = use;
  const text = errorsOfUse(use)[0]?.value ?? (result?.failed === true ? result.text.trim() : '');
  const [line = ''] = text.split('\n', 1);
  return line === '' ? undefined : quoteHead(line, ERROR_CHARACTERS);
}

/**
 * The text of a trace, grouped by tool: what the agent said, then a line for each call with outcome, path and error, and
 * as much of the observation as `characters` allow. The `skipped` oldest entries are counted.
 */
function traceText(range: MessageRange, entries: readonly TraceEntry[], skipped: number, characters: number): string {
  // Prose whose text is left out would be a bare handle.
  const told = entries.slice(skipped).filter(({ tool }) => tool !== SAID || characters >= LEAST_OBSERVATION);
  const left = entries.slice(0, skipped).filter(({ tool }) => tool !== SAID);
  const counts = [...groupBy(left, toolOf)].map(([tool, group]) => `${group.length} ${tool}`);
  const lines = [...groupBy(told, toolOf)].flatMap(([tool, group]) => [
    `${tool}:`,
    ...group.map((entry) => entryText(entry, characters)),
  ]);
  return [rangeLine(range, counts.join('; ')), ...lines].join('\n');
}

const toolOf = ({ tool }: TraceEntry): string => tool;

function entryText({ handle, label, error = '', observation }: TraceEntry, characters: number): string {
  const line = label === '' ? `[${handle}]` : `[${handle} ${label}]`;
  const shown = excerpt(observation, handle, characters - line.length - error.length - 1);
  const told = shown.includes(error) ? line : `${line} ${error}`;
  return shown === '' ? told : `${told}\n${shown}`;
}

function excerpt(text: string, handle: string, characters: number): string {
  if (text.length <= characters) return text;
  if (characters < LEAST_OBSERVATION) return '';
  return shortenText(text, handle, keptWithin(characters)) ?? quoteHead(text, characters);
}
