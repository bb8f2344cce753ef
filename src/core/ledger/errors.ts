import { isRunner, onlyLooks, testKey } from './checks.ts';
import {
  ASSERTS,
  BARE_ERROR,
  ERROR_LINE,
  ERROR_STRUCTURE,
  ERROR_WORD,
  HEADER,
  isRowOfFile,
  MERE_REMARK,
  NO_ERROR,
  PASSED,
  PLACED,
  PLACED_ON_LINE,
  placeIn,
  placeOfError,
  QUOTED_SOURCE,
  STACK_FRAME,
  TEST_SUM,
  VERDICT,
} from './errorShapes.ts';
import { fileActions } from './files.ts';
import type { Found } from './ledger.ts';
import type { Reading, ToolUse } from './reading.ts';
import { bounded, cutAtWord, type Line, lineAt, linesNear, linesWith, withoutColours } from './text.ts';

/** At most this many errors are taken from one result: the first ones, which have the cause, and the last. */
const MOST_PER_RESULT = 6;

/** A longer error line is cut. Characters. */
const LONGEST_ERROR = 240;

const CODE = /\b(?:[A-Z]{1,8}-?\d{2,6}|E[A-Z]{4,14}|ERR_[A-Z_]+)\b/;

/** Commands whose results quote sources: a word for an error in them is no error unless the call failed. */
const QUOTES =
  /^\s*(?:cat|sed|head|tail|less|more|bat|nl|grep|egrep|rg|ag|awk|jq|git (?:show|diff|log|grep|blame)|find|ls|tree)\b/;

/** Errors with their places: from failed calls, from commands that ran, and from what the human pasted. */
export function findErrors(reading: Reading): Found[] {
  const found = reading.uses.flatMap((use) => ofOneRun(use, mayHoldErrors(use) ? errorsOf(use) : []));
  if (reading.human === undefined) return found;
  return [...found, ...read(reading.human, reading.at, 'human', [])];
}

/**
 * Treats the errors of a command, or of a tool's work on a file, as a list that is renewed when the same is run again:
 * an error that is no longer in it is solved.
 */
function ofOneRun(use: ToolUse, found: readonly Found[]): Found[] {
  if (use.result === undefined) return [];
  const what = use.command === undefined ? use.name + (fileActions(use)[0]?.path ?? use.source) : runKey(use.command);
  const list = `run ${what}`;
  if (found.length > 0) return found.map((fact) => ({ ...fact, list }));
  return use.result.failed ? [] : [{ class: 'error', value: '', key: list, list, at: use.result.at, by: 'tool' }];
}

/**
 * Identifies a run. Runs of the same tests are the same however they are started; other commands are the same when
 * their words are, apart from a cut of the output.
 */
function runKey(command: string): string {
  if (isRunner(command)) return testKey(command);
  const line = command.replace(/\s+/g, ' ').trim();
  return line.replace(/ ?(?:2>&1 )?\| (?:tail|head)\b[^|;&]{0,40}$/, '');
}

function mayHoldErrors(use: ToolUse): boolean {
  if (use.result === undefined) return false;
  if (use.result.failed) return true;
  if (use.command !== undefined)
    return !QUOTES.test(use.command.replace(/^\s*cd [^&;]{1,300}(?:&&|;)/, '')) && !onlyLooks(use.command);
  return /test|build|lint|diagnos|compil|check|console|log|run|exec|stdin|terminal/i.test(use.name);
}

function errorsOf(use: ToolUse): Found[] {
  if (use.result === undefined) return [];
  const { text, at, failed } = use.result;
  const found = read(text, at, 'tool', complaintsOf(use));
  if (found.length > 0 || !failed) return found;
  return complaints(use.command, withoutColours(bounded(text))).map((line) => ({
    ...errorFact(line, undefined, at, 'tool'),
    strength: 'soft',
  }));
}

/** A source file and a line in any notation: `a.rb:12`, `a.pl line 12`, `a.php on line 12`. */
const PLACE = /(?<![\w@./\\+-])[\w@./\\+-]{1,200}\.[A-Za-z]\w{0,9}(?::\d{1,7}\b|,? (?:on )?line \d{1,7}\b)/g;
const MOST_COMPLAINTS = 2;
/** A line with fewer than two words says nothing; nor does one in which a client only repeats the exit code. */
const NO_WORDS =
  /^[^\p{L}]*(?:\p{L}+[^\p{L}]*)?$|\bexit(?:ed)?(?: with)?(?: (?:exit )?(?:code|status))?[:=]? ?\d{1,3}\W*$/iu;

/**
 * The error lines of a failed call in which no line has a word for an error: of a program, the lines that name a place
 * in a source, or its last line; of any other tool, the first line.
 */
function complaints(command: string | undefined, text: string): string[] {
  if (command !== undefined) {
    if (QUOTES.test(command) || onlyLooks(command)) return [];
    const placed = linesWith(text, PLACE).map((line) => line.text);
    const said = (lines: readonly string[]): string[] =>
      lines.filter((line) => [STACK_FRAME, PASSED, MERE_REMARK, TEST_SUM, NO_WORDS].every((none) => !none.test(line)));
    const found = said(placed).slice(-MOST_COMPLAINTS);
    return found.length > 0 ? found : said(text.slice(-LONGEST_ERROR * 4).split('\n')).slice(-1);
  }
  const first = text
    .slice(0, 4000)
    .split('\n')
    .map((one) => one.trim())
    .find(
      (one) =>
        /[\p{L}]{3}/u.test(one) &&
        !/^(?:Chunk ID|Wall time|Process exited|Exit code|Output|Original token|Command|Directory)\b/i.test(one),
    );
  return first === undefined ? [] : [first];
}

/**
 * The line shapes that are errors in a result whatever their words: what a failed program reports with a place is an
 * error, unless the program only found that line in a source.
 */
function complaintsOf({ command, result }: ToolUse): readonly RegExp[] {
  if (result?.failed !== true) return [];
  if (command === undefined) return [PLACED, ASSERTS];
  if (QUOTES.test(command) || onlyLooks(command)) return [PLACED, ASSERTS];
  return SEARCHES.test(command) ? [PLACED, ASSERTS, BARE_ERROR] : [PLACED, PLACED_ON_LINE, ASSERTS, BARE_ERROR];
}

const SEARCHES = /(?:^|[\s|;&(])(?:rg|[ef]?grep|ag|ack|nl|awk|findstr|Select-String)\s/;

/** `complaints`: lines of these shapes are errors, whatever their words. */
function read(source: string, at: number, by: 'tool' | 'human', complaints: readonly RegExp[]): Found[] {
  const text = withoutColours(bounded(source));
  const facts = new Map<string, Found>();
  for (const candidate of candidates(text, complaints.length > 0)) {
    const line = headOf(text, candidate);
    if (line === undefined || (line === candidate && !isError(text, line, complaints))) continue;
    const fact = errorFact(wholeError(text, line), placeOfError(text, line), at, by);
    facts.delete(fact.key);
    facts.set(fact.key, fact);
  }
  const all = withoutEchoes([...facts.values()]);
  if (all.length <= MOST_PER_RESULT) return all;
  return [...all.slice(0, MOST_PER_RESULT / 2), ...all.slice(-MOST_PER_RESULT / 2)];
}

/** Lines that may report an error, in order; for a failed call also those that only have the shape of one. */
function candidates(text: string, failed: boolean): Line[] {
  const worded = linesWith(text, ERROR_WORD);
  if (!failed) return worded;
  const starts = new Set(worded.map((line) => line.start));
  const shaped = linesWith(text, ERROR_STRUCTURE).filter((line) => !starts.has(line.start));
  return shaped.length === 0 ? worded : [...worded, ...shaped].sort((a, b) => a.start - b.start);
}

function isError(text: string, line: Line, complaints: readonly RegExp[]): boolean {
  if (MERE_REMARK.test(line.text) || TEST_SUM.test(line.text)) return false;
  if (complaints.some((shape) => shape.test(line.text))) return true;
  if (complaints.length > 0 && isRowOfFile(text, line) && !/\bwarning\b/i.test(line.text)) return true;
  if (NO_ERROR.test(line.text) || PASSED.test(line.text) || !ERROR_LINE.test(line.text)) return false;
  return !QUOTED_SOURCE.test(line.text) || placeIn(line.text) !== undefined;
}

/**
 * For a candidate that only says where, the line that says what is wrong: above the first frame of a stack, below the
 * last one of a traceback. Other candidates are returned as they are; undefined for a frame among others.
 */
function headOf(text: string, line: Line): Line | undefined {
  if (/^\s*File "/.test(line.text)) return lineBelowTraceback(text, line);
  if (!STACK_FRAME.test(line.text) && !/^\s+--> /.test(line.text)) return line;
  if (line.start < 2) return undefined;
  const head = lineAt(text, line.start - 2);
  if (STACK_FRAME.test(head.text) || !SPOKEN.test(head.text) || QUOTED_SOURCE.test(head.text)) return undefined;
  return head;
}

/** At least two words, or a name and something after its colon. */
const SPOKEN = /\p{L}{3}.*(?:\s|: ?)\S*[\p{L}\d]/u;

const LONGEST_FRAME = 12;

function lineBelowTraceback(text: string, line: Line): Line | undefined {
  let next = line;
  for (let step = 0; step < LONGEST_FRAME && next.end < text.length; step++) {
    next = lineAt(text, next.end + 1);
    if (/^\s*File "/.test(next.text)) return undefined;
    if (/^[A-Za-z_][\w.]{1,120}(?::|$)/.test(next.text)) return next;
    if (/^\S/.test(next.text) && !/^\d+ \|/.test(next.text)) return undefined;
  }
  return undefined;
}

/** An error, joined with its next line if it only announces what is wrong. */
function wholeError(text: string, line: Line): string {
  if (!HEADER.test(line.text)) return line.text;
  const next = linesNear(text, line, { before: 0, after: 2 })
    .slice(0, 2)
    .find((near) => /\p{L}{3}/u.test(near) && !/^(?:===|---|FAIL|ok)\b|^===/.test(near));
  return next === undefined ? line.text : `${line.text.trimEnd()} ${next.trim()}`;
}

function errorFact(line: string, location: string | undefined, at: number, by: 'tool' | 'human'): Found {
  const value = cutAtWord(line.trim(), LONGEST_ERROR);
  const code = CODE.exec(value)?.[0];
  const place = location === undefined ? '' : (location.split(/[:(]| line/)[0] ?? '');
  const message = value.replace(/\d+/g, '#').replace(/\s+/g, ' ').slice(0, 120);
  return {
    class: 'error',
    value,
    key: code === undefined ? `${place} ${message}` : `${place} ${code} ${message}`,
    at,
    by,
    ...(location === undefined || value.includes(location) ? {} : { anchor: location }),
  };
}

/** Removes errors that another line of the same result reports too; if there are causes, verdicts become soft. */
function withoutEchoes(facts: readonly Found[]): Found[] {
  const said = facts.map((fact) => messageOf(fact.value));
  const isEcho = (fact: Found, index: number): boolean =>
    said.some((other, place) => {
      const own = said[index] ?? '';
      if (place === index || !other.includes(own) || (other === own && place > index)) return false;
      const there = facts[place];
      const where = placeOf(fact);
      return where === undefined || (there !== undefined && placeOf(there) === where);
    });
  const kept = facts.filter((fact, index) => !isEcho(fact, index));
  const causes = kept.filter((fact) => !VERDICT.test(fact.value));
  if (causes.length === 0) return kept;
  return kept.map((fact): Found => (VERDICT.test(fact.value) ? { ...fact, strength: 'soft' } : fact));
}

/** The words of an error, without its place. */
function messageOf(value: string): string {
  const place = placeIn(value);
  return (place === undefined ? value : value.replace(place.text, '')).replace(/^[\s:>|E│-]+/, '').trim();
}

function placeOf(fact: Found): string | undefined {
  return fact.anchor ?? placeIn(fact.value)?.text;
}
