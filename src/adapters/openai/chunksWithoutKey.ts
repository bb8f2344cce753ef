import { DEEPEST_FIELD } from '../../core/messages/weigh.ts';
import type { AnswerChunk } from '../../core/session/modelClient.ts';
import { withoutLogprobs } from '../../core/session/withoutLogprobs.ts';
import { isFields, WHOLE_AT_TOP } from './mergeFields.ts';
import { beginsAt, secretPatterns } from './withoutKey.ts';

/**
 * Takes the key out of the chunks of an answer, even where a server that repeats it spreads it over several deltas.
 * Every chunk is passed on at once. Only the end of a text that may be the beginning of the key is held back until the
 * next text at the same place, or until the end of its call, its choice or the stream, however that ends.
 */
export function chunksWithoutKey(
  chunks: AsyncIterable<AnswerChunk>,
  key: string | undefined,
): AsyncIterable<AnswerChunk> {
  return key === undefined || secretPatterns(key).length === 0 ? chunks : masked(chunks, key);
}

async function* masked(chunks: AsyncIterable<AnswerChunk>, key: string): AsyncGenerator<AnswerChunk> {
  const mask = new Mask(key);
  try {
    for await (const chunk of chunks) yield* mask.take(chunk);
  } finally {
    yield* mask.end();
  }
}

/** The same for an answer that is a single chunk. */
export function chunkWithoutKey(chunk: AnswerChunk, key: string | undefined): AnswerChunk {
  const patterns = secretPatterns(key);
  return changeTexts(chunk, (text) => hide(text, patterns));
}

/** What the deltas have said at one place. */
interface Said {
  /** The end of the text that was passed on. */
  sent: string;
  /** The text that is held back. */
  held: string;
  /** The texts of the chunk from which it is held back, and its index among them. */
  texts: string[];
  at: number;
  /** Makes a chunk with only this text at this place. */
  alone: (text: string) => AnswerChunk;
}

class Mask {
  readonly #key: string;
  readonly #patterns: readonly RegExp[];
  readonly #said = new Map<string, Said>();
  /** The places where something is held back. */
  readonly #open = new Set<string>();
  /**
   * The choices from which something was taken out: log probabilities that spell it out may come with any later chunk.
   */
  readonly #masked = new Set<string>();
  /** The last id of a list's entry, by its place. */
  readonly #ids = new Map<string, string>();
  /** The texts of the current chunk as they are passed on, and the chunks that are passed on before it. */
  #texts: string[] = [];
  #before: AnswerChunk[] = [];

  constructor(key: string) {
    this.#key = key;
    this.#patterns = secretPatterns(key);
  }

  /** Takes the next chunk; returns the chunks to pass on. */
  take(chunk: AnswerChunk): readonly AnswerChunk[] {
    const texts: string[] = [];
    this.#texts = texts;
    this.#before = [];
    const finished: string[] = [];
    eachText(chunk, (text, path) => {
      const part = path[0]?.name === 'choices' ? path[2]?.name : undefined;
      const place = part === 'delta' ? this.#placeOf(path) : undefined;
      const isWhole = place === undefined || WHOLE_AT_TOP.has(path.at(-1)?.name ?? '');
      const now = isWhole ? hide(text, this.#patterns) : this.#grow(place, text, chunk, path);
      if (isWhole && now !== text) this.#masked.add(this.#placeOf(path.slice(0, 2)));
      texts.push(now);
      if (part === 'finish_reason' && text !== '') finished.push(this.#placeOf(path.slice(0, 2)));
      return text;
    });
    for (const place of finished) this.#release(place);
    let next = 0;
    const change = (text: string) => {
      next += 1;
      return texts[next - 1] ?? text;
    };
    return [...this.#before, changeTexts(chunk, change, (path) => this.#isHidden(this.#placeOf(path)))];
  }

  /** What is still held back after the last chunk. */
  end(): readonly AnswerChunk[] {
    this.#texts = [];
    this.#before = [];
    this.#release('');
    return this.#before;
  }

  /** Takes a text that continues the earlier ones at its place; returns the part to pass on. */
  #grow(place: string, text: string, chunk: AnswerChunk, path: Path): string {
    const { sent, held } = this.#said.get(place) ?? { sent: '', held: '' };
    // Three asterisks replace the key from where it begins. What was passed on already stays.
    const all = hide(sent + held + text, this.#patterns, sent.length);
    if (all !== sent + held + text) this.#masked.add(this.#placeOf(path.slice(0, 2)));
    const from = Math.max(sent.length, beginsAt(all, this.#key));
    const said: Said = {
      sent: all.slice(0, from).slice(-LONGEST_TAIL),
      held: all.slice(from),
      texts: this.#texts,
      at: this.#texts.length,
      alone: (rest) => eachText(alone(chunk, path, rest), (one) => hide(one, this.#patterns)),
    };
    this.#said.set(place, said);
    this.#open.delete(place);
    if (said.held !== '') this.#open.add(place);
    return all.slice(sent.length, from);
  }

  /** Passes on what is held back at the places below this one. */
  #release(above: string): void {
    for (const place of this.#open) {
      const said = this.#said.get(place);
      if (said === undefined || !place.startsWith(above)) continue;
      this.#open.delete(place);
      if (said.texts === this.#texts) said.texts[said.at] += said.held;
      else this.#before.push(said.alone(said.held));
      said.sent = '';
      said.held = '';
    }
  }

  /** Whether something was taken out of a place or is held back there. */
  #isHidden(place: string): boolean {
    return this.#masked.has(place) || [...this.#open].some((open) => open.startsWith(place));
  }

  /**
   * A list's entries are told apart by their `index`. An entry with another id than the one before it there is a new
   * one.
   */
  #placeOf(path: Path): string {
    let place = '';
    for (const { inside, name } of path) {
      const entry = Array.isArray(inside) ? inside[Number(name)] : undefined;
      place += `${isFields(entry) && typeof entry.index === 'number' ? entry.index : name}.`;
      if (!isFields(entry) || typeof entry.id !== 'string' || entry.id === '') continue;
      if (this.#ids.has(place) && this.#ids.get(place) !== entry.id) this.#release(place);
      this.#ids.set(place, entry.id);
    }
    return place;
  }
}

/**
 * The number of characters remembered of a text that was passed on: enough for the first few characters of a key, too
 * few to hold back, with gaps between them.
 */
const LONGEST_TAIL = 200;

/** Replaces a key with three asterisks; if it begins within the first `known` characters, only what is after these. */
function hide(text: string, patterns: readonly RegExp[], known = 0): string {
  return patterns.reduce(
    (shown, pattern) => shown.replace(pattern, (match, at: number) => `${match.slice(0, Math.max(0, known - at))}***`),
    text,
  );
}

/** A chunk like another, but with only one text of its deltas. */
function alone(chunk: AnswerChunk, path: Path, text: string): AnswerChunk {
  const named = Object.entries(chunk).filter(([, value]) => typeof value !== 'object');
  const said = path.reduceRight<unknown>((inner, { inside, name }, depth) => {
    if (!Array.isArray(inside)) return { ...(depth === 2 && { finish_reason: null }), [name]: inner };
    const entry: unknown = inside[Number(name)];
    if (!isFields(entry) || !isFields(inner)) return [inner];
    const kept = ['type', 'index' in entry ? 'index' : 'id'].filter((field) => field in entry);
    return [Object.assign(Object.fromEntries(kept.map((field) => [field, entry[field]])), inner)];
  }, text);
  return { ...Object.fromEntries(named), ...(isFields(said) && said) };
}

/** One step down to a text: the object or list that contains it, and its name there. */
interface Step {
  readonly inside: object;
  readonly name: string;
}

type Path = readonly Step[];

type ChangeText = (text: string, path: Path) => string;

/**
 * A chunk with each text replaced by what `change` returns; a choice that has a changed text, or from which something
 * is hidden, loses its `logprobs`.
 */
function changeTexts(chunk: AnswerChunk, change: ChangeText, isHidden = (_: Path) => false): AnswerChunk {
  const changed = new Set<unknown>();
  const shown = eachText(chunk, (text, path) => {
    const now = change(text, path);
    if (now !== text && path[0]?.name === 'choices') changed.add(path[1]?.name);
    return now;
  });
  const { choices } = chunk;
  if (!Array.isArray(choices) || !Array.isArray(shown.choices)) return shown;
  const spelled = shown.choices.map((choice, index) => {
    const name = String(index);
    const path = [
      { inside: chunk, name: 'choices' },
      { inside: choices, name },
    ];
    return isFields(choice) && (changed.has(name) || isHidden(path)) ? withoutLogprobs(choice) : choice;
  });
  return spelled.every((choice, index) => choice === choices[index]) ? shown : { ...shown, choices: spelled };
}

/** A copy with each text replaced by what `change` returns; the same object if none is changed. */
function eachText<Value>(value: Value, change: ChangeText, path?: Path): Value;
function eachText(value: unknown, change: ChangeText, path: Path = []): unknown {
  if (typeof value === 'string') return change(value, path);
  if (typeof value !== 'object' || value === null || path.length > DEEPEST_FIELD) return value;
  let copy: Record<string, unknown> | undefined;
  const look = (item: unknown, name: string): void => {
    const after = eachText(item, change, [...path, { inside: value, name }]);
    if (after === item) return;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[name] = after;
  };
  if (!Array.isArray(value)) for (const [name, item] of Object.entries(value)) look(item, name);
  // Nothing is created for numbers: there may be a million.
  else for (const [index, item] of value.entries()) if (mayHoldText(item)) look(item, String(index));
  return copy ?? value;
}

function mayHoldText(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}
