/** Words that mark a sentence. */
export interface Cues {
  /** True when the sentence holds one of them, in any case. */
  test(sentence: string): boolean;
}

/** Lower-case letters of the Latin and Cyrillic scripts; the full Unicode classes take far longer to compile. */
const LETTERS = 'a-z\\u00df-\\u024f\\u0430-\\u045f';

/**
 * Words that mark a sentence, by language, written in lower case and joined into one expression. Letters may not touch
 * a cue on either side (`must` is not in `mustard`); scripts without blanks are matched as they stand. The sentence is
 * lower-cased instead of the expression made case-blind: compiling that takes ten times as long.
 */
export function cues(spaced: readonly string[], unspaced: readonly string[] = []): Cues {
  const parts: string[] = [];
  if (spaced.length > 0) parts.push(`(?<![${LETTERS}0-9_])(?:${spaced.join('|')})(?![${LETTERS}0-9_])`);
  if (unspaced.length > 0) parts.push(`(?:${unspaced.join('|')})`);
  const source = parts.join('|').replaceAll('\\p{L}', `[${LETTERS}]`).replaceAll('\\p{N}', '[0-9]');
  const expression = new RegExp(source);
  // A sentence is asked about alone and with its neighbour: the last two answers are kept.
  let last: string | undefined;
  let answer = false;
  let before: string | undefined;
  let answerBefore = false;
  return {
    test(sentence) {
      if (sentence === last) return answer;
      if (sentence === before) return answerBefore;
      before = last;
      answerBefore = answer;
      last = sentence;
      answer = expression.test(lowerCase(sentence));
      return answer;
    },
  };
}

let lowered = { sentence: '', text: '' };

/** The same sentence is asked for many cues, one after the other. */
function lowerCase(sentence: string): string {
  if (sentence !== lowered.sentence) lowered = { sentence, text: sentence.toLowerCase() };
  return lowered.text;
}
