import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../../core/chat/parseJson.ts';
import type { StoredState } from '../../core/conversation/conversationOptions.ts';
import { parseCalibration } from '../../core/model/calibration.ts';
import type { Words } from '../../core/phrase.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { ConversationDetails, StorageLimits } from '../../core/session/conversationStore.ts';
import {
  parseThreadRecord,
  type ThreadRecord,
  type ThreadStore,
  type ThreadStoreProblem,
  type ThreadUpdate,
} from '../../core/session/threads/threadStore.ts';
import { giveWay } from '../../core/steps.ts';
import { sentence } from '../../language/language.ts';
import type { ConversationFile } from './conversationFile.ts';
import { ConversationFiles, type ConversationFilesOptions } from './conversationFiles.ts';
import { replaceFile } from './durableWrite.ts';
import { SLICES } from './slices.ts';
import { describeStorageError, unlessMissing } from './storageError.ts';

/** The options for keeping threads in files. */
export interface ThreadFilesOptions extends Omit<ConversationFilesOptions, 'folder'> {
  /** Called with a sentence for damage found while reading; the rest was read. */
  readonly onProblem: (message: Words) => void;
}

/** The folder of the threads, beside that of the conversations. */
export const THREADS = 'threads';

/** Stored beside the conversation's own files; says which requests continue the thread. */
const RECORD_FILE = 'thread.json';

/** Threads as conversations below `<root>/threads`, in the format of `ConversationFiles`. No method rejects. */
export class ThreadFiles implements ThreadStore {
  readonly #options: ThreadFilesOptions;
  readonly #files: ConversationFiles;
  /** Those that are open. */
  readonly #held = new Map<string, ConversationFile>();

  constructor(options: ThreadFilesOptions) {
    this.#options = options;
    this.#files = new ConversationFiles({ root: options.root, folder: THREADS, now: options.now });
  }

  async list(): Promise<Result<readonly ThreadRecord[], ThreadStoreProblem>> {
    const folder = join(this.#options.root, THREADS);
    try {
      const names = ((await unlessMissing(readdir(folder))) ?? []).filter((name) => !name.startsWith('.'));
      const read = await Promise.all(names.map((name) => this.#read(name)));
      return ok(read.filter((record) => record !== undefined));
    } catch (error) {
      return err(describeStorageError(error, folder));
    }
  }

  /** A thread whose record cannot be read is never found again; its next request begins another thread. */
  async #read(id: string): Promise<ThreadRecord | undefined> {
    const path = this.#recordPath(id);
    try {
      const text = await unlessMissing(readFile(path, 'utf8'));
      if (text === undefined) return undefined;
      const record = parseThreadRecord(parseJson(text));
      if (record?.id === id) return record;
      this.#options.onProblem(sentence('{0} is damaged: its conversation will not be continued.', path));
    } catch (error) {
      this.#options.onProblem(describeStorageError(error, path).message);
    }
    return undefined;
  }

  async load(id: string): Promise<Result<StoredState, ThreadStoreProblem>> {
    await this.close(id);
    const opened = await this.#open(id);
    if (!opened.ok) return opened;
    const { transcript, problems, details } = opened.value.stored;
    for (const { message } of problems) this.#options.onProblem(message);
    const { compactions, pins, undone, learnedWindow, state } = details;
    const calibration = parseCalibration(state?.calibration);
    return ok({ version: 1, transcript, compactions, pins, undone, learnedWindow, calibration });
  }

  async save(update: ThreadUpdate): Promise<Result<void, ThreadStoreProblem>> {
    const { record, from, appended, beside } = update;
    const found = await this.#open(record.id, from === 0 ? record.title : undefined);
    if (!found.ok) return found;
    const file = found.value;
    // Messages that could not be written are still queued: do not queue them twice.
    const fresh = appended.slice(Math.max(0, file.length - from));
    // One by one: a program's first request may bring a long history.
    for (const message of fresh) {
      const queued = file.queue([message]);
      if (!queued.ok) return queued;
      await giveWay(SLICES);
    }
    const written = await file.flush();
    return written.ok && beside !== undefined ? await this.#saveBeside(file, record, beside) : written;
  }

  /** Deletes threads beyond the limits, oldest first, and returns their ids; never one in use. */
  prune(limits: StorageLimits): Promise<Result<readonly string[], ThreadStoreProblem>> {
    return this.#files.prune(limits);
  }

  /** Deletes a thread, after closing it if it is open here. */
  async delete(id: string): Promise<Result<void, ThreadStoreProblem>> {
    await this.close(id);
    return await this.#files.delete(id);
  }

  /** Opens a thread, or makes one with this title. */
  async #open(id: string, title?: string): Promise<Result<ConversationFile, ThreadStoreProblem>> {
    const held = this.#held.get(id);
    if (held !== undefined) return ok(held);
    const opened = await (title === undefined ? this.#files.open(id) : this.#files.create({ id, title }));
    if (!opened.ok) return opened;
    const { access } = opened.value;
    if (access.kind === 'write') {
      this.#held.set(id, opened.value);
      return opened;
    }
    await opened.value.close();
    const message =
      access.kind === 'unwritable'
        ? access.problem.message
        : sentence('Thread {0} is in use in {1}.', id, access.holder);
    return err({ message });
  }

  async #saveBeside(
    file: ConversationFile,
    record: ThreadRecord,
    { state, view }: NonNullable<ThreadUpdate['beside']>,
  ): Promise<Result<void, ThreadStoreProblem>> {
    const { version: _, calibration, ...kept } = state;
    const details: ConversationDetails = {
      ...kept,
      profile: record.profile,
      ...(calibration !== undefined && { state: { calibration } }),
    };
    const saved = await file.save(details, view);
    if (!saved.ok) return saved;
    const path = this.#recordPath(record.id);
    try {
      await replaceFile(path, `${JSON.stringify(record)}\n`);
      return ok(undefined);
    } catch (error) {
      return err(describeStorageError(error, path));
    }
  }

  async close(id: string): Promise<void> {
    const held = this.#held.get(id);
    this.#held.delete(id);
    await held?.close();
  }

  #recordPath(id: string): string {
    return join(this.#options.root, THREADS, id, RECORD_FILE);
  }
}
