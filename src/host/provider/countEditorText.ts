import type { Steps } from '../../core/steps.ts';
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
    return this.#find(text) ?? this.#keep(text, this.#counter.count(text));
  }

  *countInSteps(text: string): Steps<TokenCount> {
    const known = this.#find(text);
    if (known !== undefined) return known;
    const by = this.#counter.exact?.() ?? this.#counter;
    return this.#keep(text, by.countInSteps === undefined ? by.count(text) : yield* by.countInSteps(text));
  }

  #find(text: string): TokenCount | undefined {
    const kept = this.#kept.get(text);
    if (kept === undefined) return undefined;
    // Move it to the end: the order of the map is the order of use.
    this.#kept.delete(text);
    this.#kept.set(text, kept);
    return kept;
  }

  #keep(text: string, count: TokenCount): TokenCount {
    if (count.source !== 'counted' || this.#kept.has(text)) return count;
    this.#kept.set(text, count);
    this.#characters += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= this.#most) break;
      this.#kept.delete(oldest);
      this.#characters -= oldest.length;
    }
    return count;
  }
}

/** Tokens of a text, or of a message with its marks: exact where the counter can be. */
export function* countEditorText(counter: KeptCounts, text: string | EditorMessage, images?: ImageRule): Steps<number> {
  if (typeof text === 'string') return (yield* counter.countInSteps(text)).tokens;
  const messages = new MessageCounter(counter, images);
  let tokens = 0;
  for (const message of toChatMessages([text])) {
    yield* messages.countAhead(message);
    tokens += messages.countMessage(message).tokens;
  }
  return tokens;
}
