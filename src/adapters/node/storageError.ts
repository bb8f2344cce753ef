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
        message: `The disk is full (${code}), ${path} was not written. Free some space; Karl keeps the messages and writes them with the next one.`,
      };
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return {
        kind: 'read-only',
        path,
        message: `${path} may not be written (${code}). Allow writing there; Karl keeps the messages and writes them with the next one.`,
      };
    case 'ENOENT':
    case 'ENOTDIR':
      return {
        kind: 'missing',
        path,
        message: `${path} is not there. It was removed, or its folder cannot be reached.`,
      };
    default:
      return { kind: 'other', path, message: `${path}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Whether the disk takes nothing although it can be read: it is full, or may not be written. */
export function isUnwritable({ kind }: StorageProblem): boolean {
  return kind === 'disk-full' || kind === 'read-only';
}

/** The same problem where a conversation was opened: it can be read all the same. */
export function describeUnwritable(problem: StorageProblem): StorageProblem {
  const [reason, cure] =
    problem.kind === 'disk-full' ? ['the disk is full', 'Free some space'] : ['it may not be written', 'Allow writing'];
  const message = `This conversation can be read but not continued, because ${reason} (${problem.path}). ${cure}, then take the conversation over.`;
  return { ...problem, message };
}

/** The code of a file system error, e.g. `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
