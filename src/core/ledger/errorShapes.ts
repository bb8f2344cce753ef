import { anyOf, groupOf } from '../messages/anyOf.ts';

/** Words that occur in lines about errors. One pass over the output with this finds the candidates. */
export const ERROR_WORD = anyOf(
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
export const STACK_FRAME = /^\s+(?:at|from)\s|^\s*#\d+\s|^\s*File "[^"]*", line/;

/** Source text quoted in a result: a word for an error in it does not count unless it comes with a place. */
export const QUOTED_SOURCE = /^\s*(?:\d+\s*[|→:\t]|[-+]\s|\/\/|#|\*(?:\s|\/|$))/;

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
