import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sentence, type Words } from '../../core/language.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type {
  ConversationAccess,
  ConversationDetails,
  OpenConversation,
  StorageProblem,
  StoredConversation,
} from '../../core/session/conversationStore.ts';
import { runInSlices } from '../../core/steps.ts';
import type { Lock } from './conversationLock.ts';
import { formatJson, replaceFile } from './durableWrite.ts';
import { type LoadedConversation, RAW_FILE, REPLY_FILE, SUMMARY_FILE, VIEW_FILE } from './loadConversation.ts';
import { SLICES } from './slices.ts';
import { describeStorageError, unlessMissing } from './storageError.ts';
import { ForeignWriteError, TranscriptWriter } from './transcriptWriter.ts';

/** Who may write: this window, another one, or nobody because the disk cannot be written. */
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

/** One conversation's folder, open. See `OpenConversation`. */
export class ConversationFile implements OpenConversation {
  readonly id: string;
  readonly access: ConversationAccess;
  readonly stored: StoredConversation;
  readonly #options: ConversationFileOptions;
  readonly #lock: Lock | undefined;
  readonly #writer: TranscriptWriter;
  readonly #listeners = new Set<(problem: StorageProblem) => void>();
  #title: string;
  #details: ConversationDetails;
  #tail: Promise<unknown> = Promise.resolve();
  /** Set when writing has ended for good: the conversation was closed, or another window took over. */
  #ended: StorageProblem | undefined;

  constructor(options: ConversationFileOptions) {
    const { id, folder, loaded, lock } = options;
    this.id = id;
    this.stored = loaded.stored;
    this.#options = options;
    this.#title = loaded.stored.title;
    this.#details = loaded.stored.details;
    this.#lock = 'state' in lock ? lock : undefined;
    this.access = accessOf(lock);
    this.#writer = new TranscriptWriter({
      path: join(folder, RAW_FILE),
      messages: loaded.messages,
      times: loaded.times,
      length: loaded.length,
      mayWrite: () => this.#mayWrite(),
    });
  }

  queue(messages: readonly ChatMessage[]): Result<void, StorageProblem> {
    const path = join(this.#options.folder, RAW_FILE);
    const obstacle = this.#obstacle(path);
    if (obstacle !== undefined) return err(obstacle);
    try {
      this.#writer.queueMessages(messages, this.#options.now());
      return ok(undefined);
    } catch (error) {
      return err(describeStorageError(error, path));
    }
  }

  flush(): Promise<Result<void, StorageProblem>> {
    return this.#write(RAW_FILE, () => this.#flush());
  }

  async append(messages: readonly ChatMessage[]): Promise<Result<void, StorageProblem>> {
    const queued = this.queue(messages);
    return queued.ok ? this.flush() : queued;
  }

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

  keepReply(reply: object | undefined): Promise<Result<void, StorageProblem>> {
    return this.#write(REPLY_FILE, async () => {
      if (reply !== undefined) return await this.#replace(REPLY_FILE, reply);
      // Flush the transcript before deleting the kept reply, so that a full disk loses neither.
      await this.#flush();
      await rm(join(this.#options.folder, REPLY_FILE), { force: true });
    });
  }

  onProblem(listener: (problem: StorageProblem) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    const { folder, onClosed } = this.#options;
    // Queued messages may be writable by now; if not, their own `append` has already reported that.
    await this.flush();
    await this.#enqueue(async () => {
      this.#ended ??= { kind: 'closed', path: folder, message: sentence('The conversation is closed.') };
      onClosed();
      await this.#lock?.release();
    }).catch((error: unknown) => this.#tell(describeStorageError(error, folder)));
    this.#listeners.clear();
  }

  /** Queues one write. Checks that this window may still write, and returns the file system's error as a value. */
  #write(file: string, write: () => Promise<void>): Promise<Result<void, StorageProblem>> {
    const path = join(this.#options.folder, file);
    return this.#enqueue(async () => {
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
    return (await unlessMissing(stat(join(this.#options.folder, RAW_FILE)))) === undefined;
  }

  #endByTakeOver(path: string): StorageProblem {
    const message = sentence(
      'Another window has taken over this conversation. Messages that this window has not written yet stay only here.',
    );
    this.#ended = { kind: 'lock-lost', path, message };
    this.#tell(this.#ended);
    return this.#ended;
  }

  async #flush(): Promise<void> {
    const { folder } = this.#options;
    const outcome = await this.#writer.flush(async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if ((await this.#lock?.restore()) === false) throw new ForeignWriteError(`${folder} was taken over`);
    });
    if (outcome === 'appended') return;
    await this.#saveSummary();
    this.#tell({
      kind: 'missing',
      path: folder,
      message: sentence(
        'The files of this conversation were removed or cut short. Karl has rewritten them with every message.',
      ),
    });
  }

  async #saveSummary(): Promise<void> {
    const { createdAt } = this.stored;
    const counts = { createdAt, updatedAt: this.#options.now(), messages: this.#writer.acknowledged };
    await this.#replace(SUMMARY_FILE, { v: 1, title: this.#title, ...counts, ...this.#details });
  }

  /** Checks the lock again just before the rename: another window may have taken over and saved in between. */
  async #replace(name: string, content: object): Promise<void> {
    const path = join(this.#options.folder, name);
    await replaceFile(path, await runInSlices(formatJson(content), SLICES), async () => {
      if (!(await this.#mayWrite())) throw new ForeignWriteError(`${path} was taken over`);
    });
  }

  #enqueue<Value>(work: () => Promise<Value>): Promise<Value> {
    const run = this.#tail.then(work);
    this.#tail = run.catch(() => undefined);
    return run;
  }

  #tell(problem: StorageProblem): void {
    for (const listener of [...this.#listeners]) listener(problem);
  }
}

function accessOf(hold: Hold): ConversationAccess {
  if ('holder' in hold) return { kind: 'read-only', holder: hold.holder };
  return 'problem' in hold ? { kind: 'unwritable', problem: hold.problem } : { kind: 'write' };
}
