import { english } from '../../core/language.ts';
import type { StorageProblem } from '../../core/session/conversationStore.ts';

/** Turns an error of the file system into a problem that says what to do. */
export function describeStorageError(error: unknown, path: string): StorageProblem {
  const code = errorCode(error);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return {
        kind: 'disk-full',
        path,
        message: english(
          'The disk is full ({0}), {1} was not written. Free some space; Karl keeps the messages and writes them with the next one.',
          code,
          path,
        ),
      };
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return {
        kind: 'read-only',
        path,
        message: english(
          '{0} may not be written ({1}). Allow writing there; Karl keeps the messages and writes them with the next one.',
          path,
          code,
        ),
      };
    case 'ENOENT':
    case 'ENOTDIR':
      return {
        kind: 'missing',
        path,
        message: english('{0} is not there. It was removed, or its folder cannot be reached.', path),
      };
    default:
      return { kind: 'other', path, message: `${path}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Whether the disk cannot be written although it can be read: it is full or read-only. */
export function isUnwritable({ kind }: StorageProblem): boolean {
  return kind === 'disk-full' || kind === 'read-only';
}

/** The same problem when a conversation was opened: it can still be read. */
export function describeUnwritable(problem: StorageProblem): StorageProblem {
  const message =
    problem.kind === 'disk-full'
      ? english(
          'This conversation can be read but not continued, because the disk is full ({0}). Free some space, then take the conversation over.',
          problem.path,
        )
      : english(
          'This conversation can be read but not continued, because it may not be written ({0}). Allow writing, then take the conversation over.',
          problem.path,
        );
  return { ...problem, message };
}

/** The code of a file system error, e.g. `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
