import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { ChatMessage } from '../../core/messages/chat.ts';
import { runInSlices } from '../../core/steps.ts';
import { replaceFile } from './durableWrite.ts';
import { formatRecord, formatRecords, type RawRecord, type RawRecords } from './rawRecord.ts';
import { SLICES } from './slices.ts';
import { errorCode } from './storageError.ts';

/** How a batch reached the disk: behind the others, or with them all because the file was gone or cut. */
export type WriteOutcome = 'appended' | 'rewritten';

/** Where to write, and what the file holds. */
export interface TranscriptWriterOptions extends RawRecords {
  readonly path: string;
  /** Bytes that the records take in the file. */
  readonly length: number;
  /** Whether nobody has taken the lock away. */
  readonly mayWrite: () => Promise<boolean>;
}

/** Somebody else writes here: has taken the lock, or has changed the file although this window holds it. */
export class ForeignWriteError extends Error {
  override readonly name = 'ForeignWriteError';
}

/** Writing at the end, wherever it is by then; a file that is not there is not made. */
const APPEND = constants.O_WRONLY | constants.O_APPEND;

/**
 * Appends records to one raw transcript. Keeps references to everything acknowledged, so that a removed or shortened
 * file can be written again. The caller calls one method at a time.
 *
 * A process may be stopped between any two steps, and another take over meanwhile. Who takes over puts a copy in the
 * place of the file. So the file is opened first and the lock looked at then: a write that comes late ends in the file
 * that was left, or is found out before it is acknowledged, when lock and size are looked at again.
 */
export class TranscriptWriter {
  readonly #path: string;
  readonly #mayWrite: () => Promise<boolean>;
  /** What is on the disk. */
  readonly #messages: ChatMessage[];
  readonly #times: (number | undefined)[];
  /** Records that an earlier, failed append left behind; they go first. */
  #pending: { readonly record: RawRecord; readonly line: string }[] = [];
  /** The length up to which the file holds what was acknowledged, bytes. */
  #length: number;
  /** A failed append may have left a part of its lines behind the acknowledged ones. */
  #dirty = false;

  constructor(options: TranscriptWriterOptions) {
    this.#path = options.path;
    this.#mayWrite = options.mayWrite;
    this.#messages = options.messages.slice();
    this.#times = options.times.slice();
    this.#length = options.length;
  }

  /** Messages that are on the disk: the position after the last of them. */
  get acknowledged(): number {
    return this.#messages.length;
  }

  /** Keeps messages for the next `flush`: all of them, or none when one is no JSON (it throws then). */
  queueMessages(messages: readonly ChatMessage[], at: number): void {
    const first = this.#messages.length + this.#pending.length;
    const records = messages.map((message, index): RawRecord => ({ id: first + index, at, message }));
    // Formatted at once: what is no JSON must fail the call that brought it, not every later one. No spread: a request of
    // another agent may bring more messages than a call takes arguments.
    this.#pending = this.#pending.concat(records.map((record) => ({ record, line: formatRecord(record) })));
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
    const text = Buffer.from(batch.map(({ line }) => line).join(''));
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

  /** False when the file is shorter than what was acknowledged. Never creates the file: its absence is news. */
  async #append(text: Buffer): Promise<boolean> {
    if (this.#dirty) await this.#cutLeftover();
    const file = await open(this.#path, APPEND);
    try {
      await this.#checkLock();
      if (!this.#hasLength((await file.stat()).size, this.#length)) return false;
      this.#dirty = true;
      for (let done = 0; done < text.length; ) {
        const { bytesWritten } = await file.write(text, done, text.length - done);
        done += bytesWritten;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await this.#checkLock();
    const length = this.#length + text.length;
    if (!this.#hasLength((await stat(this.#path)).size, length)) return false;
    this.#length = length;
    this.#dirty = false;
    return true;
  }

  /** Cuts off what a failed append of our own left behind, never another writer's lines. */
  async #cutLeftover(): Promise<void> {
    const file = await open(this.#path, 'r+');
    try {
      await this.#checkLock();
      if ((await file.stat()).size > this.#length) await file.truncate(this.#length);
      this.#dirty = false;
    } finally {
      await file.close();
    }
  }

  #hasLength(size: number, expected: number): boolean {
    if (size > expected) throw new ForeignWriteError(`${this.#path} has grown`);
    return size === expected;
  }

  async #checkLock(): Promise<void> {
    if (!(await this.#mayWrite())) throw new ForeignWriteError(`${this.#path} was taken over`);
  }
}
