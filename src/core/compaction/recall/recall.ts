import { type NamedRange, parseHandles } from '../../messages/handle.ts';
import type { MessageRange } from '../../messages/message.ts';
import type { Transcript } from '../../messages/transcript.ts';
import type { Steps } from '../../steps.ts';
import { openHandles } from './openHandles.ts';
import { PassageIndex } from './passageIndex.ts';
import { blockOf, type RecallAnswer } from './recalled.ts';
import { quotedPhrases, searchWords } from './searchWords.ts';

/** No answer is longer, with what a label or two takes: characters, some 2,500 tokens. */
const ANSWER_ROOM = 8_000;

/** The characters of a request that are read: more handles or words than any model writes. */
const LONGEST_QUERY = 20_000;

/** Words are looked for within this many handles. */
const MOST_RANGES = 20;

/** A request to look into the raw messages. */
export interface RecallRequest {
  /** Handles (`t41`, `t12, t40-58`), lines of one (`t13:100-165`), words about one (`t8 "words"`), or words. */
  readonly query: string;
  /** The most characters of the answer; 8,000 at most, and by default. What is cut off is named with the call for it. */
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
  *answer({ query: asked, ...request }: RecallRequest): Steps<RecallAnswer> {
    const room = Math.min(request.room ?? ANSWER_ROOM, ANSWER_ROOM);
    const query = asked.slice(0, LONGEST_QUERY);
    const ranges = parseHandles(query);
    const about = ranges.length === 0 ? [] : quotedPhrases(query.replace(/\[[^[\]]*\]/g, ' '));
    if (ranges.length > 0 && about.length === 0) return yield* openHandles(this.#transcript, ranges, room);
    const isAnywhere = ranges.length === 0;
    return yield* searchWords({
      transcript: this.#transcript,
      index: this.index,
      room,
      query: isAnywhere ? query : about.map((phrase) => `"${phrase}"`).join(' '),
      within: isAnywhere ? undefined : ranges.slice(0, MOST_RANGES).map((range) => this.#whole(range)),
    });
  }

  /** A call stands for its results too. */
  #whole({ from, to }: NamedRange): MessageRange {
    const block = blockOf(this.#transcript, from);
    return { from, to: block?.kind === 'tools' && block.range.from === from ? Math.max(to, block.range.to) : to };
  }
}
