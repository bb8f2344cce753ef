import { anyOf, groupOf } from '../messages/anyOf.ts';
import { fileActions } from './files.ts';
import type { Found } from './ledger.ts';
import { withoutHunks } from './patch.ts';
import type { Reading, ToolResult } from './reading.ts';
import { parseShell } from './shell.ts';
import { bounded, cutAtWord, ends, linesWith, withoutColours } from './text.ts';

/** A longer command is cut. Characters. */
const LONGEST_COMMAND = 240;

/** Programs that only look something up: their output is behind the handle, and it matters little that they ran. */
const LOOKING = new RegExp(
  `^${groupOf(
    /cat|ls|cd|pwd|echo|printf|head|tail|less|more|bat|nl|wc|grep|egrep|rg|ag|find|fd|tree|which|whereis|type|stat|file/,
    /du|df|ps|env|date|whoami|uname|sed|awk|cut|sort|uniq|tr|xargs|jq|diff|sleep|true|test|\[|export|set|source/,
    /for|do|done|if|then|fi|else|while|gh|Get-\w+/,
  )}$`,
  'i',
);

/** Shell commands that ran, with their exit code where the result states it. */
export function findCommands(reading: Reading): Found[] {
  return reading.uses.flatMap((use): Found[] => {
    if (use.command === undefined || use.result === undefined) return [];
    const value = shortCommand(use.command);
    if (value === '') return [];
    const { exitCode, failed } = use.result;
    const state = exitCode === undefined ? (failed ? 'failed' : undefined) : `exit ${exitCode}`;
    const soft = !failed && (onlyLooks(use.command) || onlyWrites(use.command));
    return [
      {
        class: 'command',
        value,
        key: value,
        at: use.at,
        by: 'tool',
        ...(state === undefined ? {} : { state }),
        ...(soft ? { strength: 'soft' } : {}),
      },
    ];
  });
}

/** The text of a file within a command: it says something about that file, not about the command. */
const HERE_DOCUMENT = /<<-?\s*['"]?[\w-]{1,40}['"]?[^\n]*/;

/** True for a command that only writes a here-document to a file: that is a change of the file. */
function onlyWrites(command: string): boolean {
  return HERE_DOCUMENT.test(command) && /^\s*(?:cat|tee|apply_patch|patch|git apply|python3?|node)\b/.test(command);
}

/**
 * A command on one line with single spaces, up to and including the beginning of its first here-document, cut to
 * `LONGEST_COMMAND`.
 */
export function shortCommand(command: string): string {
  const document = HERE_DOCUMENT.exec(command);
  const line = (document === null ? command : command.slice(0, document.index + document[0].length))
    .slice(0, LONGEST_COMMAND * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return cutAtWord(line, LONGEST_COMMAND);
}

/** True for a command that only prints what exists and changes nothing: its output quotes other texts. */
export function onlyLooks(command: string): boolean {
  return parseShell(command).every(({ words, writesTo }) => {
    const program = words.find((word) => !/^[A-Za-z_]\w*=/.test(word)) ?? '';
    if (writesTo.some((path) => !path.startsWith('/dev/'))) return false;
    if (program === 'git')
      return /^(?:status|log|diff|show|branch|rev-parse|remote|ls-files|blame|fetch|config)$/.test(
        words[words.indexOf('git') + 1] ?? '',
      );
    if (program === 'sed') return !words.some((word) => /^-i|^--in-place/.test(word));
    return LOOKING.test(program);
  });
}

/** Test runners of one suite. What follows them, apart from the packages to test, is filters and flags. */
const RUNNER = new RegExp(
  String.raw`\b${groupOf(
    /gotestsum|vitest|jest|mocha|ava|pytest|unittest|tox|rspec|phpunit|pest|ctest|playwright|cypress/,
    /cargo (?:nextest|test)|(?:go|dotnet|mix|swift|flutter|dart|deno|bun|zig build|sbt) test/,
    /(?:npm|pnpm|yarn)(?: run)? [\w:-]*test[\w:-]*|make [\w-]*(?:test|check)[\w-]*/,
    /(?:mvnw?|gradlew?)\b[^|;&\n]{0,40}?\b\w*(?:[tT]est|verify|check)\w*/,
  )}(?![\w-])`,
);
/** A flag that does not affect which tests run. */
const FLAG = new RegExp(
  String.raw`\s--?(?:q|v|vv|s|x|nocapture|no-?cov\w*|verbose|quiet|silent|watch(?:All)?|run|bail|color\S*|reporter\S*|` +
    String.raw`output-on-failure|runInBand)(?:=\S*)?(?=\s|$)`,
  'g',
);

/**
 * A whole folder or file of tests, without anything that selects some of them: people refer to such a suite by its
 * path.
 */
const ONE_SUITE =
  /^(?: test(?= ))?(?: --(?:manifest-path|path|dir|project|package-path)[ =])? ?([\w@.-]+(?:\/[\w@.*-]+)+)\s*$/;

/** True for a command that runs a suite of tests. */
export function isRunner(command: string): boolean {
  return RUNNER.test(command);
}

/**
 * Identifies a kind of test run: its folder, its runner and the tests it is about, without flags, pipes and
 * redirections. A run of other tests or of another package is another kind and says nothing about this one.
 */
export function testKey(command: string): string {
  const line = shortCommand(command).replace(/\s*(?:\d?>&?\d?\s?\S*|\|).*$/, '');
  const runner = RUNNER.exec(line);
  if (runner === null) return line.replace(/^cd [^&;]{1,200}(?:&&|;)\s*/, '');
  const folder = /\bcd ([^\s&;]{1,200})/.exec(line.slice(0, runner.index))?.[1] ?? '';
  const tests = line
    .slice(runner.index)
    .replace(FLAG, '')
    .replace(/\s(?:--|run|\.\/\.\.\.)(?=\s|$)/g, '')
    .replace(/\s+/g, ' ');
  const suite = folder === '' ? ONE_SUITE.exec(tests.slice(runner[0].length))?.[1] : undefined;
  return suite === undefined ? `${folder} ${tests}` : suiteName(suite);
}

/**
 * The name that runners and people use for a suite: without marks for "here" and "everything below", and without a
 * manifest.
 */
function suiteName(path: string): string {
  return path
    .replace(/^\.\//, '')
    .replace(/\/(?:\.{3}|\*{1,2}|Cargo\.toml|package\.json|pom\.xml|build\.gradle(?:\.kts)?|go\.mod)$/, '')
    .replace(/[/.:]+$/, '');
}

/**
 * How much of each end of an output is searched for a runner's summary, which is at the end or, rarely, at the start.
 * Characters.
 */
const SUMMARY_PART = 12_000;

/**
 * Limits for one run: summary lines and names of failed tests; and, in characters, the length of each and of the
 * command.
 */
const MOST_LINES = 3;
const MOST_NAMES = 6;
const LONGEST_SUMMARY = 160;
const LONGEST_ANCHOR = 120;

/** Summary lines of test runners: jest, vitest, mocha, pytest, unittest, cargo, go, JUnit/Maven, Gradle, RSpec, .NET, TAP, ctest, PHPUnit, swift. */
const SUMMARY_LINE = new RegExp(
  `^.{0,80}${groupOf(
    /\bTests?:?\s+.{0,60}\d+ (?:passed|failed|total)|\d+ (?:passed|failed|passing|failing|pending|skipped)\b/,
    /\btest result: (?:ok|FAILED)|^(?:ok|FAIL|---\s*FAIL:?)\s+\S+|^FAILED \(|^OK(?: \(|$)|\bRan \d+ tests?\b/,
    /Tests run: \d+|BUILD (?:SUCCESS\w*|FAILED|FAILURE)|\d+ examples?, \d+ failures?|Passed!\s|Failed!\s/,
    /# (?:pass|fail) \d+|\d+% tests passed|\d+ tests?, \d+ (?:assertions?|failures?)|\d+ tests? completed/,
    /(?:Passed|Failed): +\d+, +(?:Passed|Failed|Skipped): +\d+|Tests: \d+, Assertions|Executed \d+ tests|^PASS$|^FAIL$/,
    /\d+\/\d+ (?:tests? )?pass|(?:all )?tests? (?:passed|pass|failed|green)\b|测试(?:通过|失败)|\d+ 个?(?:测试)?(?:通过|失败)/,
    /Tests? (?:bestanden|fehlgeschlagen)|\d+ (?:bestanden|fehlgeschlagen)/,
  )}.{0,120}$`,
  'i',
);
/** Words without which no line is a summary: looked for first, since most output is not. */
const SUMMARY_WORD = anyOf(
  /pass|fail|pending|skipped|\bok\b|\bRan \d|Tests? run|BUILD SUC|\d examples?,|Executed \d|\d tests?,/gi,
  /tests? completed|Assertions:|测试|通过|失败|bestanden|fehlgeschlagen|Tests?:? {1,20}\S/gi,
);

/** A runner that had nothing to run says "ok" nevertheless: go, pytest, mocha, jest. */
const NO_TESTS = /\bno tests? (?:to run|ran|found|files?)\b/i;

const FAILED = anyOf(
  /\b[1-9]\d* (?:failed|failing|failures?|errors?|fehlgeschlagen)|\bFAIL(?:ED|URE)?\b|Failed!/i,
  /fail(?:ures|ed)?[:=] ?[1-9]|# fail [1-9]|失败|fehlgeschlagen|tests? failed/i,
);
/**
 * A line that names a failed test: pytest, vitest, cargo, go, .NET, RSpec, PHPUnit, Maven, ctest, Gradle, TAP,
 * googletest.
 */
export const FAILED_NAME = new RegExp(
  `^${groupOf(
    /FAILED \S+::\S|[ \t]*[×✗✘✕] \S|test \S.{0,120} \.\.\. FAILED|[ \t]*--- FAIL: \S/,
    /[ \t]*Failed [\w.]+\.\w+.{0,80} \[[<\d]|rspec \.\S+:\d+|\d+\) \w+::\w+|\[ERROR\] {2,}\w+\.\w+:\d+/,
    /[ \t]*\d+ - \S.{0,120} \((?:Failed|Timeout)\)|\w+ > .{1,120} FAILED$|not ok \d+ |\[ {2}FAILED {2}\] \w+\.\w+/,
    /[ \t]*● \S.{0,120} › /,
  )}`,
);
const NAME_WORD = /FAIL|Failed|^[ \t]*[×✗✘✕●] |^rspec \.|^not ok|::|^\[ERROR\] {2}/gm;

const TEST_COMMAND =
  /\btests?\b|\bspec\b|jest|vitest|mocha|pytest|unittest|tox|rspec|phpunit|ctest|gradle|mvn|\bcheck\b|\bverify\b|测试/i;

/** The state of each test suite: the summary that its newest run printed, and whether that reports failures. */
export function findTestStates(reading: Reading): Found[] {
  return reading.uses.flatMap((use): Found[] => {
    if (use.result === undefined || (use.command === undefined && !TEST_COMMAND.test(use.name))) return [];
    const command = use.command ?? use.name;
    // `gh` tells of checks that ran elsewhere.
    if (onlyLooks(command) && use.command !== undefined && !/\bgh\b/.test(command)) return [];
    if (use.command === undefined && fileActions(use).length > 0) return [];
    const printed = withoutHunks(use.result.text);
    const output = withoutColours(ends(printed, SUMMARY_PART));
    const lines = linesWith(output, SUMMARY_WORD)
      .map(({ text }) => text)
      .filter((line) => SUMMARY_LINE.test(line) && !NO_TESTS.test(line))
      .map((line) => line.trim())
      .filter((line) => line.length > 1);
    const summed = lines.length > 1 || /\d/.test(lines[0] ?? '') || (lines.length === 1 && TEST_COMMAND.test(command));
    const said = summed ? summaryOf({ ...use.result, text: printed }, lines) : unsummed(command, use.result);
    const key = testKey(command);
    const seen = new Map<string, number>();
    return said.map(({ text, failed }): Found => {
      const line = lineKey(text);
      const count = seen.get(line) ?? 0;
      seen.set(line, count + 1);
      return {
        class: 'test-state',
        value: cutAtWord(text, LONGEST_SUMMARY),
        anchor: cutAtWord(shortCommand(command), LONGEST_ANCHOR),
        key: `${key} ${line} ${count}`,
        list: `test ${key}`,
        state: failed ? 'failed' : 'passed',
        at: use.result?.at ?? use.at,
        by: 'tool',
      };
    });
  });
}

interface Said {
  readonly text: string;
  readonly failed: boolean;
}

function summaryOf({ text, exitCode }: ToolResult, lines: readonly string[]): Said[] {
  const failed = exitCode === undefined ? lines.some(isFailure) : exitCode !== 0;
  const names = failed ? failedNames(withoutColours(bounded(text))) : [];
  const totals = lines.some((line) => TOTAL.test(line)) ? lines.filter((line) => !ONE_PASSED.test(line)) : lines;
  const said = [...new Set([...names, ...totals.slice(-MOST_LINES)])];
  return said.map((line) => ({ text: line, failed: failed && !onlyPassed(line) }));
}

/** A run without a summary: its command, and what its exit code says. */
function unsummed(command: string, { failed, exitCode }: ToolResult): Said[] {
  if ((exitCode === undefined && !failed) || !isRunner(command) || onlyLooks(command)) return [];
  return [{ text: shortCommand(command), failed }];
}

/** What a line is about, without counts and outcome: "12 passed" and "2 failed" of one suite have the same key. */
function lineKey(line: string): string {
  return line
    .toLowerCase()
    .replace(/\b(?:ok|fail\w*|pass\w*|errors?|pending|skipped|total|m?s)\b/g, ' ')
    .replace(/[^\p{L}/._]+|\d+/gu, ' ')
    .trim();
}

/** The first lines that name failed tests. */
function failedNames(output: string): string[] {
  return linesWith(output, NAME_WORD)
    .filter(({ text }) => FAILED_NAME.test(text))
    .slice(0, MOST_NAMES)
    .map(({ text }) => text.trim());
}

const TOTAL = /\b\d+ (?:tests? )?(?:passed|failed|passing|failing|failures?)\b|\btest result:|\bTests:? /;
/** A line about a single test, file or package that passed. */
const ONE_PASSED = /^(?:ok|PASS|[✓✔√])\s/;

/** True for a line that reports successes only; a failed run may print such lines too. */
function onlyPassed(line: string): boolean {
  return (ONE_PASSED.test(line) || /\d (?:tests? )?(?:passed|passing|bestanden)\b/i.test(line)) && !isFailure(line);
}

function isFailure(line: string): boolean {
  return FAILED.test(line.replace(/\b0 (?:failed|failing|failures?|errors?)|fail(?:ures|ed)?[:=] ?0/gi, ''));
}
