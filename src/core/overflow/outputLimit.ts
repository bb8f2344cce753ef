import { groupOf } from '../messages/anyOf.ts';

/** A sentence that states an output limit. */
const ABOUT_OUTPUT =
  /max_?(?:\w{3,10}_?)?tokens|(?:output|completion|generated) tokens|max tokens|maximum (?:tokens|output)|num_predict/;
const MOST = groupOf(
  /at most|up to|no more than|(?<!requested (?:a )?)maximum of|only supports|(?:less|smaller|lower) than(?: or equal to)?/,
  /less or equal to|(?:not|cannot|exceeds?)(?: be)? (?:exceed|(?:greater|larger|more|higher) than)/,
  /exceeds? (?:the )?(?:\w+ ){0,4}?(?:limit|maximum)(?: value)?(?: of|:| is|=)?/,
);

/** Ways to state a maximum, with the figure in the first group; tried in order on normalised text, each linear. */
const STATED: readonly RegExp[] = [
  // What the model allows comes before what was asked for; `100000 > 64000, which is the maximum`; `a value <= 12288`.
  /(?:(?:output|completion) (?:tokens? )?limit (?:is|of|=|:)|\d{1,9} >|<=|≤) ?(\d{2,9})/,
  // `[1, 8192]`, `(0, 8192]`, `between 1 and 8192`, `from 1 (inclusive) to 8193 (exclusive)`.
  /(?:[[(]\d, ?|between \d and |from \d (?:\(inclusive\) )?to )(\d{2,9})/,
  new RegExp(String.raw`${MOST} (?:the )?(?:\w+ ){0,4}?[(:]? ?(\d{2,9})`),
  /(?<!requested (?:a )?)(?:maximum|max|limit|allowed)(?: value)?(?: output| completion)?(?: tokens)?(?: is|:| of|=) ?(\d{2,9})/,
];

/** The most output tokens that the texts of a refused output limit allow; undefined when they state none. */
export function readOutputLimit(texts: readonly string[]): number | undefined {
  for (const text of texts.filter((one) => ABOUT_OUTPUT.test(one))) {
    const match = STATED.map((pattern) => pattern.exec(text)).find((one) => one !== null);
    if (match?.[1] === undefined) continue;
    return Number(match[1]) - (text.startsWith(' (exclusive)', match.index + match[0].length) ? 1 : 0);
  }
  return undefined;
}
