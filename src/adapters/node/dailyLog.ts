import { join } from 'node:path';
import { sentence, type Words } from '../../core/language.ts';
import { reasonOf } from '../../core/result.ts';
import { makeFolder, openToAppend, withFile } from './durableWrite.ts';

/** The options of a daily log. */
export interface DailyLogOptions {
  /** Created when it is missing. */
  readonly directory: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called when the log cannot be written, and again only after a successful write. Must not throw. */
  readonly onWarning: (message: Words) => void;
}

/** The name of the log for a day: the local date of `at`. */
export function dailyLogName(at: number): string {
  const date = new Date(at);
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `karl_${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}.log`;
}

/**
 * Appends lines to `karl_YYYY-MM-DD.log`. Each batch of lines chooses and opens its file and is one O_APPEND write, so
 * midnight, a clock that goes back, a removed folder and several windows with one file need no special care. A log that
 * cannot be written leads to one warning and never fails the caller's work.
 */
export class DailyLog {
  readonly #options: DailyLogOptions;
  #pending: { readonly line: string; readonly name: string }[] = [];
  #writing: Promise<void> | undefined;
  #failing = false;

  constructor(options: DailyLogOptions) {
    this.#options = options;
  }

  /** The path of the current log file. */
  path(): string {
    return join(this.#options.directory, dailyLogName(this.#options.now()));
  }

  /** Queues one line (without a line end). Returns at once and never throws. */
  write(line: string): void {
    this.#pending.push({ line, name: dailyLogName(this.#options.now()) });
    this.#writing ??= this.#drain();
  }

  /** Resolves when every line queued so far is written or given up. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #drain(): Promise<void> {
    // Lines queued in the same tick are written together.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const name = this.#pending[0]?.name ?? '';
      const batch = this.#pending.filter((entry) => entry.name === name);
      this.#pending = this.#pending.filter((entry) => entry.name !== name);
      await this.#append(name, batch.map(({ line }) => `${line}\n`).join(''));
    }
    this.#writing = undefined;
  }

  /** Drops what cannot be written: the output channel has it, and a full disk must not fill the memory. */
  async #append(name: string, text: string): Promise<void> {
    const path = join(this.#options.directory, name);
    try {
      await makeFolder(this.#options.directory);
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
