import type { TextPart } from './workerMessages.ts';

/** UTF-16 units sent at once: at most 1 MB. Posting copies, and copying 10 MB at once would block for 25 ms. */
export const UNITS_PER_POST = 512 * 1024;

/** Texts on their way to the worker, handed out in parts of bounded size. */
export class TextQueue {
  readonly #waiting: { id: number; text: string; sent: number }[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(id: number, text: string): void {
    this.#waiting.push({ id, text, sent: 0 });
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  /**
   * Removes and returns the next parts, together at most UNITS_PER_POST. The worker joins parts wherever they are cut.
   */
  take(): TextPart[] {
    const parts: TextPart[] = [];
    let room = UNITS_PER_POST;
    for (let first = this.#waiting[0]; first !== undefined && room > 0; first = this.#waiting[0]) {
      const end = Math.min(first.text.length, first.sent + room);
      const last = end === first.text.length;
      parts.push({ id: first.id, text: first.text.slice(first.sent, end), last });
      room -= end - first.sent;
      first.sent = end;
      if (last) this.#waiting.shift();
    }
    return parts;
  }
}
