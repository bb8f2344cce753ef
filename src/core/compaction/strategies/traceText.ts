import { extract } from '../../ledger/createLedger.ts';
import { describeUse } from '../../ledger/describe.ts';
import { readBlock } from '../../ledger/read/reading.ts';
import type { ToolUse } from '../../ledger/read/toolUse.ts';
import type { Block } from '../../messages/blocks.ts';
import { quoteHead } from '../../messages/cut.ts';
import { handleOf } from '../../messages/handle.ts';
import type { MessageRange } from '../../messages/message.ts';
import type { Narrative } from '../compaction.ts';
import { rangeLine, withNarratives } from '../notes/noteText.ts';
import { keptWithin, shortenText } from '../shorten.ts';

/** One old call of a tool with what came of it. */
export interface TraceEntry {
  readonly tool: string;
  /** What names its messages. */
  readonly handle: string;
  /** What it did and how it ended: `npm test · exit 1 · 212 lines`. */
  readonly label: string;
  /** The error that it ended with. */
  readonly error: string | undefined;
  readonly observation: string;
}

/** How much a trace tells: the newest so many entries, each with so many characters at most; none: the lines alone. */
export interface TraceDetail {
  readonly entries: number;
  readonly characters: number;
}

/** Of an error so much stands in the line. Characters. */
const ERROR_CHARACTERS = 160;
/** An observation of which no more than this may stand is left out. Characters. */
const LEAST_OBSERVATION = 80;

/** The calls of a block, one entry each. */
export function readEntries(block: Block): TraceEntry[] {
  const { uses } = readBlock(block, undefined);
  return uses.map((use) => {
    const at = use.result?.at ?? use.at;
    return {
      tool: use.name,
      handle: handleOf(uses.length === 1 ? block.range : { from: at, to: at }),
      label: describeUse(use),
      error: errorOf(use, block),
      observation: use.result?.text.trim() ?? '',
    };
  });
}

/** The first error that the ledger finds in the result; of a call that failed without one, how its result begins. */
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
 * The text of a trace, grouped by tool: what the model told of it, then a line for each call with outcome, path and
 * error, and as much of the observation as the detail allows. Older calls that are not told are counted.
 */
export function traceText(
  range: MessageRange,
  entries: readonly TraceEntry[],
  detail: TraceDetail,
  narratives: readonly Narrative[],
): string {
  const skipped = Math.max(0, entries.length - detail.entries);
  const lines = [...groupByTool(entries.slice(skipped))].flatMap(([tool, group]) => [
    `${tool}:`,
    ...group.map((entry) => entryText(entry, detail.characters)),
  ]);
  const counts = [...groupByTool(entries.slice(0, skipped))].map(([tool, group]) => `${group.length} ${tool}`);
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
  const line = `[${handle} ${label}]`;
  const seen = excerpt(observation, handle, characters - line.length);
  const told = error === undefined || seen.includes(error) ? line : `${line} ${error}`;
  return seen === '' ? told : `${told}\n${excerpt(observation, handle, characters - told.length)}`;
}

function excerpt(text: string, handle: string, characters: number): string {
  if (text.length <= characters) return text;
  if (characters < LEAST_OBSERVATION) return '';
  return shortenText(text, handle, keptWithin(characters)) ?? quoteHead(text, characters);
}
