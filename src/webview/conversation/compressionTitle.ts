import { t } from '../../core/language.ts';
import type { CompressionState } from '../../protocol/entries.ts';
import { formatTime } from '../format.ts';

/** What was done: a compression, or what the user did by hand. */
export function titleOfRun({ undone, isManual, trigger }: CompressionState): string {
  if (isManual !== true) return undone ? t('Compression undone') : t('Compressed');
  const act = capital(trigger);
  return undone ? t('{0}, undone', act) : act;
}

/** Words as the beginning of a line. */
export function capital(words: string): string {
  return words.replace(/^./, (first) => first.toUpperCase());
}

/** The same with its time: no other of the conversation has this name. */
export function nameOfRun(run: CompressionState): string {
  return `${titleOfRun(run)}, ${formatTime(run.at, run.precision)}`;
}

/** The name of a row of compressions: what was done, with the time of the newest. */
export function nameOfRuns(runs: readonly CompressionState[]): string {
  const newest = runs.at(-1);
  return newest === undefined ? '' : `${titleOfRuns(runs)}, ${formatTime(newest.at, newest.precision)}`;
}

/** The same of several: changes by hand are no compressions, and are counted for themselves. */
export function titleOfRuns(runs: readonly CompressionState[]): string {
  const byHand = runs.filter(({ isManual }) => isManual === true);
  const others = runs.filter(({ isManual }) => isManual !== true);
  return [others, byHand].flatMap(countRuns).join(' · ');
}

/**
 * What the runs in effect did together: the figures before the first and after the last of them. Each run counted the
 * request with all earlier ones in effect, so nothing is known once an earlier one of them is undone; what another has
 * taken the place of was undone before that.
 */
export function togetherOf(all: readonly CompressionState[]): CompressionState | undefined {
  const runs = all.filter(({ superseded }) => !superseded);
  const [first] = runs;
  const last = runs.findLast(({ undone }) => !undone);
  if (first === undefined || last === undefined) return undefined;
  return runs.slice(0, runs.indexOf(last)).some(({ undone }) => undone) ? undefined : { ...last, before: first.before };
}

function countRuns(runs: readonly CompressionState[]): readonly string[] {
  const { length } = runs;
  const [first] = runs;
  if (first === undefined || length === 1) return runs.map(titleOfRun);
  const inEffect = runs.filter(({ undone }) => !undone).length;
  if (first.isManual === true)
    return inEffect === length
      ? [t('Changed by you {0} times', length)]
      : [t('Changed by you {1} times, {0} in effect', inEffect, length)];
  return inEffect === length
    ? [t('Compressed {0} times', length)]
    : [t('Compressed {1} times, {0} in effect', inEffect, length)];
}
