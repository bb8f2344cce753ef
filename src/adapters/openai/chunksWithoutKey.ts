import { DEEPEST_FIELD } from '../../core/messages/weigh.ts';
import type { AnswerChunk } from '../../core/session/modelClient.ts';
import { beginsForm, secretPatterns } from './withoutKey.ts';

/** One text of a chunk that is held back. */
interface Piece {
  readonly chunk: number;
  text: string;
}

/** What the chunks have said at one place: what went out last, and what is held back. */
interface Said {
  sent: string;
  held: Piece[];
}

/**
 * Takes the key out of the chunks of an answer, also where a server that repeats it spreads it over several. All other
 * chunks pass as they came. One whose text ends like the beginning of the key waits for the chunk after it.
 */
export async function* chunksWithoutKey(
  chunks: AsyncIterable<AnswerChunk>,
  key: string | undefined,
): AsyncIterable<AnswerChunk> {
  const mask = new Mask(key);
  for await (const chunk of chunks) yield* mask.take(chunk);
  yield* mask.end();
}

/** The same for an answer that is one chunk. */
export function chunkWithoutKey(chunk: AnswerChunk, key: string | undefined): AnswerChunk {
  const mask = new Mask(key);
  return [...mask.take(chunk), ...mask.end()][0] ?? chunk;
}

class Mask {
  readonly #key: string;
  readonly #patterns: readonly RegExp[];
  readonly #said = new Map<string, Said>();
  #held: AnswerChunk[] = [];

  /** `key`: undefined for a server without one. */
  constructor(key: string | undefined) {
    this.#key = key ?? '';
    this.#patterns = secretPatterns(key);
  }

  /** Takes the next chunk; answers those that may go on. */
  take(chunk: AnswerChunk): readonly AnswerChunk[] {
    if (this.#patterns.length === 0) return [chunk];
    const index = this.#held.push(chunk) - 1;
    let isOpen = false;
    eachText(chunk, '', (path, text) => {
      const said = this.#said.get(path) ?? { sent: '', held: [] };
      this.#said.set(path, said);
      said.held.push({ chunk: index, text });
      this.#hide(said);
      if (beginsForm(textOf(said), this.#key)) isOpen = true;
      return text;
    });
    return isOpen ? [] : this.end();
  }

  /** The chunks that still wait, after the last one. */
  end(): readonly AnswerChunk[] {
    const held = this.#held;
    this.#held = [];
    const texts = held.map(() => new Map<string, string>());
    for (const [path, said] of this.#said) {
      for (const { chunk, text } of said.held) texts[chunk]?.set(path, text);
      said.sent = textOf(said).slice(-LONGEST_TAIL);
      said.held = [];
    }
    return held.map((chunk, index) => eachText(chunk, '', (path, text) => texts[index]?.get(path) ?? text));
  }

  /** Puts three stars where the key begins, and nothing in the place of the rest of it. What went out stays. */
  #hide(said: Said): void {
    for (const pattern of this.#patterns) {
      for (const match of [...textOf(said).matchAll(pattern)].reverse()) {
        let [from, to] = [match.index - said.sent.length, match.index - said.sent.length + match[0].length];
        if (to <= 0) continue;
        let stars = '***';
        for (const piece of said.held) {
          const { length } = piece.text;
          if (from < length && to > 0) {
            piece.text = piece.text.slice(0, Math.max(0, from)) + stars + piece.text.slice(Math.max(0, to));
            stars = '';
          }
          from -= length;
          to -= length;
        }
      }
    }
  }
}

/** What is remembered of a text that went out, characters: a key, drawn apart. */
const LONGEST_TAIL = 2_000;

function textOf({ sent, held }: Said): string {
  return sent + held.map(({ text }) => text).join('');
}

type ChangeText = (path: string, text: string) => string;

/** A copy with every text as `change` answers it; the same object where none is changed. Items of a list go by their `index`. */
function eachText<Value>(value: Value, path: string, change: ChangeText, depth?: number): Value;
function eachText(value: unknown, path: string, change: ChangeText, depth = 0): unknown {
  if (typeof value === 'string') return change(path, value);
  if (typeof value !== 'object' || value === null || depth > DEEPEST_FIELD) return value;
  const entries = Object.entries(value).map(([name, item]) => {
    const place = Array.isArray(value) && typeof item?.index === 'number' ? item.index : name;
    return [name, item, eachText(item, `${path}.${place}`, change, depth + 1)] as const;
  });
  if (entries.every(([, before, after]) => before === after)) return value;
  return Array.isArray(value)
    ? entries.map(([, , after]) => after)
    : Object.fromEntries(entries.map(([name, , after]) => [name, after]));
}
