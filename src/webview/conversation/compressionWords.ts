import { t } from '../../core/language.ts';
import type { CompressionState } from '../../protocol/entries.ts';
import { formatTime } from '../format.ts';

/** The names of the controls of one compression, each with its object; a change by hand is no compression. */
export function nameControls({
  isManual,
  at,
  precision,
}: CompressionState): Readonly<Record<'summary' | 'originals' | 'changes' | 'details', string>> {
  const time = formatTime(at, precision);
  const summary = t('Summary of the compression at {0}', time);
  return isManual === true
    ? {
        summary,
        originals: t('Originals of the change at {0}', time),
        changes: t('Changes made by you at {0}', time),
        details: t('Details of the change at {0}', time),
      }
    : {
        summary,
        originals: t('Originals of the compression at {0}', time),
        changes: t('Changes of the compression at {0}', time),
        details: t('Details of the compression at {0}', time),
      };
}

/** What a button says, what it acts on, and what it does. */
interface ButtonWords {
  readonly label: string;
  readonly object: string;
  readonly way: string;
}

/** Says what else is redone; a change by hand is redone alone. */
export function wordsOfRedo({ isManual, at, precision, takesAlong }: CompressionState): ButtonWords {
  const time = formatTime(at, precision);
  if (isManual === true)
    return { label: t('Redo'), object: t('Redo the change at {0}', time), way: t('Make this change again') };
  const way = t('Compress again as it was');
  const { length } = takesAlong;
  if (length === 0) return { label: t('Redo'), object: t('Redo the compression at {0}', time), way };
  const times = takesAlong.map((later) => formatTime(later.at, later.precision)).join(', ');
  const also =
    length === 1
      ? t('Redoes the later compression too, which was undone with this one: {0}', times)
      : t('Redoes the later compressions too, which were undone with this one: {0}', times);
  return {
    label: t('Redo and {0} later', length),
    object: t('Redo the compression at {0} and {1} later', time, length),
    way: `${way}\n${also}`,
  };
}

/** Says what else is undone; a change by hand is undone alone. */
export function wordsOfUndo({ isManual, at, precision, takesAlong }: CompressionState): ButtonWords {
  const time = formatTime(at, precision);
  if (isManual === true)
    return {
      label: t('Undo'),
      object: t('Undo the change at {0}', time),
      way: t('Take back this change alone'),
    };
  const way = t('Put back everything that only this compression removed');
  const { length } = takesAlong;
  if (length === 0) return { label: t('Undo'), object: t('Undo the compression at {0}', time), way };
  const times = takesAlong.map((later) => formatTime(later.at, later.precision)).join(', ');
  const also =
    length === 1
      ? t('Undoes the later compression too, which builds on this one: {0}', times)
      : t('Undoes the later compressions too, which build on this one: {0}', times);
  return {
    label: t('Undo and {0} later', length),
    object: t('Undo the compression at {0} and {1} later', time, length),
    way: `${way}\n${also}`,
  };
}
