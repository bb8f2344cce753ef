import { rulesIn } from '../../ledger/extract/constraints.ts';
import { humanReplyIn } from '../../ledger/read/humanReply.ts';
import { readBlock } from '../../ledger/read/reading.ts';
import { sentences } from '../../ledger/read/sentences.ts';
import type { Block } from '../../messages/blocks.ts';
import { isReversal } from './reversals.ts';
import { plain, share, tellingWords } from './words.ts';

/** A sentence of the human, as a statement about it is compared with it. */
export interface Said {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  /** Whether it says what must or must not be, and takes nothing back. */
  readonly isRule: boolean;
}

/**
 * Of a statement's words this share is the human's sentence; a rule is also meant where all of its own words are there.
 * (Of 711 true statements of six summaries, none that is no rule itself has half of its words in one rule of the user.)
 */
const SAME_SHARE = 0.5;
/** Fewer words are no sentence: "No code." Words. */
const LEAST_WORDS = 2;

/** The sentences of a message of the human, or of what the human said inside a tool's result. */
export function saidIn(block: Block): Said[] {
  const { human, uses } = readBlock(block, undefined);
  const texts = [human, ...uses.map(humanReplyIn)];
  return texts.flatMap((text = '') => {
    const rules = new Set(rulesIn(text));
    return sentences(text).map((sentence) => ({
      text: plain(sentence),
      words: tellingWords(sentence),
      isRule: rules.has(sentence) && !isReversal(sentence),
    }));
  });
}

/**
 * Whether a statement is made of the words of a rule that the human set, and is no rule itself: "asking before a table is
 * deleted is not needed", in whatever language. A quotation is none, and neither is what a later sentence says better.
 */
export function isTwisted(text: string, said: readonly Said[]): boolean {
  const words = tellingWords(text);
  const near = said.filter(
    (sentence) =>
      share(words, sentence.words) >= SAME_SHARE ||
      (sentence.isRule && sentence.words.size >= LEAST_WORDS && share(sentence.words, words) === 1),
  );
  const [first] = near;
  if (first === undefined || !near.every(({ isRule }) => isRule) || rulesIn(text).length > 0) return false;
  const flat = plain(text);
  const most = share(words, first.words);
  return near.every((sentence) => !flat.includes(sentence.text) && share(words, sentence.words) <= most);
}
