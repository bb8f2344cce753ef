import { t } from '../../core/language.ts';
import type { CompressionState } from '../../protocol/entries.ts';
import { formatTime } from '../format.ts';

/** The title of a compression or a change by hand. */
export function titleOfRun({ undone, isManual, trigger, agent }: CompressionState): string {
  if (agent !== undefined)
    return undone ? t('Compressed by {0}, undone', agent.name) : t('Compressed by {0}', agent.name);
  if (isManual !== true) return undone ? t('Compression undone') : t('Compressed');
  const act = capital(trigger);
  return undone ? t('{0}, undone', act) : act;
}

/** Words with a capital first letter. */
export function capital(words: string): string {
  return words.replace(/^./, (first) => first.toUpperCase());
}

/** The title with the time, which is unique in the conversation. */
export function nameOfRun(run: CompressionState): string {
  return `${titleOfRun(run)}, ${formatTime(run.at, run.precision)}`;
}

/** The name of a row of compressions: what was done, with the time of the newest. */
export function nameOfRuns(runs: readonly CompressionState[]): string {
  const newest = runs.at(-1);
  return newest === undefined ? '' : `${titleOfRuns(runs)}, ${formatTime(newest.at, newest.precision)}`;
}

/** The title of several compressions; changes by hand are counted separately. */
export function titleOfRuns(runs: readonly CompressionState[]): string {
  const byHand = runs.filter(({ isManual }) => isManual === true);
  const others = runs.filter(({ isManual }) => isManual !== true);
  return [others, byHand].flatMap(countRuns).join(' · ');
}

/**
 * The figures before the first and after the last run in effect. Undefined if an earlier run was undone, because each run
 * counted the request with all earlier ones in effect. Superseded runs were undone before that.
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

/** How much of what another agent threw away its summary does not state. */
export function countUnsaid({ agent }: CompressionState): number {
  return agent === undefined ? 0 : agent.unsaid.reduce((sum, { facts }) => sum + facts.length, agent.more);
}

/** The undo or redo button: its label, and its tooltip, which names what is undone or redone with it. */
export function wordsOfUndo({ isManual, takesAlong, undone }: CompressionState): { label: string; way: string } {
  if (isManual === true)
    return undone
      ? { label: t('Redo'), way: t('Make this change again') }
      : { label: t('Undo'), way: t('Take back this change alone') };
  const way = undone ? t('Compress again as it was') : t('Put back everything that only this compression removed');
  const { length } = takesAlong;
  if (length === 0) return { label: undone ? t('Redo') : t('Undo'), way };
  const times = takesAlong.map((later) => formatTime(later.at, later.precision)).join(', ');
  return undone
    ? {
        label: t('Redo and {0} later', length),
        way: `${way}\n${t('Redoes also what was undone with this one: {0}', times)}`,
      }
    : {
        label: t('Undo and {0} later', length),
        way: `${way}\n${t('Undoes also what builds on this one: {0}', times)}`,
      };
}
