import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Steps } from '../../core/steps.ts';
import { ageOf, errorCode } from './storageError.ts';

/**
 * Replaces a file as a whole: temporary name, fsync, rename, fsync of the folder. Readers see either the old or the new
 * content, even after a power cut. `check` is called just before the rename. Throws what it throws or the file system's
 * error, and then leaves the old file as it was.
 */
export async function replaceFile(path: string, data: string | Uint8Array, check?: () => Promise<void>): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await withFile(await open(temporary, 'wx', 0o600), async (file) => {
      await file.writeFile(data);
      await file.sync();
    });
    await check?.();
    await renamePatiently(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Uses an open file and always closes it. */
export async function withFile<Value>(file: FileHandle, work: (file: FileHandle) => Promise<Value>): Promise<Value> {
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** On Windows, a file that a virus scanner or indexer has open cannot be replaced for a moment. */
const BUSY: readonly (string | undefined)[] = ['EPERM', 'EACCES', 'EBUSY'];
/** The waits before further attempts, about three seconds in all. Milliseconds. */
const WAITS = [20, 50, 100, 200, 400, 800, 1_500];

/** Renames a file; while one of the two is in use, tries again for some seconds. */
export async function renamePatiently(from: string, to: string, move = rename): Promise<void> {
  for (const wait of WAITS) {
    try {
      return await move(from, to);
    } catch (error) {
      if (!BUSY.includes(errorCode(error))) throw error;
    }
    await sleep(wait);
  }
  await move(from, to);
}

/** Makes the names in a folder durable where possible: not on Windows and some file systems. */
export async function syncFolder(path: string): Promise<void> {
  try {
    await withFile(await open(path, 'r'), (folder) => folder.sync());
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(errorCode(error) ?? '')) throw error;
  }
}

/**
 * Makes a folder and its missing parents; rejects when that fails. Node's own `recursive` never ends in folders such as
 * /proc, which exist but report ENOENT for anything made in them.
 */
export async function makeFolder(path: string, makesAbove = true): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    // Another window was faster, or it is a file, which the next write into the folder reports.
    if (errorCode(error) === 'EEXIST') return;
    if (!makesAbove || errorCode(error) !== 'ENOENT') throw error;
    await makeFolder(dirname(path));
    await makeFolder(path, false);
  }
}

/**
 * Opens a file to append to; creates it unless `flags` say otherwise. Follows no link, does not wait for a pipe, and opens
 * only regular files that belong to the user.
 * @throws the file system's error, or one that says what is there instead
 */
export async function openToAppend(path: string, flags = constants.O_CREAT): Promise<FileHandle> {
  const safe = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND | safe | flags, 0o600);
  try {
    const found = await file.stat();
    const user = process.getuid?.() ?? found.uid;
    if (!found.isFile()) throw new Error('it is not a regular file');
    if (found.uid !== user && user !== 0) throw new Error('it belongs to another user');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The temporary files of `replaceFile`, which remain after an interrupted write. */
const TEMPORARY = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** How long another window may need to take the lock. Milliseconds. */
const TAKING_MS = 30_000;

/** Removes what interrupted writes left. Only the temporary file of `lockFile` may still be in use, by another window. */
export async function sweepTemporary(folder: string, lockFile: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => TEMPORARY.test(one))) {
    const path = join(folder, name);
    const isBeingTaken = name.startsWith(lockFile) && ((await ageOf(path)) ?? TAKING_MS) < TAKING_MS;
    if (!isBeingTaken) await rm(path, { force: true });
  }
}

/** Characters that are encoded at once. */
const PART = 32_768;

/** Writes items as one text, and encodes it as UTF-8, with a step after each item. */
export function* encodeInSteps<Item>(items: Iterable<Item>, write: (item: Item) => string): Steps<Buffer> {
  const parts: Buffer[] = [];
  let text = '';
  for (const item of items) {
    text += write(item);
    if (text.length > PART) {
      parts.push(Buffer.from(text));
      text = '';
    }
    yield;
  }
  return Buffer.concat([...parts, Buffer.from(text)]);
}

/** Lists and objects are written entry by entry down to this depth, and at once below it. */
const DEEPEST = 4;

/** Formats a long JSON file in steps, with a line for each entry down to that depth. */
export function* formatJson(value: object): Steps<Buffer> {
  return yield* encodeInSteps(piecesOf(value, 0), String);
}

function* piecesOf(value: unknown, depth: number): Generator<string> {
  if (depth === DEEPEST || typeof value !== 'object' || value === null) return yield JSON.stringify(value) ?? 'null';
  const isList = Array.isArray(value);
  yield isList ? '[' : '{';
  let before = `\n${' '.repeat(depth + 1)}`;
  for (const [name, entry] of Object.entries(value)) {
    if (entry === undefined && !isList) continue;
    yield isList ? before : `${before}${JSON.stringify(name)}: `;
    yield* piecesOf(entry, depth + 1);
    before = `,\n${' '.repeat(depth + 1)}`;
  }
  yield `${isList ? ']' : '}'}${depth === 0 ? '\n' : ''}`;
}
