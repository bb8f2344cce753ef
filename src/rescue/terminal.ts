/** Control characters, and those that turn the direction of a text, but not the end of a line. */
const STEERING = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** Prints text that may come from a session, which anybody may have written: no character of it steers the terminal. */
export function say(text: string): void {
  console.log(text.replace(STEERING, (character) => (character === '\n' ? character : ' ')));
}

/** Work that takes no longer than this is not spoken of, milliseconds. */
const SHORT_MS = 500;

/** The shortest time between two changes of the line, milliseconds. */
const STEP_MS = 100;

/** Removes the line that the cursor is on. */
const ERASED = '\r\u001B[K';

/** Where progress is shown, as `process.stderr` is. */
interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** One line on a terminal that says how far long work has come, and is gone at its end. Files and pipes get nothing. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  #next: number;
  #isShown = false;

  constructor(terminal: Terminal = process.stderr, now = () => performance.now()) {
    this.#terminal = terminal;
    this.#now = now;
    this.#next = now() + SHORT_MS;
  }

  /** `text` is Karl's own, never a session's. */
  show(text: string): void {
    const now = this.#now();
    if (this.#terminal.isTTY !== true || now < this.#next) return;
    this.#next = now + STEP_MS;
    this.#isShown = true;
    this.#terminal.write(`${ERASED}${text}`);
  }

  /** How much of a file was read, bytes. */
  readonly onRead = (read: number, all: number): void =>
    this.show(`Reading: ${Math.round((100 * read) / all)} % of ${Math.round(all / 1_000_000)} MB`);

  end(): void {
    if (this.#isShown) this.#terminal.write(ERASED);
    this.#isShown = false;
  }
}
