import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { parseJson } from '../../../core/chat/parseJson.ts';
import { err, ok, type Result, reasonOf } from '../../../core/result.ts';
import type { Restored, RestorePlan, RestoreStep } from '../../../core/session/workPorts.ts';
import { makeFolder, replaceFile, withFile } from '../durableWrite.ts';
import { errorCode, unlessMissing } from '../storageError.ts';
import { DEFAULT_LIMITS } from '../workspaceTools/toolArguments.ts';
import { Walk, type WalkEntry, walkFolder } from '../workspaceTools/walkFolder.ts';
import {
  findStartPlaces,
  isWithin,
  keptName,
  realPathToBe,
  type WorkspaceFolder,
} from '../workspaceTools/workspacePath.ts';

/** Files larger than this are not kept before a command. Bytes. */
const LARGEST_FILE = 5_000_000;
/** The most that is newly kept for one command. Bytes. */
const LARGEST_TOTAL = 300_000_000;
/** The longest walk through the files before a command. Milliseconds. */
const LONGEST_WALK = 30_000;

/** A file that is kept, its content by its hash. */
const kept = z.object({ hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)), isExecutable: z.boolean() });
type Kept = z.infer<typeof kept>;

const manifest = z.object({
  /** Null: there was no file. */
  files: z.record(z.string(), z.nullable(kept)),
  /** `edits`: names only edited files; `all`: files that are not named did not exist; `part`: they may have existed. */
  covers: z.enum(['edits', 'all', 'part']),
  /** Files that were too large or not readable, so that their content is unknown. */
  notKept: z.array(z.string()),
  /** Files and folders that were passed over, as Git ignores them. */
  ignored: z.array(z.string()),
});
type Manifest = z.infer<typeof manifest>;

const NOTHING: Manifest = { files: {}, covers: 'edits', notKept: [], ignored: [] };

/**
 * The files of the workspace as they were before each turn that changed any. Content is stored once, by its hash. Edited
 * files are always kept; before a command, all files are kept except huge ones and those that Git ignores. A moment is the
 * number of the message that began a turn; a restore lies between two messages (`4.001`).
 */
export class Checkpoints {
  readonly #folder: string;
  readonly #folders: () => readonly WorkspaceFolder[];
  /** The last manifest that was read or written. The others stay on the disk: there may be one for each turn. */
  #last: { readonly moment: number; readonly made: Manifest } | undefined;
  /** Files as they were last kept, so that unchanged ones are not read again. */
  readonly #seen = new Map<string, { readonly mark: string; readonly kept: Kept }>();

  /** `folder`: the conversation's folder, in which nothing is created before the first checkpoint. */
  constructor(folder: string, folders: () => readonly WorkspaceFolder[]) {
    this.#folder = join(folder, 'checkpoints');
    this.#folders = folders;
  }

  /** The messages that began turns which changed files. */
  async turns(): Promise<Result<ReadonlySet<number>, string>> {
    return await attempt(
      'The checkpoints cannot be read',
      async () => new Set((await this.#moments()).filter(Number.isInteger)),
    );
  }

  /** Keeps a file before its first change in a turn. The error is a sentence for the model. */
  async cover(turn: number, file: string): Promise<Result<void, string>> {
    return await attempt(NOT_KEPT, async () => {
      const known = await this.#of(turn);
      if (Object.hasOwn(known.files, file)) return;
      await this.#store(turn, { ...known, files: { ...known.files, [file]: await this.#keep(file) } });
    });
  }

  /** Keeps all files before the first command of a turn. The error is a sentence for the model. */
  async coverAll(turn: number, signal: AbortSignal): Promise<Result<void, string>> {
    return await attempt(NOT_KEPT, async () => {
      const known = await this.#of(turn);
      if (known.covers !== 'edits') return;
      const files = new Map(Object.entries(known.files));
      const [notKept, ignored]: [string[], string[]] = [[], []];
      let left = LARGEST_TOTAL;
      const isWhole = await this.#walk(signal, async (kind, file) => {
        if (kind === 'ignored' || kind === 'skipped') return void ignored.push(file);
        const found = await lstatOf(file);
        if (files.has(file) || found === undefined) return;
        if (kind === 'unreadable') return void notKept.push(file);
        const isNew = this.#seen.get(file)?.mark !== markOf(found);
        if (found.size > LARGEST_FILE || (isNew && found.size > left)) return void notKept.push(file);
        if (isNew) left -= found.size;
        try {
          files.set(file, await this.#keep(file));
        } catch (error) {
          // It cannot be read, or is gone.
          if (!(error instanceof Error && 'path' in error && error.path === file)) throw error;
          notKept.push(file);
        }
      });
      signal.throwIfAborted();
      const covers = isWhole ? 'all' : 'part';
      await this.#store(turn, { files: Object.fromEntries(files), covers, notKept, ignored });
    });
  }

  /** Plans how to bring the files back to a moment. */
  async planRestore(moment: number): Promise<Result<RestorePlan, string>> {
    return await attempt('The files cannot be restored', async () => {
      const later: Manifest[] = [];
      for (const at of (await this.#moments()).sort((one, other) => one - other))
        if (at >= moment) later.push(await this.#of(at));
      const wholeAt = later.findIndex(({ covers }) => covers === 'all');
      const whole = later[wholeAt];
      const notKept = new Set(later.flatMap((made) => made.notKept));
      // A file that is missing where all were kept was created later, unless it could not be kept then.
      const passedOver = new Set([...notKept, ...(whole?.ignored ?? [])]);
      const mayBeOld = (file: string): boolean =>
        passedOver.has(file) || (dirname(file) !== file && mayBeOld(dirname(file)));
      const wanted = new Map<string, Kept | null>();
      for (const [index, { files }] of later.entries())
        for (const [file, was] of Object.entries(files))
          if (!wanted.has(file))
            wanted.set(file, whole === undefined || index <= wholeAt || mayBeOld(file) ? was : null);
      if (whole !== undefined)
        await this.#walk(new AbortController().signal, async (kind, file) => {
          if (kind === 'file' && !wanted.has(file) && !mayBeOld(file)) wanted.set(file, null);
        });
      const steps: RestoreStep[] = [];
      for (const [file, was] of wanted) {
        const hash = was?.hash ?? null;
        if ((await hashNow(file, hash)) !== hash) steps.push({ file, hash, isExecutable: was?.isExecutable === true });
      }
      const isPart = later.some(({ covers }) => covers === 'part');
      return { steps, notKept: [...notKept].filter((file) => !wanted.has(file)), isPart };
    });
  }

  /**
   * Carries out a plan as far as possible. First keeps the present files as a moment of its own before message number
   * `next`; restoring that moment takes this restore back.
   */
  async restore({ steps }: RestorePlan, next: number): Promise<Result<Restored, string>> {
    return await attempt('The files could not be restored', async () => {
      const roots = await Promise.all(this.#folders().map(({ path }) => realpath(path)));
      const last = Math.max(next - 1, ...(await this.#moments()).filter((at) => at < next));
      const moment = Math.round(last * 1000 + 1) / 1000;
      const notRestored: string[] = [];
      const safe: RestoreStep[] = [];
      const files: Record<string, Kept | null> = {};
      const eachOf = async (some: readonly RestoreStep[], act: (step: RestoreStep) => Promise<void>): Promise<void> => {
        for (const step of some)
          await act(step).catch((error: unknown) => notRestored.push(`${step.file}: ${reasonOf(error)}`));
      };
      await eachOf(steps, async (step) => {
        await checkPlace(step.file, roots);
        files[step.file] = await this.#keep(step.file);
        safe.push(step);
      });
      if (safe.length > 0) await this.#store(moment, { ...NOTHING, files });
      // Delete first: a file may be where a folder was, or the other way round.
      await eachOf(
        safe.filter(({ hash }) => hash === null),
        async ({ file }) => await rm(file, { force: true }),
      );
      await eachOf(safe, async ({ file, hash, isExecutable }) => {
        if (hash === null) return;
        const content = await readFile(this.#pathOf(hash));
        await checkPlace(file, roots);
        await mkdir(dirname(file), { recursive: true });
        if ((await lstatOf(file))?.isDirectory() === true) await removeEmptyFolders(file);
        await writeInPlace(file, content, isExecutable ? 0o777 : 0o666);
      });
      if (steps.length > 0 && notRestored.length === steps.length) throw new Error(notRestored.join('; '));
      return { moment, notRestored };
    });
  }

  /** Visits what tools may list and write. False when the walk ended early. */
  async #walk(signal: AbortSignal, visit: (kind: WalkEntry['kind'], file: string) => Promise<void>): Promise<boolean> {
    const places = await findStartPlaces(this.#folders(), undefined);
    if (!places.ok) return false;
    const walk = new Walk({ ...DEFAULT_LIMITS, totalMs: LONGEST_WALK }, signal, () => undefined);
    for (const start of places.value)
      for await (const { kind, place } of walkFolder(start, Number.POSITIVE_INFINITY, walk))
        if (
          ['file', 'ignored', 'skipped', 'unreadable'].includes(kind) &&
          keptName(start.folder, place.real) === undefined
        )
          await visit(kind, place.real);
    return walk.ended === undefined && !signal.aborted;
  }

  /** Stores the content of a file; null when there is none. */
  async #keep(file: string): Promise<Kept | null> {
    const found = await lstatOf(file);
    if (found?.isFile() !== true) return null;
    const mark = markOf(found);
    const seen = this.#seen.get(file);
    if (seen?.mark === mark) return seen.kept;
    if (found.size > LARGEST_TOTAL) throw new Error('it is too large to keep');
    const content = await readFile(file);
    const made = { hash: hashOf(content), isExecutable: (found.mode & 0o111) !== 0 };
    const path = this.#pathOf(made.hash);
    if ((await lstatOf(path)) === undefined) {
      await makeFolder(dirname(path));
      await replaceFile(path, content);
    }
    this.#seen.set(file, { mark, kept: made });
    return made;
  }

  #pathOf(hash: string): string {
    return join(this.#folder, 'content', hash);
  }

  async #of(moment: number): Promise<Manifest> {
    if (this.#last?.moment === moment) return this.#last.made;
    const text = await unlessMissing(readFile(this.#manifestOf(moment), 'utf8'));
    if (text === undefined) return NOTHING;
    const made = manifest.safeParse(parseJson(text)).data;
    if (made === undefined) throw new Error(`${this.#manifestOf(moment)} is damaged`);
    this.#last = { moment, made };
    return made;
  }

  async #store(moment: number, made: Manifest): Promise<void> {
    await makeFolder(this.#folder);
    await replaceFile(this.#manifestOf(moment), JSON.stringify(made));
    this.#last = { moment, made };
  }

  #manifestOf(moment: number): string {
    return join(this.#folder, `${moment}.json`);
  }

  async #moments(): Promise<number[]> {
    const names = (await unlessMissing(readdir(this.#folder))) ?? [];
    return names.flatMap((name) => /^(\d+(?:\.\d+)?)\.json$/.exec(name)?.[1] ?? []).map(Number);
  }
}

const NOT_KEPT = 'Nothing was changed, since the files could not be kept for a restore';

async function attempt<Done>(what: string, act: () => Promise<Done>): Promise<Result<Done, string>> {
  try {
    return ok(await act());
  } catch (error) {
    return err(`${what}: ${reasonOf(error)}.`);
  }
}

/** @throws where there is something else than a file, or a link leads elsewhere. */
async function checkPlace(file: string, roots: readonly string[]): Promise<void> {
  const found = await lstatOf(file);
  const isOther = found !== undefined && !found.isFile() && !found.isDirectory();
  // ENOTDIR: a file is where a folder was, and there is nothing below it.
  const real = await realPathToBe(file).catch((error: unknown) => {
    if (errorCode(error) === 'ENOTDIR') return file;
    throw error;
  });
  if (isOther || real !== file || !roots.some((root) => isWithin(root, file)))
    throw new Error('it is no longer in the workspace');
}

/** Removes a folder that contains only empty folders; rejects if there is anything else. */
async function removeEmptyFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await removeEmptyFolders(join(folder, entry.name));
  await rmdir(folder);
}

/** The status of a file without following a link; undefined when it, or a folder above it, is gone. */
const lstatOf = (file: string) => unlessMissing(lstat(file), ['ENOENT', 'ENOTDIR']);

/** A mark that changes whenever a file does. */
function markOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/**
 * The hash of a file; null when there is none; '' if it differs from what is wanted for certain: no file is wanted, it is
 * not a file, or it is larger than any file that is kept.
 */
async function hashNow(file: string, wanted: string | null): Promise<string | null> {
  const found = await lstatOf(file);
  if (found === undefined || (wanted === null && found.isDirectory())) return null;
  return wanted === null || !found.isFile() || found.size > LARGEST_TOTAL ? '' : hashOf(await readFile(file));
}

/** The name under which content is kept. */
function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Writes a file durably; an existing one keeps its mode. */
async function writeInPlace(file: string, content: Uint8Array, mode: number): Promise<void> {
  await withFile(await open(file, 'w', mode), async (handle) => {
    await handle.writeFile(content);
    await handle.sync();
  });
}
