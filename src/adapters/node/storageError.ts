import { stat } from 'node:fs/promises';
import type { Words } from '../../core/phrase.ts';
import { reasonOf } from '../../core/result.ts';
import type { StorageProblem } from '../../core/session/conversationStore.ts';
import { sentence } from '../../language/language.ts';

/** Turns an error of the file system into a problem that says what to do. */
export function describeStorageError(error: unknown, path: string): StorageProblem {
  const code = errorCode(error);
  const as = (kind: StorageProblem['kind'], message: Words): StorageProblem => ({ kind, path, message });
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return as(
        'disk-full',
        sentence(
          'The disk is full ({0}), {1} was not written. Free some space; Karl keeps the messages and writes them with the next one.',
          code,
          path,
        ),
      );
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return as(
        'read-only',
        sentence(
          '{0} may not be written ({1}). Allow writing there; Karl keeps the messages and writes them with the next one.',
          path,
          code,
        ),
      );
    case 'ENOENT':
    case 'ENOTDIR':
      return as('missing', sentence('{0} is not there. It was removed, or its folder cannot be reached.', path));
    default:
      return as('other', `${path}: ${reasonOf(error)}`);
  }
}

/** Whether the disk can be read but not written: it is full or read-only. */
export function isUnwritable({ kind }: StorageProblem): boolean {
  return kind === 'disk-full' || kind === 'read-only';
}

/** The same problem, met when a conversation was opened: it can still be read. */
export function describeUnwritable(problem: StorageProblem): StorageProblem {
  const message =
    problem.kind === 'disk-full'
      ? sentence(
          'This conversation can be read but not continued, because the disk is full ({0}). Free some space, then take the conversation over.',
          problem.path,
        )
      : sentence(
          'This conversation can be read but not continued, because it may not be written ({0}). Allow writing, then take the conversation over.',
          problem.path,
        );
  return { ...problem, message };
}

/** The result of a read; `undefined` if it fails with one of these codes: there is no such file or folder. Else it rejects. */
export async function unlessMissing<Value>(reading: Promise<Value>, codes = ['ENOENT']): Promise<Value | undefined> {
  return reading.catch((error: unknown) => {
    if (!codes.includes(errorCode(error) ?? '')) throw error;
    return undefined;
  });
}

/** Milliseconds since a file was touched (less than 0 if the clock went back); `undefined` when there is none. */
export async function ageOf(path: string): Promise<number | undefined> {
  const found = await unlessMissing(stat(path));
  return found && Date.now() - found.mtimeMs;
}

/** The code of a file system error, e.g. `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
