import { parseHandles } from '../../messages/handle.ts';
import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import { type LineRange, openHandles } from './openHandles.ts';
import { PassageIndex } from './passageIndex.ts';
import type { RecallAnswer } from './recalled.ts';
import { searchWords } from './searchWords.ts';

/** The most that a search for words returns, handles and labels included: characters, some 2,500 tokens. */
const WORDS_ROOM = 8_000;

/** The most that the outlines of ranges take together. Characters. */
const RANGES_ROOM = 16_000;

/** A request to look into the raw messages. */
export interface RecallRequest {
  /** Handles (`t41`, `t12, t40-58`) or words. */
  readonly query: string;
  /** Only these lines of a handle's content. */
  readonly lines?: LineRange;
  /** Less room than usual for excerpts and outlines, in characters. A single handle always gives the whole message. */
  readonly room?: number;
}

/**
 * Opens handles and finds words in a transcript. Handles go by position only: one that a tool printed opens the message
 * at that position and nothing else.
 */
export class Recall {
  readonly #transcript: Transcript;
  /** The full-text index of the raw messages; up to date after `update`. */
  readonly index: PassageIndex;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
    this.index = new PassageIndex(transcript.messages);
  }

  /** Answers a request; when nothing is found, a notice says so. Several may run at once. */
  *answer({ query, lines, room = Number.POSITIVE_INFINITY }: RecallRequest): Steps<RecallAnswer> {
    const ranges = parseHandles(query);
    if (ranges.length > 0) {
      const opening = { room: Math.min(room, RANGES_ROOM), ...(lines !== undefined && { lines }) };
      return yield* openHandles(this.#transcript, ranges, opening);
    }
    const search = { transcript: this.#transcript, index: this.index, query, room: Math.min(room, WORDS_ROOM) };
    return yield* searchWords(search);
  }
}
