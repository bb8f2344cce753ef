import { cutHead, cutTail } from '../../messages/cut.ts';
import { headingsIn } from '../headings.ts';
import { errorLines, withoutReminders } from '../shorten.ts';

/** Stands where a quotation leaves something out. */
export const LEFT_OUT = '[…]';
/** Of a text that is cut, the share kept from its start; the rest is its end, where conclusions stand. */
const HEAD_SHARE = 0.7;

/** A text that is longer by less than this stays whole: the cut would take a decisive word and save hardly any room. */
const LEAST_CUT = 1.25;

/** A quotation of at least so many characters tells the headings of what it leaves out, in this share of them. */
const TELLS_HEADINGS = 1200;
const HEADINGS_SHARE = 0.15;

/** A text of at most about `limit` characters: whole, or its start and its end with the headings of what is between. */
export function quote(text: string, limit: number): string {
  const whole = text.trim();
  if (whole.length <= limit * LEAST_CUT) return whole;
  const room = limit < TELLS_HEADINGS ? 0 : Math.floor(limit * HEADINGS_SHARE);
  const start = Math.floor((limit - room) * HEAD_SHARE);
  const end = limit - room - start;
  const headings = headingsIn(whole.slice(start, -end), room);
  const spare = headings === '' ? room : 0;
  const head = toLastEnd(cutHead(whole, start + spare)).trimEnd();
  const tail = fromFirstStart(cutTail(whole, end)).trimStart();
  const gap = headings === '' ? ` ${LEFT_OUT} ` : `\n[… ${headings} …]\n`;
  return head === '' || tail === '' ? `${head}${gap}${tail}`.trim() : `${head}${gap}${tail}`;
}

/** Where a sentence or a line ends, and where a word does. */
const ENDS: readonly RegExp[] = [/[.!?:;](?=\s)|[。！？]|\n/g, /\s/g];
/** A cut moves to such an end when it gives up at most this share for it. */
const GIVEN_UP = 0.3;

/** A beginning that was cut anywhere, up to the last sentence or word that it has whole. */
function toLastEnd(text: string): string {
  for (const end of ENDS) {
    const last = [...text.matchAll(end)].at(-1);
    if (last !== undefined && last.index >= text.length * (1 - GIVEN_UP)) return text.slice(0, last.index + 1);
  }
  return text;
}

/** An end that was cut anywhere, from the first sentence or word that it has whole. */
function fromFirstStart(text: string): string {
  for (const end of ENDS) {
    const [first] = text.matchAll(end);
    if (first !== undefined && first.index <= text.length * GIVEN_UP) return text.slice(first.index + 1);
  }
  return text;
}

/** The same on one line. */
export function quoteLine(text: string, limit: number): string {
  return quote(text.replace(/\s+/g, ' '), limit);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals colour their output with them
const COLOURS = /\u001b\[[\d;]*m/g;
/** What clients write before what a program printed: a few lines of figures, then this line. */
const OUTPUT_HEAD = /^(?:[^\n]{0,120}\n){0,6}?Output:[ \t]*\n/;
/** What clients write behind it: `<shellId: 3 completed with exit code 0>`, `[exit code: 0]`. */
const OUTPUT_TAIL = /\n?[<[(][^<>[\]()\n]{0,60}\bexit(?:ed)?(?: with)?(?: code)?:? 0[>\])]\s*$/i;
/** A text of JSON worth quoting is as long as a sentence. Characters. */
const SENTENCE = 40;

/** What a program printed: a result without colours and without what clients put around it. */
export function printed(text: string): string {
  return withoutReminders(text).replace(COLOURS, '').replace(OUTPUT_HEAD, '').replace(OUTPUT_TAIL, '').trim();
}

/** A result as its reader sees it: of JSON only the sentences. */
export function plainResult(text: string): string {
  const plain = printed(text);
  return plain.startsWith('{') || plain.startsWith('[') ? (textsOf(plain) ?? plain) : plain;
}

/** The sentences that JSON holds; undefined when it holds none. */
function textsOf(json: string): string | undefined {
  const found: string[] = [];
  const collect = (value: unknown, depth: number): void => {
    if (typeof value === 'string') {
      if (value.length >= SENTENCE) found.push(value.trim());
    } else if (typeof value === 'object' && value !== null && depth < 8)
      for (const inner of Object.values(value)) collect(inner, depth + 1);
  };
  try {
    collect(JSON.parse(json), 0);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  return found.length === 0 ? undefined : found.join('\n');
}

/** Lines of prose have at least so many words, and hardly a mark of code. */
const PROSE_LINE = /^(?=(?:[^\p{L}]*\p{L}+){8})(?!.*[{};=<>|].*[{};=<>|]).{40,}$/u;
const PROSE_SHARE = 0.5;
const LEAST_PROSE = 120;

/** True for a text that is mostly sentences: somebody wrote it to be read. */
export function isProse(text: string): boolean {
  if (text.length < LEAST_PROSE) return false;
  const part = text.slice(0, 20_000);
  const prose = part.split('\n').reduce((sum, line) => sum + (PROSE_LINE.test(line) ? line.length : 0), 0);
  return prose >= part.length * PROSE_SHARE;
}

/** A result of about a line or two says more than its size, cut where it has to be. Characters. */
const BRIEF = 240;

/**
 * How a use of a tool ended, on one line: a short result, else its first errors (`finds`: what looks things up finds lines
 * that speak of errors, and the beginning and end are told); '' for long output of what went well.
 */
export function quoteOutcome(
  text: string,
  { failed, finds }: { failed: boolean; finds: boolean },
  limit: number,
): string {
  const result = plainResult(text);
  const plain = failed ? result.replace(EXIT_LINE, '').trim() : result;
  const line = oneLine(plain);
  if (plain.length <= limit) return line;
  if (!failed) return plain.length <= BRIEF ? quote(line, limit) : '';
  const errors = finds ? [] : errorLines(plain, MOST_ERRORS);
  return quoteLine(errors.length === 0 ? plain : errors.join(` ${LEFT_OUT} `), limit);
}

/** The last line with words of what a program printed: there most say what they did; '' without one. */
export function quoteLastLine(output: string, limit: number): string {
  return quoteLine(output.split('\n').findLast((line) => WORD.test(line)) ?? '', limit);
}

const WORD = /\p{L}{2}/u;

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ⏎ ');
}

/** A first or last line that only repeats the exit code, which is told beside the outcome. */
const EXIT_LINE =
  /^[<[(]?exit(?:ed with)?(?: code)?:? \d{1,3}[>\])]?(?:\n|$)|\n[<[(]?exit(?:ed with)?(?: code)?:? \d{1,3}[>\])]?$/gi;
const MOST_ERRORS = 3;
