import { t } from '../../core/language.ts';
import type { CompressionState } from '../../protocol/entries.ts';
import { formatTime } from '../format.ts';

/** The names of the controls of one compression, each with its object; a change by hand is no compression. */
export function nameControls({
  isManual,
  at,
}: CompressionState): Readonly<Record<'originals' | 'changes' | 'details', string>> {
  const time = formatTime(at);
  return isManual === true
    ? {
        originals: t('Originals of the change at {0}', time),
        changes: t('Changes made by you at {0}', time),
        details: t('Details of the change at {0}', time),
      }
    : {
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

export function wordsOfRedo({ isManual, at }: CompressionState): ButtonWords {
  const time = formatTime(at);
  const words =
    isManual === true
      ? { object: t('Redo the change at {0}', time), way: t('Make this change again') }
      : { object: t('Redo the compression at {0}', time), way: t('Compress again as it was') };
  return { label: t('Redo'), ...words };
}

/** Says what else is undone; a change by hand is undone alone. */
export function wordsOfUndo({ isManual, at, undoesToo }: CompressionState): ButtonWords {
  const time = formatTime(at);
  if (isManual === true)
    return {
      label: t('Undo'),
      object: t('Undo the change at {0}', time),
      way: t('Put back everything that only this change replaced'),
    };
  const way = t('Put back everything that only this compression replaced');
  const { length } = undoesToo;
  if (length === 0) return { label: t('Undo'), object: t('Undo the compression at {0}', time), way };
  const times = undoesToo.map((later) => formatTime(later)).join(', ');
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
