import { anyOf, groupOf } from '../messages/anyOf.ts';
import { type Line, LONGEST_LINE } from './text.ts';

/** Words that occur in lines about errors. One pass over the output with this finds the candidates. */
export const ERROR_WORD = anyOf(
  /error|exception|fail|fatal|panic|not found|no such|denied|undefined|traceback|segmentation|unable to|cannot/gi,
  /refused|timed out|✗|✖|错误|失败|异常|fehler|erreur|échec|エラー|오류|ошибка|błąd|hata:|erro:|expected|could not/gi,
  /\*\*\* |What went wrong|\.\w{1,10}:\d{1,7}(?::\d{1,5}:?|:) /gi,
);

/** What lines about errors look like in the output of a failed call when they have none of those words. */
export const ERROR_STRUCTURE = anyOf(
  /^[ \t]{1,8}\d{1,7}(?::\d{1,5})?[ \t]{2,}\p{L}|^[ \t]{1,8}at \S|^[ \t]{1,8}--> |^[ \t]{1,8}File "|^! |^[ \t]*×/gmu,
  /^E {2,}\S|^[ \t]*expect\(|^[ \t]*[A-Z]{5,8}\(|syntax/gmu,
  /\.\w{1,10}(?:\(\d{1,7},\d{1,5}\)|:\d{1,7}:\d{1,5}|: (?:\p{L}{2,8} )?\d{1,7}):/gmu,
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
export const PLACED_ON_LINE = new RegExp(
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

/** A program's final verdict: useless next to what it has reported before. */
export const VERDICT = new RegExp(
  String.raw`^\W*${groupOf(
    /(?:> )?Task \S+ FAILED|--- FAIL|FAIL\s+\S+\s+[\d.]+m?s|FAIL\s+\S+ > |FAIL\s+\S+$/,
    /(?:Build|BUILD|FAILURES?|FAILED|FAIL)\b\W*(?:failed\b|FAILED\b|Build failed|\(|in \d|!|$)/,
    /error: (?:could not compile|aborting due|fatalError|builder for|script "|Recipe )/,
    /(?:Found )?\d+ (?:errors?|problems?|issues?|failures?)\b|\(?\d+ error|errors? found|ELIFECYCLE/,
    /(?:g?make|gmake)(?:\[\d+\])?: \*\*\*|Execution failed for task|Failed to compile|Traceback/,
    /npm (?:ERR!|error) (?:code|errno|command|path|A complete|Lifecycle|Test failed)/,
  )}`,
);

const ERROR_NOUN = '(?:error|erreur|errore|erro|Fehler|fehler|błąd|ошибка|hata|fout|错误|錯誤|エラー|오류)';
const NAMED_ERROR = /[A-Z]\w*(?:Error|Exception|Failure|Panic|Warning)\b(?=[:\s()\],]|$)/;
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
    /test result: FAILED|Tests?:? {0,20}\d+ failed|\d+ failed\b.{0,40}(?:passed|in \d)|(?:\[ERROR\] +)?Tests run: \d+, /,
    /\d+ (?:examples|tests(?: completed)?), \d+ fail|Failed! +-|\d+% tests passed/,
  )}`,
);

/** A frame of a stack: it says where, never what. */
export const STACK_FRAME = /^\s+(?:at|from)\s|^\s*#\d+\s|^\s*File "[^"]*", line/;

/** Source text quoted in a result: a word for an error in it does not count unless it comes with a place. */
export const QUOTED_SOURCE = /^\s*(?:\d+\s*[|→:\t]|[-+]\s|\/\/|#|\*(?:\s|\/|$))/;

/**
 * A line that only says that there is an error, or where, or which one: what is wrong is on the next line. `CMake Error
 * at a.txt:3 (x):`, `error[E1]`, `panicked at a.rs:1:2:`, `ERROR in ./a.ts 1:2`, `a.cpp:9: FAILED:`.
 */
export const HEADER = new RegExp(
  String.raw`^(?!npm )(?:.{0,300}[^\w-])?${groupOf(
    /panicked at .{1,200}:\d+:|\b(?:error|Error|ERROR)\b:?\s*(?:\[[\w-]+\])?:?|:\d{1,7}: FAILED:?/,
    /(?:CMake|Syntax) Error at .{1,200}:|\bERROR in \S{1,200}(?: \d+:\d+)?|What went wrong:/,
    /[Ss]cript compilation error:|Syntax error \w+ at \(.{1,200}\)\.|Unhandled exception:|--- FAIL: .{1,80}|:\d+: Failure/,
  )}\s*$`,
);

const A_FILE = /(?:[A-Za-z]:)?[\w@./\\+~-][\w@./\\+~$[\]-]{0,200}\.[A-Za-z]\w{0,11}/;
const A_MAKEFILE = /(?:[\w.-]{1,60}\/){0,9}(?:GNU)?[A-Z][a-z]{2,20}file/;

/**
 * The place of an error: a file and a line, in any notation that programs use: `a.rs:1:2`, `a.cs(1,2)`, `A.java:[1,2]`,
 * `a.tf line 3`, `File "a.py", line 4`, `Order.cs:line 5`, `ci.yml (Line: 6, Col: 7)`, `a.js (8:9)`, `a.tsx 10:11`,
 * `Makefile:12`.
 */
const PLACE = new RegExp(
  String.raw`(?<![\w./\\@+~-])(?:(?<path>${anyOf(A_FILE, A_MAKEFILE).source})${groupOf(
    /['"]?:\[?\d{1,7}(?:[:,]\d{1,5}\]?)?(?![\d.])|\(\d{1,7}(?:[:,] ?\d{1,5})?\)/,
    /['"]?[:,]? ?(?:on |at )?line:? ?\d{1,7}\b| \(Line: \d{1,7}, Col: \d{1,5}\)| \(\d{1,7}:\d{1,5}\)/,
    / \d{1,7}:\d{1,5}\b|: \p{L}{2,8} \d{1,7}(?=:)/u,
  )}|File "(?<file>[^"\n]{1,200})", line (?<line>\d{1,7}))`,
  'u',
);

/** Sources that do not belong to the project: a frame in one of them says less than the next frame in one that does. */
const FOREIGN = anyOf(
  new RegExp(
    String.raw`(?:^|[\s(/\\@])${groupOf(
      /node_modules|node:internal|internal\/(?:process|modules|timers)|site-packages|dist-packages|java\.base/,
      /vendor\/(?:bundle|phpunit)|gems|\.cargo|rustc|runtime\/(?:panic|proc|asm)\w*|dart:\w+/,
    )}[/\\:]`,
  ),
  /\/usr\/(?:local\/)?(?:lib|go\/src|share)\/|<frozen|\bAssertionUtils\.java|dart:core/,
  /\bat (?:java|javax|jdk|sun|scala|kotlin|org\.(?:junit|opentest4j|springframework|apache|gradle|hibernate)|io\.netty|com\.sun)\./,
);

/** How a line begins that only names a place: a stack frame, a pointer below a message. */
const POINTER =
  /^\s*(?:at|from|in|on|--+>|❯|└─|├─|╭─|┌─|,-\[|│|╷|╵|::|==>|>|#\s?\d{0,3}:?|\d{1,3}:|\|)\s*(?=\S)|^\s+\S|^file:/;

/** A line of source text printed together with a message. */
const EXCERPT = /^[\s>│|┃]*(?:>?\s*\d{1,6}\s*[|│┃╎]|[|│┃]|\^|~|\d{1,6}→)/;

/** How another report begins: what follows it belongs to that one. */
const NEXT_REPORT =
  /^\s*(?:(?:[\w.]{0,80}(?:Error|Exception)|error|fatal|ERROR)(?:\s?\[\w+\])?:\s|panic:|FAIL\b|Traceback\b|--- FAIL|[✗✖×]\s)/;

/** A row of a report below its file's name: `12:5  error  …`, `44     …`. */
const ROW = /^\s{0,8}\d{1,7}(?::\d{1,5}(?:-\d{1,5})?\s+\S|\s{2,}\p{L})/u;
/** The name of the file that the rows below are about, alone on its line or after the title of a column. */
const FILE_HEADER = /^(?:\s{0,3}Line\s{2,})?\s{0,3}((?:[A-Za-z]:)?[\w@./\\+~[\]()$-]{1,200}\.[A-Za-z]\w{0,11}):?\s*$/;

/**
 * `rg: a.json: No such file or directory`, `fatal: not a git repository`: complaints of programs, which have no place.
 */
const OF_THE_SYSTEM =
  /^[^\w]{0,6}(?:[\w.-]{1,20}: .{1,200}: (?:No such file|Permission denied|Is a directory|Not a directory)|fatal: )/;

/** How far a place may be from its message. Lines. */
const REACH = { rows: 60, frames: 24, loose: 3, traceback: 40, above: 6 };

/** The place of a line's error, as the source has it: on the line, in the frames below it, or above it. */
export function placeOfError(text: string, line: Line): string | undefined {
  const own = placeIn(line.text);
  if (own !== undefined) return own.text;
  if (OF_THE_SYSTEM.test(line.text)) return undefined;
  const above = linesAbove(text, line, REACH.rows);
  const row = ROW.test(line.text) ? headerAbove(above) : undefined;
  return row ?? tracebackAbove(above) ?? placeBelow(text, line) ?? placeAbove(above);
}

/** The place that a line names, and its position in the line. */
export function placeIn(line: string): { readonly text: string; readonly index: number } | undefined {
  const match = PLACE.exec(line);
  if (match === null) return undefined;
  const { path, file, line: at } = match.groups ?? {};
  if (file !== undefined) return { text: `${file}:${at}`, index: match.index };
  if (path === undefined) return undefined;
  if (!path.startsWith('//')) return { text: match[0], index: match.index };
  // A URL is not a place, unless it is that of a source file.
  if (!/(?:file|webpack|package|vite):$/.test(line.slice(0, match.index))) return undefined;
  return { text: match[0].replace(/^\/\/(?:\/(?=[A-Za-z]:)|[\w-]*\/\.\/)?/, ''), index: match.index };
}

/** True for a row of a report whose file is named above it. */
export function isRowOfFile(text: string, line: Line): boolean {
  return ROW.test(line.text) && headerAbove(linesAbove(text, line, REACH.rows)) !== undefined;
}

function headerAbove(above: readonly string[]): string | undefined {
  for (const near of above) {
    const path = FILE_HEADER.exec(near)?.[1];
    if (path !== undefined) return path;
    if (near.trim() === '' || (/^\S/.test(near) && !/^[-=\s]+$/.test(near))) return undefined;
  }
  return undefined;
}

/** The last frame of the traceback that ends above a line; preferably one in the project's own sources. */
function tracebackAbove(above: readonly string[]): string | undefined {
  let nearest: string | undefined;
  for (const near of above.slice(0, REACH.traceback)) {
    if (!/^\s|^File "/.test(near)) break;
    if (!/^\s*File "/.test(near)) continue;
    const place = placeIn(near)?.text;
    if (place === undefined) continue;
    if (!FOREIGN.test(near)) return place;
    nearest ??= place;
  }
  return nearest;
}

function placeBelow(text: string, line: Line): string | undefined {
  let foreign: string | undefined;
  const below = linesBelow(text, line, REACH.frames);
  for (const [index, near] of below.entries()) {
    if (EXCERPT.test(near) && !/^[\s│|]*on /.test(near)) continue;
    const place = placeIn(near);
    if (place !== undefined) {
      const leads = /^[\W_]{0,8}$/.test(near.slice(0, place.index));
      if (leads || POINTER.test(near) || index < REACH.loose) {
        if (!FOREIGN.test(near)) return place.text;
        foreign ??= place.text;
        continue;
      }
    }
    if (index > 0 && NEXT_REPORT.test(near)) break;
  }
  return foreign;
}

/** A line above that begins with a place, or needs only a few words to introduce one. */
function placeAbove(above: readonly string[]): string | undefined {
  for (const near of above.slice(0, REACH.above)) {
    const place = placeIn(near);
    if (place !== undefined && /^[\W_]{0,8}(?:[A-Za-z]+ ){0,3}['"(]?$/.test(near.slice(0, place.index)))
      return place.text;
  }
  return undefined;
}

/** The lines before a line, the nearest first, without one that is cut off. */
function linesAbove(text: string, line: Line, count: number): string[] {
  const start = Math.max(0, line.start - count * 80);
  const near = text.slice(start, Math.max(0, line.start - 1)).split('\n');
  if (start > 0) near.shift();
  return near
    .slice(-count)
    .reverse()
    .map((one) => one.slice(0, LONGEST_LINE));
}

function linesBelow(text: string, line: Line, count: number): string[] {
  const end = line.end + 1 + count * 160;
  const near = text.slice(line.end + 1, end).split('\n');
  if (end < text.length) near.pop();
  return near.slice(0, count).map((one) => one.slice(0, LONGEST_LINE));
}
