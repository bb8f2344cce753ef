import { dirname, join } from 'node:path';
import type { Words } from '../../core/phrase.ts';
import { reasonOf } from '../../core/result.ts';
import { sentence } from '../../language/language.ts';
import { makeFolder, openToAppend, withFile } from './durableWrite.ts';

/** The options of a daily log. */
export interface DailyLogOptions {
  /** The folder in which a line is written now; created when it is missing. */
  readonly directory: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called when the log cannot be written, and again only after a successful write. Must not throw. */
  readonly onWarning: (message: Words) => void;
}

/** The name of the log for a day: the local date of `at`. */
export function dailyLogName(at: number): string {
  // Swedish dates are those of ISO 8601.
  return `karl_${new Date(at).toLocaleDateString('sv')}.log`;
}

/**
 * Appends lines to `karl_YYYY-MM-DD.log`. Each line opens its file and is one O_APPEND write, so midnight, a clock that
 * goes back, a removed folder and several windows with one file need no special care. A log that cannot be written leads to
 * one warning and never fails the caller's work.
 */
export class DailyLog {
  readonly #options: DailyLogOptions;
  /** The last write of each file. Files do not wait for each other: a folder may be on a share that no longer answers. */
  readonly #written = new Map<string, Promise<void>>();
  #failing = false;

  constructor(options: DailyLogOptions) {
    this.#options = options;
  }

  /** The path of the current log file. */
  path(): string {
    return join(this.#options.directory(), dailyLogName(this.#options.now()));
  }

  /** Queues one line (without a line end). Returns at once and never throws. */
  write(line: string): void {
    const path = this.path();
    const before = this.#written.get(path) ?? Promise.resolve();
    this.#written.set(
      path,
      before.then(() => this.#append(path, `${line}\n`)),
    );
  }

  /** Resolves when every line for the current folder is written or given up. */
  async flush(): Promise<void> {
    const folder = this.#options.directory();
    await Promise.all([...this.#written].map(([path, written]) => dirname(path) === folder && written));
  }

  /** Resolves when every line is written or given up. */
  async flushAll(): Promise<void> {
    await Promise.all(this.#written.values());
  }

  /** Drops what cannot be written: the output channel has it, and a full disk must not fill the memory. */
  async #append(path: string, text: string): Promise<void> {
    try {
      await makeFolder(dirname(path));
      await withFile(await openToAppend(path), (file) => file.appendFile(text));
      this.#failing = false;
    } catch (error) {
      if (this.#failing) return;
      this.#failing = true;
      this.#options.onWarning(
        sentence('The daily log {0} cannot be written: {1}. Compression goes on without it.', path, reasonOf(error)),
      );
    }
  }
}
