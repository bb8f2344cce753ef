import { createHash, randomBytes } from 'node:crypto';
import { sentence } from '../../language/language.ts';
import type { Fields } from '../fields.ts';
import { SessionError } from './session.ts';

/** How much of an image or document stays in memory, characters: enough for its size (`core/tokens/images.ts`). */
const MEDIA_HEAD = 70_000;

/** How much of a text stays in memory, characters. */
const TEXT_HEAD = 200;

/**
 * Leaves long strings of a session in its file: images and documents, and texts too if only figures are needed. In
 * memory, each is represented by its beginning and a mark.
 */
export class StandIns {
  readonly #id = randomBytes(6).toString('hex');
  /** Has the hash of the string, and the tokens beyond its head. */
  readonly #mark = new RegExp(`~${this.#id}-([\\w-]+)\\.(\\d+)~`, 'g');
  readonly #count: ((text: string) => number) | undefined;

  /** `count`: texts are left in the file too, after their tokens were counted. */
  constructor(count?: (text: string) => number) {
    this.#count = count;
  }

  /** A copy of a part of a record with stand-ins. `isHuman`: its texts stay whole, since they show who wrote what. */
  take(value: Fields, isHuman: boolean): Fields {
    const count = isHuman ? undefined : this.#count;
    return mapStrings(value, (text, owner, isInput) => {
      if (text.length <= TEXT_HEAD) return text;
      if (isMedia(text, owner)) return text.length > MEDIA_HEAD ? this.#standIn(text, MEDIA_HEAD, 0) : text;
      if (count === undefined) return text;
      const counted = (part: string) => count(isInput ? JSON.stringify(part) : part);
      return this.#standIn(text, TEXT_HEAD, counted(text) - counted(text.slice(0, TEXT_HEAD)));
    }) as Fields;
  }

  /** The tokens of a text as it is in the file. */
  count(text: string, count: (text: string) => number): number {
    let left = 0;
    const heads = text.replace(this.#mark, (_, _hash, tokens: string) => {
      left += Number(tokens);
      return '';
    });
    return left + count(heads);
  }

  /**
   * JSON or Markdown with stand-ins replaced by the images and documents in the records of the session, which is opened
   * only if there are any.
   * @throws Error with a sentence when the session does not have them any more
   */
  async restore(text: string, open: () => Promise<AsyncIterable<Fields>>): Promise<string> {
    const wanted = new Set([...text.matchAll(this.#mark)].map(([, hash]) => hash));
    const rests = new Map<string, string>();
    if (wanted.size > 0)
      for await (const record of await open())
        mapStrings(record, (one, owner) => {
          const hash = one.length > MEDIA_HEAD && isMedia(one, owner) ? hashOf(one) : '';
          if (wanted.has(hash)) rests.set(hash, one.slice(MEDIA_HEAD));
          return one;
        });
    if (rests.size < wanted.size)
      throw new SessionError(sentence('The session has lost images while it was read: try again.'));
    return text.replace(this.#mark, (_, hash: string) => rests.get(hash) ?? '');
  }

  /** A new string: a slice would keep the whole text in memory. */
  #standIn(text: string, head: number, tokens: number): string {
    return Buffer.from(`${text.slice(0, head)}~${this.#id}-${hashOf(text)}.${Math.max(0, tokens)}~`).toString();
  }
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('base64url');
}

/** Data URLs, or base64 beside its type: nothing in it is escaped in JSON. */
function isMedia(text: string, { media_type, mimeType }: Fields): boolean {
  const isTyped = typeof (media_type ?? mimeType) === 'string';
  return (isTyped || text.startsWith('data:')) && /^(?:data:[\w./+-]+;base64,)?[\w+/=]+$/.test(text);
}

/** No agent nests deeper. */
const DEEPEST = 100;

/** The input of a call is a JSON text in a message, and its strings are escaped there. */
const INPUTS = new Set(['input', 'arguments', 'args']);

/** A copy of a value with other strings. */
function mapStrings(
  value: unknown,
  map: (text: string, owner: Fields, isInput: boolean) => string,
  { owner = {}, isInput = false, depth = 0 }: { owner?: Fields; isInput?: boolean; depth?: number } = {},
): unknown {
  if (typeof value === 'string') return map(value, owner, isInput);
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return value;
  const within = { owner: value as Fields, isInput, depth: depth + 1 };
  if (Array.isArray(value)) return value.map((inner: unknown) => mapStrings(inner, map, within));
  const mapped = Object.entries(value).map(([name, inner]) => {
    const isObject = typeof inner === 'object';
    return [name, mapStrings(inner, map, { ...within, isInput: isInput || (isObject && INPUTS.has(name)) })];
  });
  return Object.fromEntries(mapped);
}
