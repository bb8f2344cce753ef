import { createHash } from 'node:crypto';
import { lstat, mkdir, open, readdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { parseJson } from '../../../core/messages/parseJson.ts';
import { err, ok, type Result, reasonOf } from '../../../core/result.ts';
import type { Restored, RestorePlan, RestoreStep } from '../../../core/session/workPorts.ts';
import { makeFolder, replaceFile, withFile } from '../durableWrite.ts';
import { errorCode, unlessMissing } from '../storageError.ts';
import { DEFAULT_LIMITS } from '../workspaceTools/toolArguments.ts';
import { type IgnoreRules, isIgnored, makeIgnoreRules, Walk, walkFolder } from '../workspaceTools/walkFolder.ts';
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

const manifest = z.object({
  /** The hash of each file's content, under which it is kept; null: there was no file. */
  files: z.record(z.string(), z.nullable(z.string().check(z.regex(/^[0-9a-f]{64}$/)))),
  /** `edits`: names only edited files; `all`: files that are not named did not exist; `part`: they may have existed. */
  covers: z.enum(['edits', 'all', 'part']),
  /** Files that were too large or not readable, so that their content is unknown. */
  tooLarge: z.array(z.string()),
  /** The files that are executable. */
  executable: z.optional(z.array(z.string())),
});
type Manifest = z.infer<typeof manifest>;

const NOTHING: Manifest = { files: {}, covers: 'edits', tooLarge: [] };

/**
 * The files of the workspace as they were before each turn that changed any. Content is kept once, by its hash. Edited
 * files are always kept; before a command all files are, except huge ones and those that Git ignores. A moment is the
 * number of the message that began a turn; a restore lies between two messages (`4.001`).
 */
export class Checkpoints {
  readonly #folder: string;
  readonly #folders: () => readonly WorkspaceFolder[];
  readonly #moments = new Set<number>();
  /** The last manifest that was read or written. The others stay on the disk: there may be one for each turn. */
  #last: { readonly moment: number; readonly made: Manifest } | undefined;
  /** The last known mark and hash of each file, so that unchanged files are not read again. */
  readonly #seen = new Map<string, { readonly mark: string; readonly hash: string }>();
  #loaded: Promise<void> | undefined;

  /** `folder`: the conversation's folder, in which nothing is created before the first checkpoint. */
  constructor(folder: string, folders: () => readonly WorkspaceFolder[]) {
    this.#folder = join(folder, 'checkpoints');
    this.#folders = folders;
  }

  /** The messages that began turns which changed files. */
  async turns(): Promise<Result<ReadonlySet<number>, string>> {
    return await attempt('The checkpoints cannot be read', async () => {
      await this.#load();
      return new Set([...this.#moments].filter(Number.isInteger));
    });
  }

  /** Keeps a file before its first change in a turn. The error is a sentence for the model. */
  async cover(turn: number, file: string): Promise<Result<void, string>> {
    return await attempt(NOT_KEPT, async () => {
      const known = await this.#of(turn);
      if (Object.hasOwn(known.files, file)) return;
      await this.#store(turn, await this.#with(known, [file]));
    });
  }

  /** Keeps all files before the first command of a turn. The error is a sentence for the model. */
  async coverAll(turn: number, signal: AbortSignal): Promise<Result<void, string>> {
    return await attempt(NOT_KEPT, async () => {
      const known = await this.#of(turn);
      if (known.covers !== 'edits') return;
      const files = new Map(Object.entries(known.files));
      const executable = new Set(known.executable);
      const tooLarge: string[] = [];
      let left = LARGEST_TOTAL;
      const isWhole = await this.#walk(signal, async (file, found) => {
        if (files.has(file)) return;
        if (found === undefined) return void tooLarge.push(file);
        const { size } = found;
        const isNew = this.#seen.get(file)?.mark !== (await markOf(file));
        if (size > LARGEST_FILE || (isNew && size > left)) return void tooLarge.push(file);
        if (isNew) left -= size;
        try {
          files.set(file, await this.#keep(file));
          if (found.isExecutable) executable.add(file);
        } catch (error) {
          if (!isUnreadable(error, file)) throw error;
          tooLarge.push(file);
        }
      });
      signal.throwIfAborted();
      await this.#store(turn, {
        files: Object.fromEntries(files),
        covers: isWhole ? 'all' : 'part',
        tooLarge,
        executable: [...executable],
      });
    });
  }

  /** Plans how to bring the files back to a moment. */
  async planRestore(moment: number): Promise<Result<RestorePlan, string>> {
    return await attempt('The files cannot be restored', async () => {
      await this.#load();
      const later: Manifest[] = [];
      for (const at of [...this.#moments].sort((one, other) => one - other))
        if (at >= moment) later.push(await this.#of(at));
      const notKept = new Set(later.flatMap(({ tooLarge }) => tooLarge));
      const now = new Set<string>();
      const whole = later.find(({ covers }) => covers === 'all');
      const rules = whole === undefined ? [] : await this.#rulesOf(whole);
      if (whole !== undefined)
        await this.#walk(new AbortController().signal, async (file, found) => void (found && now.add(file)));
      // A file that is missing where all were kept was created later, unless it could not be kept then.
      const mayBeOld = (file: string): boolean =>
        wasIgnored(file, rules) || [...notKept].some((place) => isWithin(place, file));
      const wanted = new Map<string, string | null>();
      const executable = new Set<string>();
      let isWhole = false;
      for (const made of later) {
        const programs = new Set(made.executable);
        for (const [file, hash] of Object.entries(made.files)) {
          if (wanted.has(file)) continue;
          wanted.set(file, !isWhole || mayBeOld(file) ? hash : null);
          if (programs.has(file)) executable.add(file);
        }
        isWhole ||= made === whole;
      }
      for (const file of now) if (!wanted.has(file) && !mayBeOld(file)) wanted.set(file, null);
      const steps: RestoreStep[] = [];
      for (const [file, hash] of wanted)
        if ((await hashNow(file, hash, LARGEST_TOTAL)) !== hash)
          steps.push({ file, hash, isExecutable: executable.has(file) });
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
      await this.#load();
      const last = Math.max(next - 1, ...[...this.#moments].filter((at) => at < next));
      const moment = Math.round(last * 1000 + 1) / 1000;
      const notRestored: string[] = [];
      const kept: RestoreStep[] = [];
      let made = NOTHING;
      const eachOf = async (some: readonly RestoreStep[], act: (step: RestoreStep) => Promise<void>): Promise<void> => {
        for (const step of some)
          await act(step).catch((error: unknown) => notRestored.push(`${step.file}: ${reasonOf(error)}`));
      };
      await eachOf(steps, async (step) => {
        await checkPlace(step.file, roots);
        made = await this.#with(made, [step.file]);
        kept.push(step);
      });
      if (kept.length > 0) await this.#store(moment, made);
      // Delete first: a file may be where a folder was, or the other way round.
      await eachOf(
        kept.filter(({ hash }) => hash === null),
        async ({ file }) => await rm(file, { force: true }),
      );
      await eachOf(kept, async ({ file, hash, isExecutable }) => {
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

  /**
   * Visits every file that tools may list and write, and every .gitignore; `found` is undefined where a file cannot be
   * read. False when the walk ended early.
   */
  async #walk(
    signal: AbortSignal,
    visit: (
      file: string,
      found: { readonly size: number; readonly isExecutable: boolean } | undefined,
    ) => Promise<void>,
  ): Promise<boolean> {
    const places = await findStartPlaces(this.#folders(), undefined);
    if (!places.ok) return false;
    const walk = new Walk({ ...DEFAULT_LIMITS, totalMs: LONGEST_WALK }, signal, () => undefined);
    const visitFile = async (file: string): Promise<void> => {
      const found = await lstatOf(file);
      if (found?.isFile() === true) await visit(file, { size: found.size, isExecutable: (found.mode & 0o111) !== 0 });
    };
    for (const start of places.value) {
      await visitFile(join(start.real, '.gitignore'));
      for await (const { kind, place } of walkFolder(start, Number.POSITIVE_INFINITY, walk)) {
        if (keptName(start.folder, place.real) !== undefined) continue;
        if (kind === 'file') await visitFile(place.real);
        // It may ignore itself.
        if (kind === 'folder') await visitFile(join(place.real, '.gitignore'));
        if (kind === 'unreadable' && (await lstatOf(place.real)) !== undefined) await visit(place.real, undefined);
      }
    }
    return walk.ended === undefined && !signal.aborted;
  }

  /** The .gitignore rules at the time of a manifest that names all files. */
  async #rulesOf({ files }: Manifest): Promise<readonly IgnoreRules[]> {
    const rules: IgnoreRules[] = [];
    for (const [file, hash] of Object.entries(files))
      if (hash !== null && basename(file) === '.gitignore')
        rules.push(makeIgnoreRules(dirname(file), await readFile(this.#pathOf(hash), 'utf8')));
    return rules.sort((one, other) => one.folder.length - other.folder.length);
  }

  /** The manifest with more files added, as they are now. */
  async #with(made: Manifest, more: readonly string[]): Promise<Manifest> {
    const files = { ...made.files };
    const executable = new Set(made.executable);
    for (const file of more) {
      const found = await lstatOf(file);
      files[file] = await this.#keep(file);
      if (found !== undefined && (found.mode & 0o111) !== 0) executable.add(file);
    }
    return { ...made, files, executable: [...executable] };
  }

  /** Stores the content of a file and returns its hash; null when there is none. */
  async #keep(file: string): Promise<string | null> {
    const mark = await markOf(file);
    if (mark === undefined) return null;
    const seen = this.#seen.get(file);
    if (seen?.mark === mark) return seen.hash;
    if (((await lstatOf(file))?.size ?? 0) > LARGEST_TOTAL) throw new Error('it is too large to be kept');
    const content = await readFile(file);
    const hash = hashOf(content);
    const path = this.#pathOf(hash);
    if ((await markOf(path)) === undefined) {
      await makeFolder(dirname(path));
      await replaceFile(path, content);
    }
    this.#seen.set(file, { mark, hash });
    return hash;
  }

  #pathOf(hash: string): string {
    return join(this.#folder, 'content', hash);
  }

  async #of(moment: number): Promise<Manifest> {
    await this.#load();
    if (this.#last?.moment === moment) return this.#last.made;
    if (!this.#moments.has(moment)) return NOTHING;
    const made = manifest.safeParse(parseJson(await readFile(this.#manifestOf(moment), 'utf8'))).data;
    if (made === undefined) throw new Error(`${this.#manifestOf(moment)} is damaged`);
    this.#last = { moment, made };
    return made;
  }

  async #store(moment: number, made: Manifest): Promise<void> {
    await makeFolder(this.#folder);
    await replaceFile(this.#manifestOf(moment), JSON.stringify(made));
    this.#moments.add(moment);
    this.#last = { moment, made };
  }

  #manifestOf(moment: number): string {
    return join(this.#folder, `${moment}.json`);
  }

  async #load(): Promise<void> {
    this.#loaded ??= this.#read();
    try {
      await this.#loaded;
    } catch (error) {
      this.#loaded = undefined;
      throw error;
    }
  }

  async #read(): Promise<void> {
    for (const name of (await unlessMissing(readdir(this.#folder))) ?? []) {
      const moment = Number(/^(\d+(?:\.\d+)?)\.json$/.exec(name)?.[1] ?? Number.NaN);
      if (!Number.isNaN(moment)) this.#moments.add(moment);
    }
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

/** Whether a file cannot be read, or is gone. */
function isUnreadable(error: unknown, file: string): boolean {
  return error instanceof Error && 'path' in error && error.path === file;
}

/** Whether Git ignored a file or a folder above it. The rules are sorted outermost first. */
function wasIgnored(file: string, rules: readonly IgnoreRules[]): boolean {
  for (let path = file; dirname(path) !== path; path = dirname(path)) {
    const holding = rules.filter(({ folder }) => folder !== path && isWithin(folder, path));
    if (holding.length === 0) return false;
    if (isIgnored(holding, path, path !== file)) return true;
  }
  return false;
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
    throw new Error('it is not in the workspace any more');
}

/** Removes a folder that contains only empty folders; rejects if there is anything else. */
async function removeEmptyFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await removeEmptyFolders(join(folder, entry.name));
  await rmdir(folder);
}

/** The result of a read, or undefined where there is no such file: it, or a folder above it, is gone. */
async function unlessGone<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  return reading.catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
    return undefined;
  });
}

/** The status of a file without following a link; undefined when there is none. */
const lstatOf = (file: string) => unlessGone(lstat(file));

/** A mark that changes whenever the file does; undefined when there is no file. */
async function markOf(file: string): Promise<string | undefined> {
  const found = await unlessGone(stat(file));
  return found?.isFile() === true ? `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : undefined;
}

/**
 * The hash of a file; null when there is none. '' where reading it is not needed to know that it differs from what is
 * wanted: no file is wanted, it is none, or it has more than `most` bytes.
 */
async function hashNow(file: string, wanted: string | null, most: number): Promise<string | null> {
  const found = await lstatOf(file);
  if (found === undefined || (wanted === null && found.isDirectory())) return null;
  return wanted === null || !found.isFile() || found.size > most ? '' : hashOf(await readFile(file));
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
