import { describeBlock } from '../../ledger/describe.ts';
import type { Block } from '../../messages/blocks.ts';
import { fence } from '../../messages/fence.ts';
import { handleOf } from '../../messages/handle.ts';
import type { Change, Unit } from '../draft.ts';
import { FactWriter } from '../factWriter.ts';
import { countCharacters, rangeOf } from '../notePlan.ts';
import { countRange } from '../noteText.ts';
import type { Rung } from '../rung.ts';
import { findRuns, tailStart } from '../tail.ts';

/** Facts of one group may take this share of the characters that the group had, and never more than the cap. */
const FACT_SHARE = 0.12;
const FACT_CAP = 6000;
const FACT_LEAST = 300;

/** Whole tool groups become one line a call, grouped by tool, with the facts that nothing else in the view says. */
export const trace: Rung = {
  id: 'trace',
  *plan(draft, input) {
    const runs = findRuns(draft, tailStart(draft, input.target), isTrace);
    const replaced = new Set(runs.flatMap((run) => draft.units.slice(run.start, run.start + run.count)));
    const kept = draft.units.filter((unit) => !replaced.has(unit));
    const facts = new FactWriter(input.ledger, kept);
    const changes: Change[] = [];
    for (const run of runs) {
      yield;
      const units = draft.units.slice(run.start, run.start + run.count);
      const range = rangeOf(units);
      const blocks = units.flatMap((unit) => unit.blocks);
      const share = Math.min(FACT_CAP, countCharacters(units) * FACT_SHARE) * (input.generosity ?? 1);
      const limit = Math.max(FACT_LEAST, share);
      const parts = [countRange(range, blocks), ...traceLines(blocks), facts.write(range, limit)];
      const messages = [fence(input.mark, parts.filter((part) => part !== '').join('\n'))];
      const tokens = units.reduce((sum, unit) => sum + unit.tokens, 0);
      if (draft.count(messages) < tokens) changes.push({ ...run, by: { kind: 'line', messages } });
    }
    return draft.replace(changes);
  },
};

function isTrace(unit: Unit): boolean {
  return (
    unit.role === 'work' && (unit.state === 'whole' || unit.state === 'shortened') && unit.blocks.every(isToolBlock)
  );
}

function isToolBlock(block: Block): boolean {
  return block.kind === 'tools' || block.kind === 'stray';
}

/** One line a call, grouped by tool in the order of first use. */
export function traceLines(blocks: readonly Block[]): string[] {
  const groups = new Map<string, string[]>();
  for (const block of blocks) {
    const tool = block.kind === 'tools' ? (block.messages[0].calls[0]?.name ?? 'tool') : 'tool';
    const lines = groups.get(tool) ?? [];
    lines.push(`[${handleOf(block.range)} ${describeBlock(block)}]`);
    groups.set(tool, lines);
  }
  return [...groups].flatMap(([tool, lines]) => [`${tool}:`, ...lines]);
}
