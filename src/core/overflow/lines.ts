/** Where a terminal, a log or a box around a message broke it. */
const BREAK = / ?[│┃|]? ?\n ?[│┃|]? ?/g;
/** Joined before anything looks for what stands beside them, which in long runs of blanks takes cubic time. */
const BLANKS = /[^\S\n]+/g;
/** Breaks that end a sentence: an empty line, a frame of a stack trace. */
const END = /\n{2,}|\n(?=at [^\n]{1,120}:\d{1,6}|file "|traceback \()/g;

/**
 * Joins the lines of a text in lower case. A break within a sentence means nothing, and only an empty line or a stack
 * frame is sure to end one; sentences that end as usual are told apart by their full stops.
 */
export function joinLines(text: string): string {
  return text
    .replace(BLANKS, ' ')
    .replace(BREAK, '\n')
    .split(END)
    .map((sentence) => sentence.replace(/\s+/g, ' '))
    .join('\n');
}

/** The words on which every rule turns. */
const KEY_WORDS: ReadonlySet<string> = new Set(
  'tokens token context length window maximum prompt input output messages message requested request model limit exceed exceeds exceeded exceeding completion conversation however resulted allowed greater larger longer reduce contains'.split(
    ' ',
  ),
);
/** A word that a wrap without a hyphen left in two. */
const TWO_PARTS = /(?<![a-z_])([a-z]{1,10})-? (?=([a-z]{1,10})(?![a-z_]))/g;
/** Words that were joined by mistake: `exceedsthe`, `is2614tokens`. */
const GLUED =
  /(?<=\b(?:exceeds?|exceeded|exceeding|than|tokens|length|limit))(?=(?:the|this|your|its|our|model|models|maximum|max|context|allowed|limit|is|of)\b)|(?<=[a-z])(?=\d{2,9} ?tokens?\b)|(?<=\d)(?=tokens?\b)|(?<=\b(?:is|of|was))(?=\d{2,9}\b)/g;

/** Joins the parts of key words and parts those that were joined, in text whose quotes are removed. */
export function joinWords(text: string): string {
  return text
    .replace(TWO_PARTS, (both, first: string, second: string) =>
      KEY_WORDS.has(first + second) && !KEY_WORDS.has(first) && !KEY_WORDS.has(second) ? first : both,
    )
    .replace(GLUED, ' ');
}
