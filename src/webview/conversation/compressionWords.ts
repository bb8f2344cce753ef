import { t } from '../../core/language.ts';
import type { CompressionState } from '../../protocol/entries.ts';
import { formatTime } from '../format.ts';

/** What was done: a compression, or what the user did by hand. */
export function titleOfRun({ undone, isManual, trigger, agent }: CompressionState): string {
  if (agent !== undefined)
    return undone ? t('Compressed by {0}, undone', agent.name) : t('Compressed by {0}', agent.name);
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

/** The names of the controls of one compression, each with its object; a change by hand is no compression. */
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
 * What the button that undoes or redoes says, what it acts on, and what it does, with what else is undone or redone; a
 * change by hand goes alone.
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
