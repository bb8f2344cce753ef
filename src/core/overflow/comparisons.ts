import { findSum } from './sums.ts';

/** Figures in a written comparison, and the text without them. */
export interface Comparison {
  readonly actual?: number;
  readonly limit?: number;
  readonly input?: number;
  readonly output?: number;
  /** The text calls `actual` over the limit although it is below: both stand as stated. */
  readonly isBelow?: true;
  /** The input is only known to be at least this. */
  readonly lowerBound?: true;
  readonly rest: string;
}

/** vLLM: `4096 > 32768 - 29000`: output, limit, input. */
const CAP_OVER_REST = /(\d{1,9}) ?>=? ?(\d{1,9}) ?- ?(\d{1,9})/;
/** `204308 tokens > 200000 maximum`, `n_keep (9028) >= n_ctx (4096)`: actual, limit. */
const OVER =
  /(?:^|[^\d.<])(\d{2,9})\)?(?: (?:input |prompt )?tokens?)?,? ?>=? ?[a-z_ ]{0,24}[(=:]? ?(\d{2,9})(?![\d.]|[kmg]b)/;
/** `140000/128000 tokens`, `used 210000 of 200000 tokens`: actual, limit. */
const OUT_OF =
  /(?:^|[^\d.])(\d{2,9}) ?(?:tokens? )?(?:used |in use )?(?:\/|of|out of|vs\.?|versus|against)(?: an?| the)? ?(\d{2,9})(?=[ -]?tokens?\b| ?[-–—]|[)\]}.,;\n]|$)/;
/** `need 35000, have 32768`. */
const NEED_HAVE =
  /\bneed(?:s|ed)? (\d{2,9})(?: tokens)?(?: of context)?,? (?:but |and )?(?:only )?(?:ha(?:s|ve|d)|got) (?:only )?(\d{2,9})(?! ?[kmg]i?b)(?=\W|$)/;
/** Google's: `cannot truncate to 70000, required 91000`: limit, actual. */
const TRUNCATE_TO = /\bcannot truncate to (\d{2,9}), required (\d{2,9})(?![\d.])/;
/** `182000 input tokens exceeds the maximum context length 202000`: a size by name, over a limit by name. */
const CALLED_OVER =
  /\b(?:(?:input|prompt|context|sequence|request)(?: tokens?)?(?: length| size| count)?|tokens?|length)(?: of| is)? ?[(:=]? ?(\d{2,9})\)?(?: (?:input |prompt )?tokens?)? (?:exceeds?|is (?:greater|larger|longer|more) than) (?:the )?(?:models? )?(?:maximum|max|context|limit)[a-z_ ]{0,40}[(:=]? ?(\d{3,9})(?![\d.]|[kmg]b)/;
/** `4096 < 9028`, `9000 <= 8192` after `must be`: limit and actual turned round. */
const UNDER = /(?:^|[^\d.])(\d{2,9})(?: tokens?)? ?< ?(\d{2,9})(?![\d.])/;

/** Reads the first written comparison of a normalised text. */
export function readComparisons(text: string): Comparison {
  const added = findSum(text);
  if (added !== undefined) {
    const { isOfTokens: _named, ...sum } = added.sum ?? { isOfTokens: false };
    return { ...sum, rest: `${text.slice(0, added.from)} ; ${text.slice(added.to)}` };
  }
  const capped = CAP_OVER_REST.exec(text);
  if (capped !== null) {
    const [output, limit, input] = figures(capped);
    if (input !== undefined && output !== undefined && limit !== undefined) {
      return {
        actual: input + output,
        limit,
        input,
        output,
        ...(/at least \d/.test(text) ? { lowerBound: true as const } : {}),
        rest: without(text, capped).replace(/\d{1,9} (?:input |prompt )?tokens/g, ' '),
      };
    }
  }
  return readSimple(text);
}

function readSimple(text: string): Comparison {
  for (const over of [OVER.exec(text), OUT_OF.exec(text), NEED_HAVE.exec(text)]) {
    const [actual, limit] = over === null ? [] : figures(over);
    if (over !== null && actual !== undefined && limit !== undefined && actual >= limit) {
      return { actual, limit, rest: without(text, over) };
    }
  }
  const called = CALLED_OVER.exec(text);
  const [size, most] = called === null ? [] : figures(called);
  if (
    called !== null &&
    size !== undefined &&
    most !== undefined &&
    size < most &&
    /token|length|context/.test(called[0])
  ) {
    return { actual: size, limit: most, isBelow: true, rest: without(text, called) };
  }
  const under = TRUNCATE_TO.exec(text) ?? UNDER.exec(text);
  if (under !== null) {
    const [limit, actual] = figures(under);
    if (
      actual !== undefined &&
      limit !== undefined &&
      actual > limit &&
      /context|token|prompt|input|truncate/.test(text)
    ) {
      return { actual, limit, rest: without(text, under) };
    }
  }
  return { rest: text };
}

function figures(match: RegExpExecArray): readonly (number | undefined)[] {
  return match.slice(1, 4).map((figure) => (figure === undefined ? undefined : Number(figure)));
}

function without(text: string, match: RegExpExecArray): string {
  return `${text.slice(0, match.index)} ; ${text.slice(match.index + match[0].length)}`;
}
