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

/** The names of the controls of a compression or a change by hand, each with its object. */
export function nameControls(run: CompressionState) {
  const { isManual, at, precision } = run;
  const lacks = countUnsaid(run);
  const time = formatTime(at, precision);
  const summary = t('Summary of the compression at {0}', time);
  return isManual === true
    ? {
        summary,
        originals: t('Originals of the change at {0}', time),
        changes: t('Changes made by you at {0}', time),
        details: t('Details of the change at {0}', time),
        unsaid: '',
        copy: '',
      }
    : {
        summary,
        originals: t('Originals of the compression at {0}', time),
        changes: t('Changes of the compression at {0}', time),
        details: t('Details of the compression at {0}', time),
        unsaid: t('What it lacks ({0}): the summary of the compression at {1}', lacks, time),
        copy: t('Copy as Message: what was restored of the compression at {0}', time),
      };
}

/** How much of what another agent threw away its summary does not state. */
export function countUnsaid({ agent }: CompressionState): number {
  return agent === undefined ? 0 : agent.unsaid.reduce((sum, { facts }) => sum + facts.length, agent.more);
}

/**
 * The texts of the undo or redo button: its label, its name with the object, and its tooltip, which names the compressions
 * that are undone or redone with it. A change by hand is undone alone.
 */
export function wordsOfUndo({ isManual, at, precision, takesAlong, undone }: CompressionState) {
  const time = formatTime(at, precision);
  const label = undone ? t('Redo') : t('Undo');
  if (isManual === true)
    return undone
      ? { label, object: t('Redo the change at {0}', time), way: t('Make this change again') }
      : { label, object: t('Undo the change at {0}', time), way: t('Take back this change alone') };
  const way = undone ? t('Compress again as it was') : t('Put back everything that only this compression removed');
  const { length } = takesAlong;
  if (length === 0)
    return {
      label,
      object: undone ? t('Redo the compression at {0}', time) : t('Undo the compression at {0}', time),
      way,
    };
  const times = takesAlong.map((later) => formatTime(later.at, later.precision)).join(', ');
  if (undone) {
    const also =
      length === 1
        ? t('Redoes the later compression too, which was undone with this one: {0}', times)
        : t('Redoes the later compressions too, which were undone with this one: {0}', times);
    const object = t('Redo the compression at {0} and {1} later', time, length);
    return { label: t('Redo and {0} later', length), object, way: `${way}\n${also}` };
  }
  const also =
    length === 1
      ? t('Undoes the later compression too, which builds on this one: {0}', times)
      : t('Undoes the later compressions too, which build on this one: {0}', times);
  const object = t('Undo the compression at {0} and {1} later', time, length);
  return { label: t('Undo and {0} later', length), object, way: `${way}\n${also}` };
}
