import type { LogPort } from './windowLog.ts';

/** The daily log in the folder that the setting names. After a change of the setting, lines go to the new folder. */
export class MovableLog implements LogPort {
  readonly #create: (directory: string) => LogPort;
  #directory: string;
  #log: LogPort;
  /** Resolves when the lines for earlier folders are written. */
  #earlier: Promise<unknown> = Promise.resolve();

  constructor(create: (directory: string) => LogPort, directory: string) {
    this.#create = create;
    this.#directory = directory;
    this.#log = create(directory);
  }

  /** Lines written from now on go to another folder. */
  move(directory: string): void {
    if (directory === this.#directory) return;
    this.#directory = directory;
    this.#earlier = Promise.all([this.#earlier, this.#log.flush()]);
    this.#log = this.#create(directory);
  }

  write(line: string): void {
    this.#log.write(line);
  }

  path(): string {
    return this.#log.path();
  }

  /** Waits only for the current folder: an earlier one may be on a share that no longer answers. */
  flush(): Promise<void> {
    return this.#log.flush();
  }

  /** Waits for all lines, including those for earlier folders. */
  async flushAll(): Promise<void> {
    await Promise.all([this.#earlier, this.flush()]);
  }
}

/**
 * The folder that a checked value of `karl.log.directory` names. `${workspaceFolder}` in a window without a folder
 * stands for `${storage}`: there is no workspace whose folder could be meant.
 */
export function resolveLogDirectory(
  setting: string,
  places: { readonly storage: string; readonly workspaceFolder: string | undefined; readonly home: string },
): string {
  return setting
    .replace(/^\$\{storage\}/, () => places.storage)
    .replace(/^\$\{workspaceFolder\}/, () => places.workspaceFolder ?? places.storage)
    .replace(/^~(?=[\\/]|$)/, () => places.home);
}
