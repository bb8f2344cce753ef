import { lstat, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transcript } from '../../core/chat/transcript.ts';
import { parseFigures } from '../../core/conversation/figures.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type {
  ConversationListing,
  StorageLimits,
  StorageProblem,
  StoredConversation,
} from '../../core/session/conversationStore.ts';
import { sentence } from '../../language/language.ts';
import { ConversationFile, type Hold } from './conversationFile.ts';
import { acquireLock, ForeignWriteError, findHolder } from './conversationLock.ts';
import { syncFolder, withFile } from './durableWrite.ts';
import { LOCK_FILE, loadConversation, RAW_FILE, SUMMARY_FILE } from './loadConversation.ts';
import { describeStorageError, describeUnwritable, errorCode, isUnwritable, unlessMissing } from './storageError.ts';

/** Ids become folder names: nothing else may get through. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/u;

/** A conversation to create. */
type Named = Pick<ConversationListing, 'id' | 'title'>;

/** The options for keeping conversations in files. */
export interface ConversationFilesOptions {
  /** The folder that holds the folder with the conversations; created when it is missing. */
  readonly root: string;
  /** The name of the folder with the conversations; default: `conversations`. */
  readonly folder?: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Conversations as folders below `<root>/conversations`, or another named folder. No method rejects. */
export class ConversationFiles {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #open = new Map<string, ConversationFile>();

  constructor(options: ConversationFilesOptions) {
    this.#folder = join(options.root, options.folder ?? 'conversations');
    this.#now = options.now;
  }

  create(named: Named): Promise<Result<ConversationFile, StorageProblem>> {
    return this.#attempt(named.id, async (folder) => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await mkdir(folder, { mode: 0o700 });
      const made = await this.#fill(folder, named).catch((error: unknown) => err(describeStorageError(error, folder)));
      // A half-created folder would appear in the list, empty and without a title.
      if (!made.ok) await rm(folder, { recursive: true, force: true });
      return made;
    });
  }

  async #fill(folder: string, { id, title }: Named): Promise<Result<ConversationFile, StorageProblem>> {
    await withFile(await open(join(folder, RAW_FILE), 'wx', 0o600), (file) => file.sync());
    await syncFolder(folder);
    await syncFolder(this.#folder);
    const details = { compactions: [], pins: [] };
    const stored = { title, createdAt: this.#now(), transcript: new Transcript(), problems: [], details };
    const lock = await acquireLock(join(folder, LOCK_FILE));
    const opened = this.#hold(id, { stored, records: [], length: 0 }, lock);
    const titled = await opened.rename(title);
    if (titled.ok) return ok(opened);
    await opened.close();
    return titled;
  }

  /**
   * Opens for writing, or read-only if another window writes or the disk cannot be written. `takeOver` ends the other
   * window's writing.
   */
  open(id: string, options: { readonly takeOver?: boolean } = {}): Promise<Result<ConversationFile, StorageProblem>> {
    return this.#attempt(id, async (folder) => {
      // Check this first: writing the lock must not create a folder.
      await stat(join(folder, RAW_FILE));
      return ok(await this.#openFolder(id, folder, options.takeOver));
    });
  }

  /** On a full or read-only disk, reads what is there and repairs nothing. */
  async #openFolder(id: string, folder: string, takeOver?: boolean): Promise<ConversationFile> {
    let lock: Awaited<ReturnType<typeof acquireLock>> | undefined;
    try {
      lock = await acquireLock(join(folder, LOCK_FILE), takeOver);
      const loaded = await loadConversation(folder, 'state' in lock ? lock : undefined);
      return this.#hold(id, loaded, lock);
    } catch (error) {
      if (error instanceof ForeignWriteError) {
        const holder = (await findHolder(join(folder, LOCK_FILE))) ?? sentence('another window');
        return this.#hold(id, await loadConversation(folder), { holder });
      }
      const problem = describeStorageError(error, folder);
      if (!isUnwritable(problem)) throw error;
      if (lock !== undefined && 'state' in lock) await lock.release();
      const unwritable = describeUnwritable(problem);
      const { stored, ...loaded } = await loadConversation(folder);
      const told = { ...stored, problems: [...stored.problems, unwritable] };
      return this.#hold(id, { ...loaded, stored: told }, { problem: unwritable });
    }
  }

  /** Reads a conversation without changing anything, even while another window writes to it. */
  read(id: string): Promise<Result<StoredConversation, StorageProblem>> {
    return this.#attempt(id, async (folder) => ok((await loadConversation(folder)).stored));
  }

  /** Newest first. */
  async list(): Promise<Result<readonly ConversationListing[], StorageProblem>> {
    try {
      return ok(await listConversations(this.#folder));
    } catch (error) {
      return err(describeStorageError(error, this.#folder));
    }
  }

  async rename(id: string, title: string): Promise<Result<void, StorageProblem>> {
    const here = this.#open.get(id);
    if (here !== undefined) return here.rename(title);
    const opened = await this.open(id);
    if (!opened.ok) return opened;
    const renamed = await opened.value.rename(title);
    await opened.value.close();
    return renamed;
  }

  delete(id: string): Promise<Result<void, StorageProblem>> {
    return this.#attempt(id, async (folder) => {
      await this.#open.get(id)?.close();
      if ((await findHolder(join(folder, LOCK_FILE))) !== undefined) return err(describeLocked(folder));
      // Rename first, so that an interrupted deletion leaves no half conversation in the list.
      const doomed = join(this.#folder, `.deleted-${id}-${this.#now()}`);
      await rename(folder, doomed);
      await rm(doomed, { recursive: true, force: true });
      return ok(undefined);
    });
  }

  /**
   * Deletes what exceeds the limits, oldest first, and returns the ids. Never deletes a conversation that a window writes,
   * or that this window shows.
   */
  async prune(
    limits: StorageLimits,
    isShown: (id: string) => boolean = () => false,
  ): Promise<Result<readonly string[], StorageProblem>> {
    const listed = await this.list();
    if (!listed.ok) return listed;
    // Finish interrupted deletions.
    for (const name of (await readdir(this.#folder).catch(() => [])).filter((one) => one.startsWith('.deleted-')))
      await rm(join(this.#folder, name), { recursive: true, force: true });
    const deleted: string[] = [];
    const longestMs = (limits.days ?? Number.POSITIVE_INFINITY) * 24 * 60 * 60 * 1000;
    let bytes = listed.value.reduce((sum, conversation) => sum + conversation.bytes, 0);
    for (const { id, updatedAt, bytes: own } of [...listed.value].reverse()) {
      const tooOld = this.#now() - updatedAt > longestMs;
      const tooMuch = limits.bytes !== undefined && bytes > limits.bytes;
      if (!(tooOld || tooMuch) || this.#open.has(id) || isShown(id)) continue;
      const result = await this.delete(id);
      if (!result.ok && result.error.kind === 'locked') continue;
      if (!result.ok) return result;
      deleted.push(id);
      bytes -= own;
    }
    return ok(deleted);
  }

  #hold(id: string, loaded: Awaited<ReturnType<typeof loadConversation>>, lock: Hold): ConversationFile {
    const onClosed = (): void => {
      if (this.#open.get(id) === file) this.#open.delete(id);
    };
    const file = new ConversationFile({ id, folder: this.#path(id), loaded, lock, now: this.#now, onClosed });
    if (file.access.kind === 'write') this.#open.set(id, file);
    return file;
  }

  #path(id: string): string {
    return join(this.#folder, id);
  }

  async #attempt<Value>(
    id: string,
    work: (folder: string) => Promise<Result<Value, StorageProblem>>,
  ): Promise<Result<Value, StorageProblem>> {
    if (!ID.test(id)) {
      const message = sentence('{0} is not a conversation id.', JSON.stringify(id));
      return err({ kind: 'other', path: this.#folder, message });
    }
    try {
      return await work(this.#path(id));
    } catch (error) {
      return err(describeStorageError(error, this.#path(id)));
    }
  }
}

function describeLocked(path: string): StorageProblem {
  const message = sentence('This conversation is open in another window. Close it there first.');
  return { kind: 'locked', path, message };
}

/** The title of a conversation whose summary cannot be read. */
const UNTITLED = 'Untitled conversation';

/** Lists the conversations below a folder, newest first; transcripts are not read. No folder means no conversations. */
export async function listConversations(folder: string): Promise<ConversationListing[]> {
  const listings: ConversationListing[] = [];
  for (const entry of (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? []) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    // A folder may be deleted at this moment.
    const listing = await unlessMissing(describeFolder(join(folder, entry.name), entry.name));
    if (listing !== undefined) listings.push(listing);
  }
  return listings.sort((a, b) => b.updatedAt - a.updatedAt);
}

/** Rejects for a folder without a transcript. */
async function describeFolder(folder: string, id: string): Promise<ConversationListing> {
  const raw = await stat(join(folder, RAW_FILE));
  let bytes = 0;
  // Another window may replace its temporary files at any moment.
  for (const name of await readdir(folder)) bytes += (await unlessMissing(lstat(join(folder, name))))?.size ?? 0;
  const { title, createdAt, updatedAt, state } = await readSummary(join(folder, SUMMARY_FILE));
  const figures = parseFigures(Object(state).figures);
  return {
    id,
    title: typeof title === 'string' && title !== '' ? title : UNTITLED,
    createdAt: typeof createdAt === 'number' ? createdAt : raw.birthtimeMs,
    updatedAt: Math.max(raw.mtimeMs, typeof updatedAt === 'number' ? updatedAt : 0),
    bytes,
    ...(figures !== undefined && { figures }),
  };
}

/** The fields of a summary. None if it is damaged: the list must open all the same, and opening reports the damage. */
async function readSummary(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return Object(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    // Whatever the file system says about this one, the other conversations are still there.
    if (error instanceof SyntaxError || errorCode(error) !== undefined) return {};
    throw error;
  }
}
