import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatMessage } from '../../core/chat/wire.ts';
import type { Words } from '../../core/phrase.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type {
  ConversationAccess,
  ConversationDetails,
  StorageProblem,
  StoredConversation,
} from '../../core/session/conversationStore.ts';
import { queueWork, runInSlices } from '../../core/steps.ts';
import { sentence } from '../../language/language.ts';
import { ForeignWriteError, type Lock } from './conversationLock.ts';
import { encodeInSteps, formatJson, openToAppend, replaceFile, withFile } from './durableWrite.ts';
import { type LoadedConversation, RAW_FILE, REPLY_FILE, SUMMARY_FILE, VIEW_FILE } from './loadConversation.ts';
import { formatRecord, type RawRecord } from './rawTranscript.ts';
import { SLICES } from './slices.ts';
import { describeStorageError, errorCode, unlessMissing } from './storageError.ts';

/** Who may write: this window, another one, or nobody because the disk is not writable. */
export type Hold = Lock | { readonly holder: Words } | { readonly problem: StorageProblem };

/** The parts of an open conversation; without a lock it is read-only. */
export interface ConversationFileOptions {
  readonly id: string;
  readonly folder: string;
  readonly loaded: LoadedConversation;
  readonly lock: Hold;
  readonly now: () => number;
  readonly onClosed: () => void;
}

/**
 * The open folder of one conversation. Operations run in the order of their calls. No promise rejects: failures are
 * values. Everything acknowledged stays in memory, so that a removed or shortened transcript can be written again.
 *
 * This process may be suspended between any two steps while another takes over and replaces the transcript with a copy.
 * Therefore the file is opened before the lock is checked: a late write ends up in the abandoned file, or is noticed
 * when lock and size are checked again before it is acknowledged.
 */
export class ConversationFile {
  readonly id: string;
  readonly access: ConversationAccess;
  /** As read when it was opened. */
  readonly stored: StoredConversation;
  readonly #options: ConversationFileOptions;
  readonly #lock: Lock | undefined;
  /** What is on the disk, and the bytes of the transcript that hold it. */
  readonly #records: RawRecord[];
  #length: number;
  /** What is not written yet, oldest first; a failed write leaves it here. */
  #pending: { readonly record: RawRecord; readonly line: string }[] = [];
  /** A failed append may have left some of its bytes after the acknowledged ones. */
  #isDirty = false;
  readonly #listeners = new Set<(problem: StorageProblem) => void>();
  #title: string;
  #details: ConversationDetails;
  readonly #inTurn = queueWork();
  /** Set when writing has ended for good: the conversation was closed, or another window took over. */
  #ended: StorageProblem | undefined;

  constructor(options: ConversationFileOptions) {
    const { id, loaded, lock } = options;
    this.id = id;
    this.stored = loaded.stored;
    this.#options = options;
    this.#title = loaded.stored.title;
    this.#details = loaded.stored.details;
    this.#lock = 'state' in lock ? lock : undefined;
    this.access = accessOf(lock);
    this.#records = loaded.records;
    this.#length = loaded.length;
  }

  get #raw(): string {
    return join(this.#options.folder, RAW_FILE);
  }

  /** The number of messages, also those that are not written yet. */
  get length(): number {
    return this.#records.length + this.#pending.length;
  }

  /** Serialises messages and queues them for the transcript: all of them, or none and the reason. */
  queue(messages: readonly ChatMessage[]): Result<void, StorageProblem> {
    const obstacle = this.#obstacle(this.#raw);
    if (obstacle !== undefined) return err(obstacle);
    const first = this.length;
    const at = this.#options.now();
    try {
      // Format now: a message that is not JSON must fail the call that passed it, not every later one.
      const made = messages.map((message, index) => {
        const record: RawRecord = { id: first + index, at, message };
        return { record, line: formatRecord(record) };
      });
      for (const one of made) this.#pending.push(one);
      return ok(undefined);
    } catch (error) {
      return err(describeStorageError(error, this.#raw));
    }
  }

  /** Writes the queue; resolves when it is on disk. What cannot be written stays queued, in order. */
  flush(): Promise<Result<void, StorageProblem>> {
    return this.#write(RAW_FILE, () => this.#flush());
  }

  /** `queue` and `flush`. */
  async append(messages: readonly ChatMessage[]): Promise<Result<void, StorageProblem>> {
    const queued = this.queue(messages);
    return queued.ok ? this.flush() : queued;
  }

  /** Replaces the details and the view, each as a whole or not at all. */
  save(details: ConversationDetails, view: readonly ChatMessage[]): Promise<Result<void, StorageProblem>> {
    return this.#write(SUMMARY_FILE, async () => {
      this.#details = details;
      await this.#saveSummary();
      await this.#replace(VIEW_FILE, { v: 1, id: this.id, updatedAt: this.#options.now(), messages: view });
    });
  }

  /** Changes the title in the last saved summary. */
  rename(title: string): Promise<Result<void, StorageProblem>> {
    return this.#write(SUMMARY_FILE, () => {
      this.#title = title;
      return this.#saveSummary();
    });
  }

  /**
   * Stores the part of a reply that has arrived so far, replacing the last stored part. Undefined: deletes it, after the
   * queue is on the disk.
   */
  keepReply(reply: object | undefined): Promise<Result<void, StorageProblem>> {
    return this.#write(REPLY_FILE, async () => {
      if (reply !== undefined) return await this.#replace(REPLY_FILE, reply);
      // Flush the transcript before deleting the kept reply, so that a full disk loses neither.
      await this.#flush();
      await rm(join(this.#options.folder, REPLY_FILE), { force: true });
    });
  }

  /**
   * Adds a listener for problems: another window has taken over (once, and ends writing), or files had to be rewritten.
   * Returns a function that removes it.
   */
  onProblem(listener: (problem: StorageProblem) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Writes the queue, including earlier failures, and then lets other windows write. */
  async close(): Promise<void> {
    const { folder, onClosed } = this.#options;
    // Queued messages may be writable by now. If not, their own `append` has already reported it.
    await this.flush();
    await this.#inTurn(async () => {
      this.#ended ??= { kind: 'closed', path: folder, message: sentence('The conversation is closed.') };
      onClosed();
      await this.#lock?.release();
    }).catch((error: unknown) => this.#tell(describeStorageError(error, folder)));
    this.#listeners.clear();
  }

  /** Queues one write. Checks that this window may still write, and returns the file system's error as a value. */
  #write(file: string, write: () => Promise<void>): Promise<Result<void, StorageProblem>> {
    const path = join(this.#options.folder, file);
    return this.#inTurn(async () => {
      const obstacle = this.#obstacle(path);
      if (obstacle !== undefined) return err(obstacle);
      try {
        if (!(await this.#mayWrite())) return err(this.#endByTakeOver(path));
        await write();
        return ok(undefined);
      } catch (error) {
        return err(error instanceof ForeignWriteError ? this.#endByTakeOver(path) : describeStorageError(error, path));
      }
    });
  }

  /** Why this window may not write; `undefined` when it may. */
  #obstacle(path: string): StorageProblem | undefined {
    if (this.#ended !== undefined) return this.#ended;
    switch (this.access.kind) {
      case 'write':
        return undefined;
      case 'unwritable':
        return this.access.problem;
      case 'read-only': {
        const { holder } = this.access;
        const message = sentence('The conversation is open for writing in {0}. Take over to write here.', holder);
        return { kind: 'locked', path, message };
      }
    }
  }

  /** A missing lock means that another window took over and closed, unless the whole folder is gone: rewrite that. */
  async #mayWrite(): Promise<boolean> {
    const state = await this.#lock?.state();
    if (state !== 'gone') return state !== 'lost';
    return (await unlessMissing(stat(this.#raw))) === undefined;
  }

  async #checkLock(): Promise<void> {
    if (!(await this.#mayWrite())) throw new ForeignWriteError(`${this.#options.folder} was taken over`);
  }

  #endByTakeOver(path: string): StorageProblem {
    const message = sentence(
      'Another window has taken over this conversation. Messages that this window has not written yet exist only here.',
    );
    this.#ended = { kind: 'lock-lost', path, message };
    this.#tell(this.#ended);
    return this.#ended;
  }

  /** Writes and fsyncs what is queued. Throws the file system's error, and then everything stays queued in order. */
  async #flush(): Promise<void> {
    if (this.#pending.length === 0 && !this.#isDirty) return;
    const batch = [...this.#pending];
    const text = await runInSlices(
      encodeInSteps(batch, ({ line }) => line),
      SLICES,
    );
    const isAppended = await this.#append(text);
    if (!isAppended) await this.#rewrite(text);
    this.#pending = this.#pending.slice(batch.length);
    for (const { record } of batch) this.#records.push(record);
    if (isAppended) return;
    await this.#saveSummary();
    this.#tell({
      kind: 'missing',
      path: this.#options.folder,
      message: sentence(
        'The files of this conversation were removed or cut short. Karl has rewritten them with every message.',
      ),
    });
  }

  /** False when the file is gone, or shorter than what was acknowledged. */
  async #append(text: Buffer): Promise<boolean> {
    try {
      // Without O_CREAT, so that a missing file is noticed.
      const isWritten = await withFile(await openToAppend(this.#raw, 0), async (file) => {
        await this.#checkLock();
        // What a failed append of this window left; another's lines are never cut off.
        if (this.#isDirty && (await file.stat()).size > this.#length) await file.truncate(this.#length);
        this.#isDirty = false;
        if (!this.#hasLength((await file.stat()).size, this.#length)) return false;
        this.#isDirty = true;
        for (let done = 0; done < text.length; ) {
          const { bytesWritten } = await file.write(text, done, text.length - done);
          done += bytesWritten;
        }
        await file.sync();
        return true;
      });
      if (!isWritten) return false;
      await this.#checkLock();
      const length = this.#length + text.length;
      if (!this.#hasLength((await stat(this.#raw)).size, length)) return false;
      this.#length = length;
      this.#isDirty = false;
      return true;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      return false;
    }
  }

  #hasLength(size: number, expected: number): boolean {
    if (size > expected) throw new ForeignWriteError(`${this.#raw} has grown`);
    return size === expected;
  }

  /** Writes the transcript again, and its folder if that is gone too. */
  async #rewrite(text: Buffer): Promise<void> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    if ((await this.#lock?.restore()) === false) throw new ForeignWriteError(`${this.#options.folder} was taken over`);
    const whole = Buffer.concat([await runInSlices(encodeInSteps(this.#records, formatRecord), SLICES), text]);
    await replaceFile(this.#raw, whole, () => this.#checkLock());
    this.#length = whole.length;
    this.#isDirty = false;
  }

  async #saveSummary(): Promise<void> {
    const { createdAt } = this.stored;
    const counts = { createdAt, updatedAt: this.#options.now(), messages: this.#records.length };
    await this.#replace(SUMMARY_FILE, { v: 1, title: this.#title, ...counts, ...this.#details });
  }

  /** Checks the lock again just before the rename: another window may have taken over and saved in between. */
  async #replace(name: string, content: object): Promise<void> {
    const text = await runInSlices(formatJson(content), SLICES);
    await replaceFile(join(this.#options.folder, name), text, () => this.#checkLock());
  }

  #tell(problem: StorageProblem): void {
    for (const listener of [...this.#listeners]) listener(problem);
  }
}

function accessOf(hold: Hold): ConversationAccess {
  if ('holder' in hold) return { kind: 'read-only', holder: hold.holder };
  return 'problem' in hold ? { kind: 'unwritable', problem: hold.problem } : { kind: 'write' };
}
