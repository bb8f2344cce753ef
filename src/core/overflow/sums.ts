/** Operands that a text adds up and compares with a limit. */
export interface Sum {
  readonly actual: number;
  readonly limit: number;
  readonly input?: number;
  readonly output?: number;
  /** The operands are named: what goes in and what may come out. */
  readonly isOfTokens: boolean;
}

/** A sum with the place where it stands; no `sum` where its own figures contradict it. */
export interface SumFound {
  readonly sum?: Sum;
  readonly from: number;
  readonly to: number;
}

/** Figures of one text that are looked at, and operands of one sum. */
const FIGURE_LIMIT = 60;
const OPERAND_LIMIT = 4;
const FIGURE = /(?<![\w.])\d{1,9}(?![\w%]|\.\d|-[a-z])/g;

/** What may stand between two operands. */
const PLUS = /^[^.;<>=+\n]{0,60}(?:\+|\bplus\b)[^.;<>+\n]{0,60}$/;
/** The same where `the sum of` or a role on both sides says that they belong together. */
const AND = /^[^.;<>=+\n]{0,40}(?:,|\band\b)[^.;<>=+\n]{0,40}$/;
/** A plus that was lost on its way (an address decodes it to a blank), between bare operands. */
const LOST_PLUS = /^ ?(?:%2b)? ?$/;
const BEFORE_BARE = /(?:limit|exceeds?|exceeded|i\.e\.?,?)[: (]{1,3}$/;
const AFTER_BARE = /^ ?>=? ?$/;
/** Before the total, where the text states it. */
const EQUALS = /^[^.;<>=+\n]{0,40}\(?= ?$/;
/** Before the limit. */
const OVER =
  /^[^.;<>=+\n]{0,40}?(?:>=?|≥|\bexceed(?:s|ed|ing)?\b|\b(?:greater|larger|longer|more|higher|bigger) than\b|\b(?:over|above|beyond)\b|\bsurpass(?:es)?\b|\boverflows?\b|\b(?:must|should|needs? to|ha(?:s|ve) to|can ?not|can|may)(?: not)?(?: be)? (?:<=?|≤|less than|lower than|at most|no more than|exceed|(?:greater|larger|more) than))[^.;<>+\n\d]{0,60}$/;
const SUM_OF = /\bsum of [^.;<>+\n\d]{0,40}$/;
const OUTPUT_WORD = /output|completion|max_?\w{0,12}tokens|max[- ]sampled|max tokens|generat|response|sampled|输出/;
const OTHER_UNIT = /characters?|\bchars\b|bytes|\b[kmg]i?b\b|字符|字节/;
const INPUT_WORD = /prompt|input|messages|(?<!bad[ _]?)request|context|history/;

/** Finds the first sum of a normalised text that is compared with a limit: `A + B > C`, `A plus B exceeds C`, `A + B = T > C`. */
export function findSum(text: string): SumFound | undefined {
  const figures = [...text.matchAll(FIGURE)].slice(0, FIGURE_LIMIT);
  for (let first = 0; first < figures.length - 2; first += 1) {
    const found = readSum(text, figures.slice(first, first + OPERAND_LIMIT + 2));
    if (found !== undefined) return found;
  }
  return undefined;
}

function readSum(text: string, figures: readonly RegExpExecArray[]): SumFound | undefined {
  const gap = (position: number): string => {
    const [left, right] = [figures[position], figures[position + 1]];
    return left === undefined || right === undefined ? '' : text.slice(left.index + left[0].length, right.index);
  };
  const start = figures[0]?.index ?? 0;
  const before = text.slice(Math.max(0, start - 60), start);
  let count = 1;
  while (count < OPERAND_LIMIT && areAdded({ before, between: gap(count - 1), after: gap(count) })) count += 1;
  if (count < 2) return undefined;
  const isTotalled = EQUALS.test(gap(count - 1));
  const position = isTotalled ? count + 1 : count;
  const limit = figures[position];
  if (limit === undefined || !OVER.test(gap(position - 1))) return undefined;
  const values = figures.slice(0, count).map((figure) => Number(figure[0]));
  const actual = values.reduce((total, value) => total + value, 0);
  const isTrue = actual > Number(limit[0]) && (!isTotalled || Number(figures[count]?.[0]) === actual);
  const place = { from: start, to: isTrue ? limit.index + limit[0].length : limit.index };
  if (!isTrue) return place;
  const labels = [before, ...values.map((_value, operand) => gap(operand))];
  const words = labels.join(' ');
  if (OTHER_UNIT.test(words) || (OUTPUT_WORD.test(words) && !INPUT_WORD.test(words))) return undefined;
  const isOfTokens = INPUT_WORD.test(words) && OUTPUT_WORD.test(words);
  return { ...place, sum: { actual, limit: Number(limit[0]), isOfTokens, ...roles(values, labels) } };
}

function areAdded(at: { before: string; between: string; after: string }): boolean {
  if (at.between === '') return false;
  if (PLUS.test(at.between)) return true;
  if (LOST_PLUS.test(at.between)) return BEFORE_BARE.test(at.before) && AFTER_BARE.test(at.after);
  if (!AND.test(at.between)) return false;
  if (SUM_OF.test(at.before)) return true;
  const [first = '', second] = at.between.split(/\band\b/);
  const isInput = /(?:prompt|input)[^.;\d]{0,30}$/.test(at.before) || /^ ?(?:prompt|input)\b/.test(first);
  const isOutput = second !== undefined && OUTPUT_WORD.test(`${second} ${at.after.slice(0, 24)}`);
  return isInput && isOutput && OVER.test(at.after);
}

/** Which operand is the output: the one that words say, else the second where nothing says otherwise. */
function roles(values: readonly number[], labels: readonly string[]): { input?: number; output?: number } {
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined) return {};
  const total = values.reduce((sum, value) => sum + value, 0);
  const between = (labels[values.length - 1] ?? '').split(/\+|\bplus\b|\band\b/);
  const labelOfLast = `${between.at(-1) ?? ''} ${(labels.at(-1) ?? '').slice(0, 24)}`;
  const labelOfFirst = `${(labels[0] ?? '').slice(-24)} ${between[0] ?? ''}`;
  if (OUTPUT_WORD.test(labelOfLast)) return { input: total - last, output: last };
  if (values.length === 2 && OUTPUT_WORD.test(labelOfFirst) && INPUT_WORD.test(labelOfLast))
    return { input: last, output: first };
  const isBare = !/[a-z]{3}/.test((between.at(-1) ?? '').replace(/tokens?/g, ''));
  return isBare && values.length === 2 ? { input: first, output: last } : {};
}
