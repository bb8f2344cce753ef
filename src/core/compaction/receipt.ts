import type { FactClass } from '../ledger/fact.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { blockMessages, rangeLength } from '../messages/blocks.ts';
import { eachInSteps, type Steps } from '../steps.ts';
import type { Receipt } from './compaction.ts';
import type { Gauge } from './compactionRun.ts';
import type { Draft } from './draft.ts';
import { isShown, madeText, standsWhole } from './notes/state.ts';
import { countShortened } from './shorten.ts';

/** The views before and after a run, and what they are measured with. */
export interface ReceiptInput {
  readonly before: Draft;
  readonly after: Draft;
  readonly ledger: Ledger;
  readonly gauge: Gauge;
}

/** Measures what a run kept, shortened, removed and saved, for its receipt. */
export function* measureRun({ before, after, ledger, gauge }: ReceiptInput) {
  const messages = { whole: 0, shortened: 0, replaced: 0 };
  let summarized = 0;
  yield* eachInSteps(after.units, (unit) => {
    const length = rangeLength(unit.range);
    const isSent = unit.state === 'whole' || unit.state === 'shortened';
    const shortened =
      unit.state === 'shortened' ? countShortened(unit.blocks.flatMap(blockMessages), unit.messages) : 0;
    messages.shortened += shortened;
    messages[isSent ? 'whole' : 'replaced'] += length - shortened;
    if (unit.changed) summarized += length;
  });
  return {
    tokensBefore: gauge.usedBefore(before.tokens),
    tokensAfter: gauge.usedAfter(after.tokens),
    limitTokens: gauge.limit,
    messages,
    summarized,
    summaryCharacters: yield* noteCharacters(after),
    facts: yield* countFacts(ledger, after),
    prefixKept: (gauge.tools + (yield* prefixTokens(before, after))) / Math.max(1, gauge.tools + before.tokens),
  };
}

/** Characters of the notes that a draft's plan wrote. */
function* noteCharacters(draft: Draft): Steps<number> {
  const made = draft.units.filter((unit) => unit.changed && (unit.state === 'note' || unit.state === 'line'));
  return (yield* madeText(made)).length;
}

/**
 * Counts the facts whose message is no longer whole, by class: those that the view still states, and those behind a
 * handle.
 */
function* countFacts(ledger: Ledger, after: Draft): Steps<Receipt['facts']> {
  const made = yield* madeText(after.units);
  const counts = new Map<FactClass, { kept: number; behindHandle: number }>();
  for (const [index, fact] of ledger.facts().entries()) {
    if (index % 32 === 31) yield;
    if (fact.supersededAt !== undefined || standsWhole(after.units, fact.at)) continue;
    const entry = counts.get(fact.class) ?? { kept: 0, behindHandle: 0 };
    if (isShown(fact, made)) entry.kept += 1;
    else entry.behindHandle += 1;
    counts.set(fact.class, entry);
  }
  return [...counts].map(([factClass, entry]) => ({ class: factClass, ...entry }));
}

/** Tokens of the units before the first change: what a prompt cache can use. */
function* prefixTokens(before: Draft, after: Draft): Steps<number> {
  let tokens = 0;
  for (const [index, unit] of before.units.entries()) {
    if (index % 64 === 63) yield;
    const now = after.units[index];
    if (now === undefined || now.messages.length !== unit.messages.length) break;
    if (unit.messages.some((message, position) => message !== now.messages[position])) break;
    tokens += unit.tokens;
  }
  return tokens;
}
