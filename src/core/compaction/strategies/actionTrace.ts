import { describeBlock } from '../../ledger/describe.ts';
import { cutHead } from '../../messages/cut.ts';
import { fence } from '../../messages/fence.ts';
import { handleOf } from '../../messages/handle.ts';
import { err, ok } from '../../result.ts';
import type { Draft, Run, Unit } from '../draft.ts';
import { noteLength } from '../notes/narrative.ts';
import { rangeOf } from '../notes/notePlan.ts';
import { type Kept, shortenMessage, shortenText } from '../shorten.ts';
import type { NoteOrder, Plan, PlanInput, Strategy } from '../strategy.ts';
import { findRuns } from '../tail.ts';
import { toldNote } from './noted.ts';

/** Figures of DESIGN section 5 (seed: scratchpad). */
const MANY_BLOCKS = 10;
const KEPT_BLOCKS = 5;
const LARGE_TRACE_CHARACTERS = 30 * 1024;
const MANY_BLOCKS_LARGE = 5;
const KEPT_BLOCKS_LARGE = 3;
const OBSERVATION: Kept = { head: 500, tail: 300, errorLines: 2 };
const OBSERVATION_CHARACTERS = 1000;
/** A trace under this is grouped without a model, characters. */
const SMALL_TRACE_CHARACTERS = 8 * 1024;
const LEAST_GAIN = 0.1;

/** Compacts the tool blocks of the running turn: the newest stay whole, the older ones become one trace grouped by tool. */
export const actionTrace: Strategy = {
  id: 'action-trace',
  model: 'optional',
  promise: 'handles-only',
  messageTrigger: 50,
  traceTrigger: true,
  *plan(input) {
    const older = olderTrace(input.draft);
    if (older.length === 0) return err({ reason: 'trace-too-small' });
    yield;
    const grouped = groupRuns(input, older);
    yield;
    if (gains(grouped.draft, input.draft)) return ok(grouped);
    const truncated = truncate(input.draft, older);
    return gains(truncated, input.draft)
      ? ok({ draft: truncated, orders: [], rungs: [] })
      : err({ reason: 'gain-too-small' });
  },
};

function gains(after: Draft, before: Draft): boolean {
  return before.tokens - after.tokens >= before.tokens * LEAST_GAIN;
}

/** True when the trace of the running turn is large enough to act on. */
export function isTraceDue(draft: Draft): boolean {
  return olderTrace(draft).length > 0;
}

/** Unit indexes of the tool blocks that are old enough to go. */
function olderTrace(draft: Draft): number[] {
  const request = draft.units.findLastIndex((unit) => unit.role === 'request');
  const trace = draft.units.flatMap((unit, index) => (index > request && isToolUnit(unit) ? [index] : []));
  const characters = trace.reduce((sum, index) => sum + rawCharacters(draft.units[index]), 0);
  if (characters > LARGE_TRACE_CHARACTERS && trace.length > MANY_BLOCKS_LARGE)
    return trace.slice(0, -KEPT_BLOCKS_LARGE);
  return trace.length > MANY_BLOCKS ? trace.slice(0, -KEPT_BLOCKS) : [];
}

function isToolUnit(unit: Unit): boolean {
  return (
    unit.role === 'work' &&
    (unit.state === 'whole' || unit.state === 'shortened') &&
    unit.blocks.every((block) => block.kind === 'tools')
  );
}

function rawCharacters(unit: Unit | undefined): number {
  return (unit?.blocks ?? []).reduce(
    (sum, block) => sum + block.messages.reduce((part, message) => part + message.text.length, 0),
    0,
  );
}

/** One note for each run of old tool blocks, grouped by tool, each observation at most 1,000 characters. */
function groupRuns(input: PlanInput, older: readonly number[]): Plan {
  const old = new Set(older.map((index) => input.draft.units[index]));
  const runs = findRuns(input.draft, input.draft.units.length, (unit) => old.has(unit));
  const orders: NoteOrder[] = [];
  const changes = runs.flatMap((run) => {
    const units = input.draft.units.slice(run.start, run.start + run.count);
    const range = rangeOf(units);
    const told = input.narratives.find(({ covers }) => covers.from === range.from && covers.to === range.to);
    if (told !== undefined) return [{ ...run, by: toldNote(told, input.mark) }];
    const blocks = units.flatMap((unit) => unit.blocks);
    const text = [`## [${handleOf(range)}] ${blocks.length} tool calls`, ...groupByTool(units)].join('\n');
    const messages = [fence(input.mark, text)];
    const tokens = units.reduce((sum, unit) => sum + unit.tokens, 0);
    if (input.draft.count(messages) >= tokens) return [];
    if (text.length > SMALL_TRACE_CHARACTERS && input.canSummarize)
      orders.push({
        range,
        blocks,
        sourceTokens: tokens,
        maxTokens: noteLength(tokens, input.settings.summary.maxTokens),
        detail: 'brief',
      });
    return [{ ...run, by: { kind: 'note' as const, messages } }];
  });
  return { draft: input.draft.replace(changes), orders, rungs: [] };
}

function groupByTool(units: readonly Unit[]): string[] {
  const groups = new Map<string, string[]>();
  for (const block of units.flatMap((unit) => unit.blocks)) {
    if (block.kind !== 'tools') continue;
    const name = block.messages[0].calls[0]?.name ?? 'tool';
    const lines = groups.get(name) ?? [];
    lines.push(`[${handleOf(block.range)} ${describeBlock(block)}]`);
    for (const message of block.messages.slice(1)) {
      const text = message.text.trim();
      if (text.length === 0) continue;
      const shown =
        text.length > OBSERVATION_CHARACTERS
          ? (shortenText(text, handleOf({ from: message.id, to: message.id }), OBSERVATION) ?? text)
          : text;
      lines.push(cutHead(shown, OBSERVATION_CHARACTERS + 200));
    }
    groups.set(name, lines);
  }
  return [...groups].flatMap(([name, lines]) => [`${name}:`, ...lines]);
}

/** Cuts the observations of old tool blocks in place. */
function truncate(draft: Draft, older: readonly number[]): Draft {
  const changes = older.flatMap((start): (Run & { by: { kind: 'shortened'; messages: Unit['messages'] } })[] => {
    const unit = draft.units[start];
    if (unit === undefined || unit.state !== 'whole') return [];
    const ids = new Map(
      unit.blocks.flatMap((block) => block.messages.map((message) => [message.wire, message.id] as const)),
    );
    let changed = false;
    const messages = unit.messages.map((wire) => {
      const id = ids.get(wire);
      const shorter =
        id === undefined || wire.role !== 'tool'
          ? undefined
          : shortenMessage(wire, handleOf({ from: id, to: id }), OBSERVATION);
      if (shorter !== undefined) changed = true;
      return shorter ?? wire;
    });
    return changed ? [{ start, count: 1, by: { kind: 'shortened', messages } }] : [];
  });
  return draft.replace(changes);
}
