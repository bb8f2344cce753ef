import { table } from '../tokens/table.ts';
import { FACT_CLASSES } from './fact.ts';
import { ofClass, type Score, shares, type Verdict } from './score.ts';

/** A figure that must be reached, and whether it was. */
export interface Gate {
  readonly name: string;
  readonly demanded: string;
  readonly found: string;
  readonly passed: boolean;
}

/** What must never be lost, whatever the summarizer does. */
const NEVER_LOST = ['file-changed', 'constraint', 'todo', 'newest-error', 'user-message'] as const;
/** The share of the facts of all classes together that must be in view. */
const LEAST_RETAINED = 0.9;
/** The share of the tokens that may be kept of a conversation of 75k. */
const MOST_KEPT = 0.15;
/** A chain may end this much below what it is compared with. */
const CHAIN_LOSS = 0.03;
const LADDER_MILLISECONDS = 150;

/** Gates that hold for every run whose notes are checked, with and without a summarizer. */
export function floorGates(id: string, scores: readonly Score[]): Gate[] {
  const verdicts = scores.flatMap((score) => score.verdicts);
  const inventions = scores.flatMap((score) => score.inventions);
  return [
    most(`${id}: facts lost`, shares(verdicts)?.lost ?? 0, 0),
    {
      name: `${id}: inventions`,
      demanded: '0',
      found: inventions.length === 0 ? '0' : `${inventions.length} (${inventions.slice(0, 4).join(', ')})`,
      passed: inventions.length === 0,
    },
    ...NEVER_LOST.map((kind) => least(`${id}: R+ ${kind}`, recoverable(ofClass(verdicts, kind)), 1)),
  ];
}

/** Gate of the deterministic strategy: what is in view without a call, over all classes. */
export function retentionGate(id: string, scores: readonly Score[]): Gate {
  return least(`${id}: R`, retained(scores.flatMap((score) => score.verdicts)), LEAST_RETAINED);
}

export function keptGate(id: string, scores: readonly Score[]): Gate {
  return most(`${id}: tokens kept, worst`, Math.max(...scores.map(keptShare)), MOST_KEPT);
}

export function keptShare(score: Score): number {
  return score.tokensAfter / score.tokensBefore;
}

/** `milliseconds`: the median over transcripts of one size. */
export function latencyGate(id: string, milliseconds: number): Gate {
  return {
    name: `${id}: ladder beyond counting, ms`,
    demanded: `< ${LADDER_MILLISECONDS}`,
    found: milliseconds.toFixed(0),
    passed: milliseconds < LADDER_MILLISECONDS,
  };
}

/** What the end of a chain is compared with, and its scores over all transcripts. */
export interface ChainReference {
  readonly name: string;
  readonly scores: readonly Score[];
}

/**
 * A chain of compactions loses no more than one. `steps` are the scores of one compaction each, over all transcripts.
 * Where each leaves the same share, the first is the reference; in a fixed window, where the first leaves half and the
 * last an eighth, only one compaction of the whole to the same size can be.
 */
export function chainGate(id: string, steps: readonly (readonly Score[])[], reference?: ChainReference): Gate {
  const share = (scores: readonly Score[] | undefined): number =>
    retained((scores ?? []).flatMap((score) => score.verdicts)) ?? 0;
  const { name, scores } = reference ?? { name: 'R(1)', scores: steps[0] ?? [] };
  const once = share(scores);
  const last = share(steps.at(-1));
  return {
    name: `${id}: R(${steps.length}) against ${name} = ${percent(once)}`,
    demanded: `>= ${percent(once - CHAIN_LOSS)}`,
    found: percent(last),
    passed: last >= once - CHAIN_LOSS,
  };
}

function retained(verdicts: readonly Verdict[]): number | undefined {
  return shares(verdicts)?.retained;
}

function recoverable(verdicts: readonly Verdict[]): number | undefined {
  return shares(verdicts)?.recoverable;
}

/** A class of which nothing was planted passes: its gate is checked where it occurs. */
function least(name: string, found: number | undefined, demanded: number): Gate {
  return {
    name,
    demanded: `>= ${percent(demanded)}`,
    found: found === undefined ? 'none planted' : percent(found),
    passed: found === undefined || found >= demanded,
  };
}

function most(name: string, found: number, demanded: number): Gate {
  return { name, demanded: `<= ${percent(demanded)}`, found: percent(found), passed: found <= demanded };
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** One contender over all transcripts of one size. */
export interface Row {
  readonly id: string;
  readonly scores: readonly Score[];
}

/** The table of all contenders. */
export function contenderTable(rows: readonly Row[]): string {
  return table(
    ['contender', 'kept', 'R', 'R held out', 'R+', 'V', 'lost', 'invented', 'prefix', 'ms', 'calls', 'remark'],
    rows.map(({ id, scores }) => {
      const verdicts = scores.flatMap((score) => score.verdicts);
      const all = shares(verdicts);
      const heldOut = shares(verdicts.filter(({ fact }) => fact.heldOut));
      const remarks = new Set(scores.flatMap(({ remark }) => (remark === undefined ? [] : [remark])));
      return [
        id,
        percent(mean(scores.map(keptShare))),
        percent(all?.retained ?? 0),
        percent(heldOut?.retained ?? 0),
        percent(all?.recoverable ?? 0),
        percent(all?.visible ?? 0),
        percent(all?.lost ?? 0),
        String(scores.reduce((sum, score) => sum + score.inventions.length, 0)),
        percent(mean(scores.map((score) => score.prefixKept))),
        mean(scores.map((score) => score.milliseconds)).toFixed(0),
        mean(scores.map((score) => score.modelCalls)).toFixed(1),
        [...remarks].join('; '),
      ];
    }),
  );
}

/** R / R+ by class; held-out wordings and ages are shown separately. */
export function classTable(scores: readonly Score[]): string {
  const verdicts = scores.flatMap((score) => score.verdicts);
  const cells = (own: readonly Verdict[]): string => {
    const found = shares(own);
    return found === undefined ? '-' : `${percent(found.retained)} / ${percent(found.recoverable)}`;
  };
  return table(
    ['class (R / R+)', 'facts', 'all', 'known wordings', 'held out', 'oldest', 'middle', 'newest'],
    FACT_CLASSES.map((kind) => {
      const own = ofClass(verdicts, kind);
      const aged = (age: Verdict['age']): string => cells(own.filter((verdict) => verdict.age === age));
      return [
        kind,
        String(own.length),
        cells(own),
        cells(own.filter(({ fact }) => !fact.heldOut)),
        cells(own.filter(({ fact }) => fact.heldOut)),
        aged('oldest'),
        aged('middle'),
        aged('newest'),
      ];
    }),
  );
}

/** One line for each compaction of a chain. `steps` holds the scores of all transcripts for each. */
export function chainTable(steps: readonly (readonly Score[])[]): string {
  return table(
    ['compaction', 'tokens before', 'tokens after', 'R', 'R+', 'invented'],
    steps.map((scores, index) => {
      const all = shares(scores.flatMap((score) => score.verdicts));
      return [
        String(index + 1),
        mean(scores.map((score) => score.tokensBefore)).toFixed(0),
        mean(scores.map((score) => score.tokensAfter)).toFixed(0),
        percent(all?.retained ?? 0),
        percent(all?.recoverable ?? 0),
        String(scores.reduce((sum, score) => sum + score.inventions.length, 0)),
      ];
    }),
  );
}

export function gateTable(gates: readonly Gate[]): string {
  return table(
    ['gate', 'demanded', 'found', 'verdict'],
    gates.map(({ name, demanded, found, passed }) => [name, demanded, found, passed ? 'pass' : 'FAIL']),
  );
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
