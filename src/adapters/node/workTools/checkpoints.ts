import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { err, ok, type Result } from '../../../core/result.ts';
import type { RestorePlan, RestoreStep } from '../../../core/session/workPorts.ts';
import { makeFolder, replaceFile } from '../durableWrite.ts';
import { errorCode } from '../storageError.ts';
import { DEFAULT_LIMITS } from '../workspaceTools/toolArguments.ts';
import { Walk, walkFolder } from '../workspaceTools/walkFolder.ts';
import { findStartPlaces, isWithin, realPathToBe, type WorkspaceFolder } from '../workspaceTools/workspacePath.ts';

/** A larger file is not kept when a command is about to run, bytes. */
const LARGEST_FILE = 5_000_000;
/** How much is newly kept for one command, bytes. */
const LARGEST_TOTAL = 300_000_000;
/** How long the files are looked at before a command, milliseconds. */
const LONGEST_WALK = 30_000;

const manifest = z.object({
  /** The content that each file had, by the hash under which it is kept; null: there was none. */
  files: z.record(z.string(), z.nullable(z.string().check(z.regex(/^[0-9a-f]{64}$/)))),
  /** `edits`: only what was edited is named; `all`: a file that is not named was not there; `part`: it may have been. */
  covers: z.enum(['edits', 'all', 'part']),
  tooLarge: z.array(z.string()),
});
type Manifest = z.infer<typeof manifest>;

const NOTHING: Manifest = { files: {}, covers: 'edits', tooLarge: [] };

/**
 * The files of the workspace as they were before each turn of a conversation that changed any. Content is kept once, by
 * its hash. What an edit changes is always kept; before a command all files are, but for those that Git ignores and
 * huge ones. A moment is the number of the message that began a turn; a restore is between two messages (`.5`).
 */
export class Checkpoints {
  readonly #folder: string;
  readonly #folders: () => readonly WorkspaceFolder[];
  readonly #moments = new Map<number, Manifest>();
  /** What was last seen of a file, so that it is not read again while nothing has changed. */
  readonly #seen = new Map<string, { readonly mark: string; readonly hash: string }>();
  #loaded: Promise<void> | undefined;

  /** `folder`: the place of the conversation; nothing is made there before the first checkpoint. */
  constructor(folder: string, folders: () => readonly WorkspaceFolder[]) {
    this.#folder = join(folder, 'checkpoints');
    this.#folders = folders;
  }

  /** The messages that began turns which changed files. */
  async turns(): Promise<Result<ReadonlySet<number>, string>> {
    return await attempt('The checkpoints cannot be read', async () => {
      await this.#load();
      return new Set([...this.#moments.keys()].filter(Number.isInteger));
    });
  }

  /** Keeps a file as it is before it is changed in a turn for the first time. The error is a sentence for the model. */
  async cover(turn: number, file: string): Promise<Result<void, string>> {
    return await attempt(NOT_KEPT, async () => {
      const known = await this.#of(turn);
      if (Object.hasOwn(known.files, file)) return;
      await this.#store(turn, { ...known, files: { ...known.files, [file]: await this.#keep(file) } });
    });
  }

  /** Keeps all files as they are before the first command of a turn. The error is a sentence for the model. */
  async coverAll(turn: number, signal: AbortSignal): Promise<Result<void, string>> {
    return await attempt(NOT_KEPT, async () => {
      const known = await this.#of(turn);
      if (known.covers !== 'edits') return;
      const files = new Map(Object.entries(known.files));
      const tooLarge: string[] = [];
      let left = LARGEST_TOTAL;
      const isWhole = await this.#walk(signal, async (file, bytes) => {
        if (files.has(file)) return;
        const isNew = this.#seen.get(file)?.mark !== (await markOf(file));
        if (bytes > LARGEST_FILE || (isNew && bytes > left)) return void tooLarge.push(file);
        if (isNew) left -= bytes;
        files.set(file, await this.#keep(file));
      });
      signal.throwIfAborted();
      await this.#store(turn, { files: Object.fromEntries(files), covers: isWhole ? 'all' : 'part', tooLarge });
    });
  }

  /** What would bring the files back to what they were at a moment. */
  async planRestore(moment: number): Promise<Result<RestorePlan, string>> {
    return await attempt('The files cannot be restored', async () => {
      await this.#load();
      const later = [...this.#moments].filter(([at]) => at >= moment).sort(([one], [other]) => one - other);
      const tooLarge = new Set(later.flatMap(([, made]) => made.tooLarge));
      const now = new Set<string>();
      const knowsAll = later.some(([, { covers }]) => covers === 'all');
      if (knowsAll) await this.#walk(new AbortController().signal, async (file) => void now.add(file));
      const wanted = new Map<string, string | null>();
      let isWhole = false;
      for (const [, { files, covers }] of later) {
        for (const [file, hash] of Object.entries(files)) {
          if (wanted.has(file)) continue;
          // Not there when all were kept: made since, unless Git ignores it.
          if (!isWhole) wanted.set(file, hash);
          else if (now.has(file)) wanted.set(file, null);
          else if ((await markOf(file)) !== undefined) wanted.set(file, hash);
        }
        isWhole ||= covers === 'all';
      }
      for (const file of now) if (!wanted.has(file) && !tooLarge.has(file)) wanted.set(file, null);
      const steps: RestoreStep[] = [];
      for (const [file, hash] of wanted) if ((await hashNow(file)) !== hash) steps.push({ file, hash });
      return { steps, notKept: [...tooLarge], isPart: later.some(([, { covers }]) => covers === 'part') };
    });
  }

  /**
   * Carries out a plan. What the files hold now is kept first, as the moment before message number `next`, which is given
   * back: a restore of that moment takes this one back.
   */
  async restore({ steps }: RestorePlan, next: number): Promise<Result<number, string>> {
    return await attempt('The files could not all be restored', async () => {
      const roots = await Promise.all(this.#folders().map(({ path }) => realpath(path)));
      // Someone may have put a link in the way.
      for (const { file } of steps)
        if ((await realPathToBe(file)) !== file || !roots.some((root) => isWithin(root, file)))
          throw new Error(`${file} is not in the workspace any more`);
      const moment = next - 0.5;
      const known = await this.#of(moment);
      const files = { ...known.files };
      for (const { file } of steps) if (!Object.hasOwn(files, file)) files[file] = await this.#keep(file);
      await this.#store(moment, { ...known, files });
      for (const { file, hash } of steps) {
        if (hash === null) await rm(file, { force: true });
        else {
          const content = await readFile(this.#pathOf(hash));
          await mkdir(dirname(file), { recursive: true });
          await writeInPlace(file, content);
        }
      }
      return moment;
    });
  }

  /** Visits every file that tools would list; false when it ended before the last one. */
  async #walk(signal: AbortSignal, visit: (file: string, bytes: number) => Promise<void>): Promise<boolean> {
    const places = await findStartPlaces(this.#folders(), undefined);
    if (!places.ok) return false;
    const walk = new Walk({ ...DEFAULT_LIMITS, totalMs: LONGEST_WALK }, signal, () => undefined);
    for (const start of places.value)
      for await (const { kind, place } of walkFolder(start, Number.POSITIVE_INFINITY, walk)) {
        const status = kind === 'file' ? await stat(place.real).catch(() => undefined) : undefined;
        if (status?.isFile() === true) await visit(place.real, status.size);
      }
    return walk.ended === undefined && !signal.aborted;
  }

  /** Stores the content of a file, and gives its hash; null when there is none. */
  async #keep(file: string): Promise<string | null> {
    const mark = await markOf(file);
    if (mark === undefined) return null;
    const seen = this.#seen.get(file);
    if (seen?.mark === mark) return seen.hash;
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
    return this.#moments.get(moment) ?? NOTHING;
  }

  async #store(moment: number, made: Manifest): Promise<void> {
    await makeFolder(this.#folder);
    await replaceFile(join(this.#folder, `${moment}.json`), JSON.stringify(made));
    this.#moments.set(moment, made);
  }

  async #load(): Promise<void> {
    this.#loaded ??= this.#read();
    await this.#loaded;
  }

  async #read(): Promise<void> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    });
    for (const name of names) {
      const moment = /^(\d+(?:\.5)?)\.json$/.exec(name)?.[1];
      if (moment === undefined) continue;
      const parsed = manifest.safeParse(JSON.parse(await readFile(join(this.#folder, name), 'utf8')));
      if (!parsed.success) throw new Error(`${join(this.#folder, name)} is damaged`);
      this.#moments.set(Number(moment), parsed.data);
    }
  }
}

const NOT_KEPT = 'Nothing was changed, since the files could not be kept for a restore';

async function attempt<Done>(what: string, act: () => Promise<Done>): Promise<Result<Done, string>> {
  try {
    return ok(await act());
  } catch (error) {
    return err(`${what}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Tells whether a file has changed; undefined when there is none. */
async function markOf(file: string): Promise<string | undefined> {
  try {
    const { size, mtimeMs, ctimeMs, ino } = await stat(file);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

async function hashNow(file: string): Promise<string | null> {
  return (await markOf(file)) === undefined ? null : hashOf(await readFile(file));
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Keeps the mode of the file. */
async function writeInPlace(file: string, content: Uint8Array): Promise<void> {
  const handle = await open(file, 'w');
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
