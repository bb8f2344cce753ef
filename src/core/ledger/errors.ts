import { anyOf, groupOf } from '../messages/anyOf.ts';
import { onlyLooks, runKey } from './checks.ts';
import { fileActions } from './files.ts';
import type { Found } from './ledger.ts';
import type { Reading, ToolUse } from './reading.ts';
import { cutAtWord, ends, lineAfter, linesWith, withoutColours } from './text.ts';

/** At most this many errors are taken from one result: the first ones, which have the cause, and the last. */
const MOST_PER_RESULT = 6;
/** Of a longer output, only this much is searched, half at each end, so that the time is bounded. Characters. */
const MOST_SCANNED = 400_000;
/** A longer error line is cut. Characters. */
const LONGEST_ERROR = 240;

/** Errors, in the words of whatever reported them: from failed calls, commands that ran, and what the human pasted. */
export function findErrors(reading: Reading): Found[] {
  const found = reading.uses.flatMap((use) => ofOneRun(use, errorsOf(use)));
  if (reading.human === undefined) return found;
  return [...found, ...errorsIn(reading.human, false).map((line) => errorFact(line, reading.at, 'human'))];
}

/**
 * Treats the errors of a command, or of a tool's work on a file, as a list that is renewed when the same is run again:
 * an error that is no longer in it is solved.
 */
function ofOneRun(use: ToolUse, found: readonly Found[]): Found[] {
  const { command, result } = use;
  if (result === undefined) return [];
  const list = `run ${command === undefined ? use.name + (fileActions(use)[0]?.path ?? use.source) : runKey(command)}`;
  if (found.length > 0) return found.map((fact) => ({ ...fact, list }));
  return result.failed ? [] : [{ class: 'error', value: '', key: list, list, at: result.at, by: 'tool' }];
}

/** Tools whose output may report an error though the call succeeded. */
const REPORTS = /test|build|lint|diagnos|compil|check|console|log|run|exec|stdin|terminal/i;

function errorsOf({ name, command, result }: ToolUse): Found[] {
  if (result === undefined) return [];
  // What only looks something up quotes other texts.
  const quotes = command !== undefined && onlyLooks(command);
  if (!result.failed && (quotes || (command === undefined && !REPORTS.test(name)))) return [];
  const facts = errorsIn(result.text, result.failed && !quotes).map((line) => errorFact(line, result.at, 'tool'));
  if (facts.length > 0 || !result.failed || quotes) return facts;
  const said = complaintOf(withoutColours(result.text), command !== undefined);
  return said === undefined ? [] : [{ ...errorFact(said, result.at, 'tool'), strength: 'soft' }];
}

/** A line with fewer than two words says nothing; nor does one in which a client tells of the exit code, or of itself. */
const SAYS_NOTHING =
  /^[^\p{L}]*(?:\p{L}+[^\p{L}]*)?$|\bexit(?:ed)?(?: with)?(?: (?:exit )?(?:code|status))?[:=]? ?\d{1,3}\W*$|^(?:Chunk ID|Wall time|Output|Original token|Command|Directory)\b/iu;

/** What stands for the error of a failed call without a word for one: the last line of a program, the first of a tool. */
function complaintOf(text: string, isProgram: boolean): string | undefined {
  const part = isProgram ? text.slice(-LONGEST_ERROR * 4) : text.slice(0, LONGEST_ERROR * 4);
  const lines = part
    .split('\n')
    .map((line) => line.slice(0, LONGEST_ERROR * 2))
    .filter((line) => [STACK_FRAME, PASSED, MERE_REMARK, TEST_SUM, SAYS_NOTHING].every((shape) => !shape.test(line)));
  return isProgram ? lines.at(-1) : lines[0];
}

/** The lines of a text that report errors, at most `MOST_PER_RESULT`. `failed`: a place in a source says one too. */
function errorsIn(source: string, failed: boolean): string[] {
  const text = withoutColours(ends(source, MOST_SCANNED));
  const found = new Map<string, string>();
  for (const line of linesWith(text, ERROR_WORD)) {
    if (!isError(line.text, failed)) continue;
    const next = line.text.trimEnd().endsWith(':') ? lineAfter(text, line) : '';
    const whole = `${line.text.trim()} ${next.trim()}`.trim();
    const key = messageKey(whole);
    found.delete(key);
    found.set(key, whole);
  }
  const all = [...found.values()];
  const half = MOST_PER_RESULT / 2;
  return all.length <= MOST_PER_RESULT ? all : [...all.slice(0, half), ...all.slice(-half)];
}

function isError(line: string, failed: boolean): boolean {
  if ([MERE_REMARK, TEST_SUM, STACK_FRAME].some((shape) => shape.test(line))) return false;
  if (failed && [PLACED, PLACED_ON_LINE, ASSERTS, BARE_ERROR].some((shape) => shape.test(line))) return true;
  return ERROR_LINE.test(line) && ![NO_ERROR, PASSED, QUOTED_SOURCE].some((shape) => shape.test(line));
}

/** What an error says, whatever the figures in it. */
function messageKey(line: string): string {
  return line.replace(/\d+/g, '#').replace(/\s+/g, ' ').slice(0, 160);
}

function errorFact(line: string, at: number, by: 'tool' | 'human'): Found {
  const value = cutAtWord(line.trim(), LONGEST_ERROR);
  return { class: 'error', value, key: messageKey(value), at, by };
}

/** Words that occur in lines about errors. One pass over the output with this finds the candidates. */
const ERROR_WORD = anyOf(
  /error|exception|fail|fatal|panic|not found|no such|denied|undefined|traceback|segmentation|unable to|cannot/gi,
  /refused|timed out|✗|✖|错误|失败|异常|fehler|erreur|échec|エラー|오류|ошибка|błąd|hata:|erro:|expected|could not/gi,
  /\*\*\* |What went wrong|\.\w{1,10}:\d{1,7}(?::\d{1,5}:?|:) /gi,
);

/** A path at the beginning of a line. */
const PATH = String.raw`(?:[A-Za-z]:)?[\w@./\\+~$[\]-]{1,200}`;

/** `main.go:12:2: undefined: load`, as compilers report, whatever the words; or a linter's `12:5  error  message`. */
export const PLACED = new RegExp(
  String.raw`^\s*(?:${PATH}\.\w{1,10}(?::\d{1,7}:\d{1,5}:? ?|\(\d{1,7},\d{1,5}\): )\S|` +
    String.raw`\d{1,7}:\d{1,5}\s+(?:error|✖|✗|×|fehler|erreur)\s+\S|e: \S{1,200}:\d{1,7}:\d{1,5}:? +\S)`,
  'i',
);
/** `queue_test.go:12: got 1, want 2`, `x.sh: line 9: …`, `ci.sh: 8: …`: the same without a column. */
const PLACED_ON_LINE = new RegExp(
  String.raw`^\s*${PATH}\.\w{1,10}:(?:\d{1,7}| (?:\p{L}{2,8} )?\d{1,7}): +\S+\s+\S`,
  'u',
);
/** `Error: …`, also after the frame that some programs draw, or the mark of a failed step. */
export const BARE_ERROR = /^[\s│|╷×-]*Error:\s+\S|^\s*[×✖✘❌]\s+\S+\s+\S|^[>\s]*[Cc]ould not \S/;
/** What a test says about a comparison; the place follows below. */
export const ASSERTS = anyOf(
  /Failed asserting|Failure\/Error:|^\s*[Ee]xpected\b.{0,40}[:\s]|[Aa]ssertion .{0,60}failed/,
  /^\s*expect\(.{1,80}\)\.|^\s*(?:REQUIRE|CHECK|EXPECT_\w+|ASSERT_\w+)\(/,
);

export const MERE_REMARK = new RegExp(
  String.raw`^\s*\S{1,220}(?::\d{1,7}(?::\d{1,5}:?|:)|\(\d{1,7},\d{1,5}\):) +(?:- )?` +
    String.raw`(?:\w*[wW]arning|[wW]arnung|note|info|hint|remark|help|avertissement|in |INFO|DEBUG)\b`,
);

const ERROR_NOUN = '(?:error|erreur|errore|erro|Fehler|fehler|błąd|ошибка|hata|fout|错误|錯誤|エラー|오류)';
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
export const ERROR_LINE = anyOf(
  new RegExp(String.raw`(?:^|[^\w-])${groupOf(NAMED_ERROR, ERROR_WITH_COLON, ERROR_CODE, ERROR_SAID)}`, 'u'),
  /\*\*\* (?:\[|No rule|missing separator)|^! \S|\((?:error|fatal)\):|^\W{0,4}[Ss]yntax error\b/u,
  /^[\w./-]{1,120}: (?:\d{1,6}: )?\S{1,80}: not found$|What went wrong:|CMake Error at /u,
);

/** "0 errors", "no failures", "Error: (none)": nothing happened. */
export const NO_ERROR = anyOf(
  new RegExp(
    String.raw`(?:^|[^\w.])(?:0|no|zero|without|keine?|aucune?|sans)\s+(?:\w+ )?` +
      String.raw`(?:errors?|failures?|failed|failing|exceptions?|problems|fehler|erreurs?)` +
      String.raw`(?![^\n]*[1-9]\d* (?:errors?|failures?|failed))`,
    'i',
  ),
  /(?:errors?|failed|failures?|exceptions?)\s*[=:\uff1a]\s*(?:0\b|\(?none|null|\[\]|false)/i,
  /without errors?|无错误|没有错误|0 个错误/i,
);

/** A passed test whose name mentions an error. */
export const PASSED = /^.{0,60}(?:\(pass\)|✓|✔|√|\bPASS(?:ED)?\b|^\s*ok\s+\d+\b)/;

/**
 * The totals of a test run: they are a test state (`checks.ts`), which a later run replaces, not an error.
 */
export const TEST_SUM = new RegExp(
  String.raw`^\W*${groupOf(
    /test result: FAILED|Tests?:? {0,20}\d{1,9} failed|\d{1,9} failed\b.{0,40}(?:passed|in \d)|(?:\[ERROR\] {1,9})?Tests run: \d{1,9}, /,
    /\d{1,9} (?:examples|tests(?: completed)?), \d{1,9} fail|Failed! +-|\d{1,9}% tests passed/,
  )}`,
);

/** A frame of a stack: it says where, never what. */
const STACK_FRAME = /^\s+(?:at|from)\s|^\s*#\d+\s|^\s*File "[^"]*", line/;

/** Source text quoted in a result: a word for an error in it does not count unless it comes with a place. */
const QUOTED_SOURCE = /^\s*(?:\d+\s*[|→:\t]|[-+]\s|\/\/|#|\*(?:\s|\/|$))/;

/**
 * A line that names a failed test: pytest, vitest, cargo, go, .NET, RSpec, PHPUnit, Maven, ctest, Gradle, TAP,
 * googletest.
 */
export const FAILED_NAME = new RegExp(
  `^${groupOf(
    /FAILED \S{1,200}::\S|[ \t]{0,20}[×✗✘✕] \S|test \S.{0,120} \.\.\. FAILED|[ \t]{0,20}--- FAIL: \S/,
    /[ \t]{0,20}Failed [\w.]{1,200}\.\w{1,80}.{0,80} \[[<\d]|rspec \.\S{1,200}:\d{1,9}|\d{1,9}\) \w{1,80}::\w{1,80}|\[ERROR\] {2,}\w{1,80}\.\w{1,80}:\d{1,9}/,
    /[ \t]{0,20}\d{1,9} - \S.{0,120} \((?:Failed|Timeout)\)|\w{1,80} > .{1,120} FAILED$|not ok \d{1,9} |\[ {2}FAILED {2}\] \w{1,80}\.\w{1,80}/,
    /[ \t]{0,20}● \S.{0,120} › /,
  )}`,
);
