import { cutHead } from '../chat/cut.ts';
import { anyOf, groupOf } from '../result.ts';
import type { Found } from './fact.ts';
import { fileActions, onlyLooks, runKey } from './files.ts';
import type { ToolUse } from './outcome.ts';
import type { Reading } from './reading.ts';
import { withoutColours } from './text.ts';

/** Of the errors in one result, this many of the first are taken, which have the cause, and as many of the last. */
const MOST_AT_END = 3;
/** A longer error is cut. Characters. */
const LONGEST_ERROR = 240;

/** Errors, in the words of whatever reported them: from failed calls, commands that ran, and what the human pasted. */
export function findErrors(reading: Reading): Found[] {
  const found = reading.uses.flatMap(ofOneRun);
  if (reading.human === undefined) return found;
  return [...found, ...errorsIn(reading.human, reading.at, false)];
}

/**
 * The errors of a command, or of a tool's work on a file, are a list that is renewed when the same is run again: an error
 * that is no longer in it is solved.
 */
function ofOneRun(use: ToolUse): Found[] {
  const { command, result } = use;
  if (result === undefined) return [];
  const list = `run ${command === undefined ? use.name + (fileActions(use)[0]?.path ?? use.source) : runKey(command)}`;
  const found = errorsOfUse(use);
  if (found.length > 0) return found.map((fact) => ({ ...fact, list }));
  return result.failed ? [] : [{ class: 'error', value: '', key: list, list, at: result.at }];
}

/** Tools whose output may report an error though the call succeeded. */
const REPORTS = /test|build|lint|diagnos|compil|check|console|log|run|exec|stdin|terminal/i;

/** The errors that the result of a tool use reports. */
export function errorsOfUse({ name, command, result }: ToolUse): Found[] {
  if (result === undefined) return [];
  // What only looks something up quotes other texts.
  const quotes = command !== undefined && onlyLooks(command);
  const failed = quotes ? (result.exitCode ?? 0) !== 0 : result.failed;
  if (!failed && (quotes || (command === undefined && !REPORTS.test(name)))) return [];
  return errorsIn(result.text, result.at, failed && !quotes);
}

function errorsIn(text: string, at: number, failed: boolean): Found[] {
  const { lines, reports } = findErrorLines(withoutColours(text), failed);
  const errors = new Map<string, Found>();
  for (const index of new Set([...reports.slice(0, MOST_AT_END), ...reports.slice(-MOST_AT_END)])) {
    const line = lines[index]?.text.trim() ?? '';
    const whole = line.endsWith(':') ? `${line} ${lines[index + 1]?.text.trim() ?? ''}` : line;
    const value = cutHead(whole.trim(), LONGEST_ERROR).trimEnd();
    const key = value.replace(/\d+/g, '#').replace(/\s+/g, ' ');
    errors.delete(key);
    errors.set(key, { class: 'error', value, key, at });
  }
  return [...errors.values()];
}

/** How much of a text is searched for errors, half at each end. Characters. */
const SCANNED = 200_000;
/** How much of a line is read. Characters. */
const LONGEST_READ = 2_000;
/** How much of a line about an error is shown. Characters. */
export const LINE_LENGTH = 200;

/** A line of a text. */
export interface TextLine {
  readonly number: number;
  /** Where it begins in the text. */
  readonly start: number;
  readonly text: string;
  /** What is shown of it: where it is long, the part around the error. */
  readonly shown: string;
}

/**
 * The lines of the beginning and the end of a text, and which of them report an error, as indexes without repetitions.
 * `failed`: what printed it failed, so that a place in a source or the name of a test is the report of an error too.
 */
export function findErrorLines(
  text: string,
  failed = true,
): { readonly lines: readonly TextLine[]; readonly reports: readonly number[] } {
  const lines = readLines(text);
  const reports: number[] = [];
  const seen = new Set<string>();
  for (const [at, line] of lines.entries()) {
    const start = line.text.slice(0, LONGEST_READ);
    if (seen.has(start) || !reportsError(start, failed)) continue;
    seen.add(start);
    reports.push(at);
  }
  return { lines, reports };
}

function readLines(text: string): TextLine[] {
  const lines: TextLine[] = [];
  const gapEnd = text.length - SCANNED / 2;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const line = text.slice(start, end);
    lines.push({ number: lines.length, start, text: line, shown: aroundError(line) });
    start = end + 1;
    if (start > SCANNED / 2 && start < gapEnd) start = text.indexOf('\n', gapEnd) + 1 || text.length;
  }
  return lines;
}

function aroundError(line: string): string {
  if (line.length <= LINE_LENGTH) return line.trimEnd();
  const start = line.slice(0, LONGEST_READ);
  const at = (ERROR_LINE.exec(start) ?? ERROR_FIELD.exec(start))?.index ?? 0;
  return cutHead(line.slice(Math.max(0, at - LINE_LENGTH / 2)), LINE_LENGTH).trim();
}

function reportsError(line: string, failed: boolean): boolean {
  const matches = (shape: RegExp): boolean => shape.test(line);
  if (NOT_REPORTS.some(matches)) return false;
  return ERROR_LINE.test(line) ? !QUOTED_SOURCE.test(line) : failed && REPORTS_OF_FAILURES.some(matches);
}

/** The first lines of a text that report an error, without repetitions, each cut. */
export function errorLines(text: string, most: number): string[] {
  const { lines, reports } = findErrorLines(text);
  return reports.slice(0, most).flatMap((at) => lines[at]?.shown.trim() ?? []);
}

/** A field that reports a failure: `"level": "ERROR"`, `status=failed`, `"error": "no such file"`. */
const ERROR_FIELD = anyOf(
  /\b(?:level|severity|status|state|outcome|result|type)"?\s*[:=]\s*"?(?:error|fatal|critical|fail(?:ed|ure)?|panic)\b/i,
  /"\w{0,20}error\w{0,20}"\s*:\s*(?:"[^"]|\{\s*[^}\s])/i,
);

/** A path at the beginning of a line. */
const PATH = String.raw`(?:[A-Za-z]:)?[\w@./\\+~$[\]-]{1,200}`;

/** `main.go:12:2: undefined: load`, as compilers report, whatever the words; or a linter's `12:5  error  message`. */
const PLACED = new RegExp(
  String.raw`^\s*(?:${PATH}\.\w{1,10}(?::\d{1,7}:\d{1,5}:? ?|\(\d{1,7},\d{1,5}\): )\S|` +
    String.raw`\d{1,7}:\d{1,5}\s+(?:error|✖|✗|×|fehler|erreur)\s+\S|e: \S{1,200}:\d{1,7}:\d{1,5}:? +\S)`,
  'i',
);
/** `queue_test.go:12: got 1, want 2`, `x.sh: line 9: …`, `ci.sh: 8: …`: the same without a column. */
const PLACED_ON_LINE = new RegExp(
  String.raw`^\s*${PATH}\.\w{1,10}:(?:\d{1,7}| (?:\p{L}{2,8} )?\d{1,7}): +\S+\s+\S`,
  'u',
);
/** The mark of a failed step or test, what failed (`Automatic merge failed`), or a name as .NET, RSpec and PHPUnit print it. */
const MARKED = anyOf(
  /^(?:[A-Z][\w -]{0,60} failed\b|CONFLICT \()/,
  /^\s{0,20}(?:[×✗✘✖❌●] \S|not ok \d)|^[>\s]{0,20}(?:[Cc]ould not|[Cc]annot|[Ff]ailed to) \S/,
  /^\s{0,20}Failed [\w.]{1,200}\.\w.{0,80} \[[<\d]|^rspec \.\S{1,200}:\d|^\d{1,9}\) \w{1,80}::\w/,
);

/** What a test says about a comparison; the place follows below. */
const ASSERTS = anyOf(
  /^\s*[Ee]xpected\b.{0,40}[:\s]|[Aa]ssertion .{0,60}failed/,
  /^\s*expect\(.{1,80}\)\.|^\s*(?:REQUIRE|CHECK|EXPECT_\w+|ASSERT_\w+)\(/,
);

const MERE_REMARK = new RegExp(
  String.raw`^\s*\S{1,220}(?::\d{1,7}(?::\d{1,5}:?|:)|\(\d{1,7},\d{1,5}\):) +(?:- )?` +
    String.raw`(?:\w*[wW]arning|[wW]arnung|note|info|hint|remark|help|avertissement|in |INFO|DEBUG)\b`,
);

const ERROR_NOUN = '(?:[Ee]rror|erreur|errore|erro|Fehler|fehler|błąd|ошибка|hata|fout|错误|錯誤|エラー|오류)';
const NAMED_ERROR = /[A-Z]\w{0,80}(?:Error|Exception|Failure|Panic|Warning)\b(?=[:\s()\],]|$)/;
/** `error: …`, `error [E1]: …`, `error TS1: …`. */
const ERROR_WITH_COLON = new RegExp(
  String.raw`${ERROR_NOUN}(?:\s?\[\w+\]|\s+\(\w{1,8}\)|\s+[A-Z]{1,8}-?\d{2,6})?\s*[:\uff1a]|Error \(\d+\):`,
);
const ERROR_CODE = anyOf(
  /errors? (?:TS|E)\d+|ERR!|\[?(?:ERROR|FATAL|CRITICAL)\]?(?=[\s:\]!])|ERR_[A-Z_]+/,
  /E(?:NOENT|ACCES|PERM|EXIST|ISDIR|CONNREFUSED|ADDRINUSE|TIMEDOUT|PIPE|MFILE)\b/,
);
const ERROR_SAID = anyOf(
  /fatal:|panic:|panicked at|FAILED\b|FAIL(?:URE)?\b[:\s]|Failed asserting|Failure\/Error:|[✗✖✕]|E\s{2,}\S/,
  /undefined reference|(?:command|module|package|file|symbol|class) not found|No such file|Permission denied/,
  /Access denied|Segmentation fault|Unhandled|Uncaught|Cannot find|cannot find|cannot open|is not defined/,
  /is not a function|refused|timed out|Unable to|unable to|错误|失败|异常|Fehler\b|Erreur\b|échec|エラー|오류|ошибка/,
);

/** A line that reports an error. */
const ERROR_LINE = anyOf(
  new RegExp(String.raw`(?:^|[^\w-])${groupOf(NAMED_ERROR, ERROR_WITH_COLON, ERROR_CODE, ERROR_SAID)}`, 'u'),
  /\*\*\* (?:\[|No rule|missing separator)|^! \S|\((?:error|fatal)\):|^\W{0,4}[Ss]yntax error\b/u,
  /^[\w./-]{1,120}: (?:\d{1,6}: )?\S{1,80}: not found$|What went wrong:|CMake Error at /u,
);

/** "0 errors", "no failures", "Error: (none)", in the languages of `ERROR_SAID`: nothing happened. */
const NO_ERROR = anyOf(
  new RegExp(
    String.raw`(?:^|[^\w.])(?:0|no|zero|without|keine?|ohne|aucune?|sans)\s+(?:\w+ )?` +
      String.raw`(?:errors?|fail(?:ed|ures?)|exceptions?|problems|Fehler|erreurs?)(?![^\n]*[1-9]\d* (?:error|fail))`,
    'i',
  ),
  /(?:errors?|failed|failures?|exceptions?)\s*[=:\uff1a]\s*(?:0\b|\(?none|null|\[\]|false)|(?:无|没有|(?<!\d)0 个)错误/i,
);

/** A passed test whose name mentions an error. */
const PASSED = /^.{0,60}(?:\(pass\)|✓|✔|√|\bPASS(?:ED)?\b|^\s*ok\s+\d+\b)/;

/** A frame of a stack, which may name an error's class (`at new NodeError (…)`): it says where, not what. */
const STACK_FRAME = /^\s+at\s/;

/** Source text quoted in a result: a word for an error in it does not count unless it comes with a place. */
const QUOTED_SOURCE = /^\s*(?:\d+\s*[|→:\t]|[-+]\s|\/\/|#|\*(?:\s|\/|$))/;

const NOT_REPORTS: readonly RegExp[] = [NO_ERROR, PASSED, MERE_REMARK, STACK_FRAME];
const REPORTS_OF_FAILURES: readonly RegExp[] = [ERROR_FIELD, PLACED, PLACED_ON_LINE, MARKED, ASSERTS];
