import { errorLines } from '../../ledger/errorLines.ts';
import { cutHead, cutTail } from '../../messages/cut.ts';
import { withoutReminders } from '../shorten.ts';

/** Marks where a quotation leaves something out. */
export const LEFT_OUT = '[…]';
/** The share of a shortened quotation that comes from the text's start; the rest is its end, where conclusions are. */
const HEAD_SHARE = 0.7;

/**
 * A text that exceeds the limit by less than this factor stays whole: a cut would save hardly any room and might take a
 * decisive word.
 */
const LEAST_CUT = 1.25;

/** A text of at most about `limit` characters: the whole text, or its start and end. */
export function quote(text: string, limit: number): string {
  const whole = text.trim();
  if (whole.length <= limit * LEAST_CUT) return whole;
  const start = Math.floor(limit * HEAD_SHARE);
  const head = toLastEnd(cutHead(whole, start)).trimEnd();
  const tail = fromFirstStart(cutTail(whole, limit - start)).trimStart();
  return `${head} ${LEFT_OUT} ${tail}`.trim();
}

/** The ends of sentences and lines, and the ends of words. */
const ENDS: readonly RegExp[] = [/[.!?:;](?=\s)|[。！？]|\n/g, /\s/g];
/** A cut moves back to such an end when that gives up at most this share. */
const GIVEN_UP = 0.3;

/** The start of a text that was cut anywhere, up to the last sentence or word that is complete. */
function toLastEnd(text: string): string {
  for (const end of ENDS) {
    const last = [...text.matchAll(end)].at(-1);
    if (last !== undefined && last.index >= text.length * (1 - GIVEN_UP)) return text.slice(0, last.index + 1);
  }
  return text;
}

/** The end of a text that was cut anywhere, from the first sentence or word that is complete. */
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
/** What clients put before what a program printed: a few lines of figures, then this line. */
const OUTPUT_HEAD = /^(?:[^\n]{0,120}\n){0,6}?Output:[ \t]*\n/;
/** What clients put after it: `<shellId: 3 completed with exit code 0>`, `[exit code: 0]`. */
const OUTPUT_TAIL = /\n?[<[(][^<>[\]()\n]{0,60}\bexit(?:ed)?(?: with)?(?: code)?:? 0[>\])]\s*$/i;

/** What a program printed: a result without colour codes and without what clients put around it. */
export function printed(text: string): string {
  return withoutReminders(text).replace(COLOURS, '').replace(OUTPUT_HEAD, '').replace(OUTPUT_TAIL, '').trim();
}

/**
 * A result up to this length, a line or two, is quoted even if it must be cut, rather than described by its size.
 * Characters.
 */
const BRIEF = 240;

/**
 * How a tool use ended, on one line: a short result whole, of a failure its first errors; '' for long output of a
 * success. With `looks` (a search or a read), lines that mention errors are content, so the beginning and end are
 * quoted instead.
 */
export function quoteOutcome(
  text: string,
  { failed, looks }: { failed: boolean; looks: boolean },
  limit: number,
): string {
  const result = printed(text);
  const plain = failed ? result.replace(EXIT_LINE, '').trim() : result;
  const line = oneLine(plain);
  if (plain.length <= limit) return line;
  if (!failed) return plain.length <= BRIEF ? quote(line, limit) : '';
  const errors = looks ? [] : errorLines(plain, MOST_ERRORS);
  return quoteLine(errors.length === 0 ? plain : errors.join(` ${LEFT_OUT} `), limit);
}

function oneLine(text: string): string {
  return text.replace(/(?<!\s)\s*\n\s*/g, ' ⏎ ');
}

/** A first or last line that only repeats the exit code, which the outcome states already. */
const EXIT_LINE =
  /^[<[(]?exit(?:ed with)?(?: code)?:? \d{1,3}[>\])]?(?:\n|$)|\n[<[(]?exit(?:ed with)?(?: code)?:? \d{1,3}[>\])]?$/gi;
const MOST_ERRORS = 3;
