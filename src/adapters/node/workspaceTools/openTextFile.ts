import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink, realpath } from 'node:fs/promises';
import { err, ok, type Result } from '../../../core/result.ts';
import { withFile } from '../durableWrite.ts';
import { errorCode } from '../storageError.ts';
import { findInWorkspace, isWithin, type WorkspaceFolder, type WorkspacePath } from './workspacePath.ts';

/** A file that was opened safely. The caller closes its handle. */
export interface OpenedFile {
  readonly handle: FileHandle;
  readonly bytes: number;
  readonly encoding: TextEncoding;
}

/** A file's encoding, for a `TextDecoder`, by its byte order mark or its first bytes. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** A NUL in these first bytes means a binary file, unless its byte order mark says UTF-16. */
const PROBE_BYTES = 65_536;

/**
 * Opens a text file for reading. Never blocks: pipes and devices are refused before opening, and the file is opened
 * without blocking in case one has just appeared. Checks the open file again, since the path may have been replaced.
 */
export async function openTextFile(path: WorkspacePath): Promise<Result<OpenedFile, string>> {
  const { shown, real, folder } = path;
  let handle: FileHandle | undefined;
  try {
    const before = await lstat(real);
    if (before.isDirectory()) return err(`${shown} is a folder. Use list_files.`);
    if (!before.isFile()) return err(`${shown} is not a regular file (a pipe, a socket or a device). It is not read.`);
    handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const opened = await handle.stat();
    const now = await findOpenedPath(handle, real);
    const isSame = opened.isFile() && isSameFile(opened, before) && now !== undefined && isWithin(folder, now);
    const encoding = isSame ? await findEncoding(handle) : undefined;
    if (encoding !== undefined) return ok({ handle, bytes: opened.size, encoding });
    await handle.close();
    if (!isSame) return err(`${shown} was replaced while it was opened. It is not read.`);
    return err(`${shown} is a binary file (${formatBytes(opened.size)}), not text. It is not shown.`);
  } catch (error) {
    await handle?.close();
    return err(`${shown} cannot be read (${errorCode(error) ?? String(error)}).`);
  }
}

function isSameFile(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

/** The encoding of a text file; undefined for a binary one. What is not UTF-8 is read as Western European. */
async function findEncoding(handle: FileHandle): Promise<TextEncoding | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(PROBE_BYTES), 0, PROBE_BYTES, 0);
  const head = buffer.subarray(0, bytesRead);
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head.includes(0)) return undefined;
  try {
    // The last character may be cut off.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** The text of an opened file, in parts. */
export async function* partsOf({ handle, encoding }: OpenedFile): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const bytes of handle.createReadStream({ start: 0, autoClose: false }))
    yield decoder.decode(bytes, { stream: true });
}

/** The lines of a text that comes in parts; only the first `longest` characters of a line, so that memory stays bounded. */
export async function* linesOf(parts: AsyncIterable<string>, longest: number): AsyncGenerator<string> {
  let last = '';
  for await (const part of parts) {
    const [first = '', ...others] = part.split('\n');
    last += first.slice(0, longest - last.length);
    for (const line of others) {
      yield last;
      last = line.slice(0, longest);
    }
  }
  if (last !== '') yield last;
}

/** A size for people: 1.2 kB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Linux lists the real paths of open files here. */
const OPEN_FILES = '/proc/self/fd';

/**
 * The real path of an open file; `undefined` when its name now leads elsewhere. Other systems than Linux resolve the name
 * again, which must lead to the very file that is open.
 */
async function findOpenedPath(handle: FileHandle, name: string): Promise<string | undefined> {
  if (process.platform === 'linux') {
    try {
      return await readlink(`${OPEN_FILES}/${handle.fd}`);
    } catch (error) {
      // There is no /proc.
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
  const [real, opened] = [await realpath(name), await handle.stat()];
  const isSame = isSameFile(await lstat(real), opened) && (await realpath(name)) === real;
  return isSame ? real : undefined;
}

/**
 * The entries of a folder, given its real path; `undefined` if the folder is replaced meanwhile, for example by a link.
 * Throws the file system's error.
 */
export async function readRealFolder(path: string) {
  if (process.platform !== 'linux') {
    const entries = await readdir(path, { withFileTypes: true });
    return { entries, real: await realpath(path) };
  }
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  return withFile(await open(path, flags), async (folder) => {
    const real = await findOpenedPath(folder, path);
    if (real === undefined) return undefined;
    return { entries: await readdir(`${OPEN_FILES}/${folder.fd}`, { withFileTypes: true }), real };
  });
}

/** More bytes than any prompt uses. */
const MOST_BYTES = 256_000;

/**
 * A text file at the top of a workspace folder, cut when it is huge; `undefined` when there is none that can be read.
 * The rules of the file tools apply, since the text is sent to the model unasked: no link out of the folder, no pipe, no
 * device.
 */
export async function readInstructionsFile(folder: WorkspaceFolder, name: string): Promise<string | undefined> {
  const place = await findInWorkspace([folder], name);
  if (!place.ok) return undefined;
  const file = await openTextFile(place.value);
  if (!file.ok) return undefined;
  return withFile(file.value.handle, async (handle) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
    return new TextDecoder(file.value.encoding).decode(buffer.subarray(0, bytesRead));
  });
}
