import { createHash, randomBytes } from 'node:crypto';
import { type Fields, isFields } from '../openai/mergeFields.ts';

/** How much of an image stays in memory, characters: its size is in its head (`core/tokens/images.ts`). */
const IMAGE_HEAD = 70_000;

/** How much of a text stays in memory, characters. */
const TEXT_HEAD = 200;

/**
 * Long strings of a session that stay in its file: images, and where only figures are asked for, texts too. In memory,
 * its head with a mark stands for each, so that a session of any size can be worked with.
 */
export class StandIns {
  readonly #id = randomBytes(6).toString('hex');
  readonly #mark = new RegExp(`~${this.#id}-([\\w-]+)~`, 'g');
  /** The tokens beyond the heads of texts, by their marks. */
  readonly #tokens = new Map<string, number>();
  readonly #count: ((text: string) => number) | undefined;

  /** `count`: texts are left in the file, too, and their tokens are counted before that. */
  constructor(count?: (text: string) => number) {
    this.#count = count;
  }

  /** A copy of a part of a record with stand-ins. `isHuman`: its texts stay whole, as they tell who wrote what. */
  take(value: Fields, isHuman: boolean): Fields {
    const count = isHuman ? undefined : this.#count;
    return mapStrings(value, (text, owner) => {
      if (isImage(text, owner)) return text.length > IMAGE_HEAD ? this.#standIn(text, IMAGE_HEAD) : text;
      if (count === undefined || text.length <= TEXT_HEAD) return text;
      this.#tokens.set(hashOf(text), count(text) - count(text.slice(0, TEXT_HEAD)));
      return this.#standIn(text, TEXT_HEAD);
    }) as Fields;
  }

  /** The tokens of a text as it is in the file. */
  count(text: string, count: (text: string) => number): number {
    let left = 0;
    const heads = text.replace(this.#mark, (_, hash: string) => {
      left += this.#tokens.get(hash) ?? 0;
      return '';
    });
    return left + count(heads);
  }

  /**
   * A text with the images that stand-ins in it stand for, from the records of the session.
   * @throws Error with a sentence when the session does not have them any more
   */
  async restore(text: string, records: AsyncIterable<Fields>): Promise<string> {
    const wanted = new Set([...text.matchAll(this.#mark)].map(([, hash]) => hash));
    const rests = new Map<string, string>();
    if (wanted.size > 0)
      for await (const record of records)
        mapStrings(record, (one, owner) => {
          const hash = one.length > IMAGE_HEAD && isImage(one, owner) ? hashOf(one) : '';
          if (wanted.has(hash)) rests.set(hash, one.slice(IMAGE_HEAD));
          return one;
        });
    if (rests.size < wanted.size) throw new Error('The session has lost images while it was read: try again.');
    return text.replace(this.#mark, (_, hash: string) => rests.get(hash) ?? '');
  }

  /** A string of its own: a slice would keep the whole text in memory. */
  #standIn(text: string, head: number): string {
    return Buffer.from(`${text.slice(0, head)}~${this.#id}-${hashOf(text)}~`).toString();
  }
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('base64url');
}

/** Images are data URLs, or base64 beside their type. */
function isImage(text: string, { media_type, mimeType }: Fields): boolean {
  return text.startsWith('data:image/') || typeof (media_type ?? mimeType) === 'string';
}

function mapStrings(value: unknown, map: (text: string, owner: Fields) => string, owner: Fields = {}): unknown {
  if (typeof value === 'string') return map(value, owner);
  if (Array.isArray(value)) return value.map((inner: unknown) => mapStrings(inner, map, owner));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapStrings(inner, map, value)]));
}
