import { table } from '../tokens/table.ts';
import { FACT_CLASSES } from './fact.ts';
import { type Gate, keptShare, percent } from './gates.ts';
import type { NextFiles } from './real/nextFiles.ts';
import { ofClass, type Score, shares, type Verdict } from './score.ts';

/** One contender over all transcripts of one size. */
export interface Row {
  readonly id: string;
  readonly scores: readonly Score[];
  /** Why there are no figures. */
  readonly absent?: string;
}

/** The table of all contenders. */
export function contenderTable(rows: readonly Row[]): string {
  return table(
    ['contender', 'kept', 'R', 'R held out', 'R+', 'V', 'lost', 'invented', 'prefix', 'ms', 'calls', 'remark'],
    rows.map(({ id, scores, absent }) => {
      if (absent !== undefined) return [id, '', '', '', '', '', '', '', '', '', '', absent];
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

export function nextFilesTable(points: readonly NextFiles[]): string {
  return table(
    ['session', 'before', 'names', 'in view', 'recoverable', 'kept', 'of these human', 'ms', 'missing'],
    points.map((point) => [
      point.session,
      String(point.before),
      String(point.names),
      String(point.inView),
      String(point.recoverable),
      percent(point.kept),
      percent(point.keptHuman),
      point.milliseconds.toFixed(0),
      [...point.missing, ...(point.remark === undefined ? [] : [point.remark])].join(' '),
    ]),
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
