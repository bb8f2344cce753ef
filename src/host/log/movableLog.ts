import type { LogPort } from './eventSinks.ts';

/** The daily log in the folder of the setting: a new folder takes the lines from then on. */
export class MovableLog implements LogPort {
  readonly #create: (directory: string) => LogPort;
  #directory: string;
  #log: LogPort;

  constructor(create: (directory: string) => LogPort, directory: string) {
    this.#create = create;
    this.#directory = directory;
    this.#log = create(directory);
  }

  /** Lines written from now on go to another folder. */
  move(directory: string): void {
    if (directory === this.#directory) return;
    this.#directory = directory;
    this.#log = this.#create(directory);
  }

  write(line: string): void {
    this.#log.write(line);
  }

  path(): string {
    return this.#log.path();
  }

  async flush(): Promise<void> {
    await this.#log.flush();
  }
}
