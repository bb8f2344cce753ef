import { stat } from 'node:fs/promises';
import type { ChatMessage } from '../../core/messages/chat.ts';
import { runInSlices } from '../../core/steps.ts';
import { encodeInSteps, openToAppend, replaceFile, withFile } from './durableWrite.ts';
import { formatRecord, formatRecords, type RawRecord, type RawRecords } from './rawTranscript.ts';
import { SLICES } from './slices.ts';
import { errorCode } from './storageError.ts';

/** How a batch reached the disk: appended, or by rewriting the whole file because it was gone or shortened. */
export type WriteOutcome = 'appended' | 'rewritten';

/** Where to write, and what the file contains; the writer extends these lists. */
export interface TranscriptWriterOptions extends RawRecords {
  readonly path: string;
  /** The bytes that the records take in the file. */
  readonly length: number;
  /** Resolves to false when somebody has taken the lock away. */
  readonly mayWrite: () => Promise<boolean>;
}

/** Somebody else writes here: they took the lock, or changed the file although this window holds it. */
export class ForeignWriteError extends Error {
  override readonly name = 'ForeignWriteError';
}

/**
 * Appends records to one raw transcript. Keeps references to everything acknowledged, so that it can rewrite a removed or
 * shortened file. The caller calls one method at a time.
 *
 * This process may be suspended between any two steps while another takes over and replaces the file with a copy.
 * Therefore the file is opened before the lock is checked: a late write ends up in the abandoned file, or is noticed
 * when lock and size are checked again before it is acknowledged.
 */
export class TranscriptWriter {
  readonly #path: string;
  readonly #mayWrite: () => Promise<boolean>;
  /** What is on the disk. */
  readonly #messages: ChatMessage[];
  readonly #times: number[];
  /** Records left by an earlier append that failed; they are written first. */
  #pending: { readonly record: RawRecord; readonly line: string }[] = [];
  /** The bytes of the file that hold acknowledged records. */
  #length: number;
  /** A failed append may have left some of its bytes after the acknowledged ones. */
  #dirty = false;

  constructor(options: TranscriptWriterOptions) {
    this.#path = options.path;
    this.#mayWrite = options.mayWrite;
    this.#messages = options.messages;
    this.#times = options.times;
    this.#length = options.length;
  }

  /** The number of messages on the disk, which is the position after the last of them. */
  get acknowledged(): number {
    return this.#messages.length;
  }

  /** Queues messages for the next `flush`: all of them, or none and it throws if one cannot be written as JSON. */
  queueMessages(messages: readonly ChatMessage[], at: number): void {
    const first = this.#messages.length + this.#pending.length;
    // Format now: a message that is not JSON must fail the call that passed it, not every later one.
    const made = messages.map((message, index) => {
      const record: RawRecord = { id: first + index, at, message };
      return { record, line: formatRecord(record) };
    });
    for (const one of made) this.#pending.push(one);
  }

  /** Writes and fsyncs what is queued. Throws the file system's error, and then everything stays queued in order. */
  async flush(recreateFolder: () => Promise<void>): Promise<WriteOutcome> {
    if (this.#pending.length === 0 && !this.#dirty) return 'appended';
    const batch = [...this.#pending];
    const outcome = await this.#write(batch, recreateFolder);
    this.#pending = this.#pending.slice(batch.length);
    for (const { record } of batch) {
      this.#messages.push(record.message);
      this.#times.push(record.at);
    }
    return outcome;
  }

  async #write(
    batch: readonly { readonly line: string }[],
    recreateFolder: () => Promise<void>,
  ): Promise<WriteOutcome> {
    const text = await runInSlices(encodeInSteps(batch.map(({ line }) => line)), SLICES);
    try {
      if (await this.#append(text)) return 'appended';
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      await recreateFolder();
    }
    const whole = Buffer.concat([
      await runInSlices(formatRecords({ messages: this.#messages, times: this.#times }), SLICES),
      text,
    ]);
    await replaceFile(this.#path, whole, () => this.#checkLock());
    this.#length = whole.length;
    this.#dirty = false;
    return 'rewritten';
  }

  /** False when the file is shorter than what was acknowledged. */
  async #append(text: Buffer): Promise<boolean> {
    if (this.#dirty) await this.#cutLeftover();
    // Without O_CREAT, so that a missing file is noticed.
    const isWritten = await withFile(await openToAppend(this.#path, 0), async (file) => {
      await this.#checkLock();
      if (!this.#hasLength((await file.stat()).size, this.#length)) return false;
      this.#dirty = true;
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
    if (!this.#hasLength((await stat(this.#path)).size, length)) return false;
    this.#length = length;
    this.#dirty = false;
    return true;
  }

  /** Cuts off what a failed append of this writer left, never another writer's lines. */
  async #cutLeftover(): Promise<void> {
    await withFile(await openToAppend(this.#path, 0), async (file) => {
      await this.#checkLock();
      if ((await file.stat()).size > this.#length) await file.truncate(this.#length);
      this.#dirty = false;
    });
  }

  #hasLength(size: number, expected: number): boolean {
    if (size > expected) throw new ForeignWriteError(`${this.#path} has grown`);
    return size === expected;
  }

  async #checkLock(): Promise<void> {
    if (!(await this.#mayWrite())) throw new ForeignWriteError(`${this.#path} was taken over`);
  }
}
