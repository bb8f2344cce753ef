import type { ImageRule, TextCounter, TokenCount } from '../../core/tokens/counter.ts';
import { MessageCounter } from '../../core/tokens/messageTokens.ts';
import { type EditorMessage, toChatMessages } from './editorMessage.ts';

/** Characters of all texts whose counts are kept: VS Code asks for the whole prompt, piece by piece, before each request. */
const KEPT_CHARACTERS = 8_000_000;

/** A least-recently-used cache of the counts of a counter. Estimates are not kept. */
export class KeptCounts implements TextCounter {
  readonly #counter: TextCounter;
  readonly #most: number;
  readonly #kept = new Map<string, TokenCount>();
  #characters = 0;

  /** `most`: characters of all texts whose counts are kept. */
  constructor(counter: TextCounter, most: number = KEPT_CHARACTERS) {
    this.#counter = counter;
    this.#most = most;
  }

  get encoding() {
    return this.#counter.encoding;
  }

  count(text: string): TokenCount {
    const kept = this.#kept.get(text);
    if (kept !== undefined) {
      // Move it to the end: the order of the map is the order of use.
      this.#kept.delete(text);
      this.#kept.set(text, kept);
      return kept;
    }
    const count = this.#counter.count(text);
    if (count.source === 'counted') this.#keep(text, count);
    return count;
  }

  #keep(text: string, count: TokenCount): void {
    this.#kept.set(text, count);
    this.#characters += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= this.#most) return;
      this.#kept.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}

/** Tokens of a text, or of a message with its marks. */
export function countEditorText(counter: TextCounter, text: string | EditorMessage, images?: ImageRule): number {
  if (typeof text === 'string') return counter.count(text).tokens;
  const messages = new MessageCounter(counter, images);
  return toChatMessages([text]).reduce((sum, message) => sum + messages.countMessage(message).tokens, 0);
}
