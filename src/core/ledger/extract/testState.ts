import type { Found } from '../found.ts';
import type { Reading } from '../read/reading.ts';
import { ends, linesWith, withoutColours } from '../read/scanLines.ts';
import { cutAtWord, sentences } from '../read/sentences.ts';
import { suiteIn, suiteName, testCounts } from '../read/testCounts.ts';
import { shortCommand } from './commands.ts';

/** A runner's summary is at the end of its output, characters; some print it first. */
const SUMMARY_PART = 12_000;

/** At most this many summary lines are kept of one run, and this much of each and of the command, characters. */
const MOST_LINES = 3;
const MOST_NAMES = 6;
const LONGEST_SUMMARY = 160;
const LONGEST_ANCHOR = 120;

/** Summary lines of test runners: jest, vitest, mocha, pytest, unittest, cargo, go, JUnit/Maven, Gradle, RSpec, .NET, TAP, ctest, PHPUnit, swift. */
const SUMMARY_LINE =
  /^.{0,80}(?:\bTests?:?\s+.{0,60}\d+ (?:passed|failed|total)|\d+ (?:passed|failed|passing|failing|pending|skipped)\b|\btest result: (?:ok|FAILED)|^(?:ok|FAIL|---\s*FAIL:?)\s+\S+|^FAILED \(|^OK(?: \(|$)|\bRan \d+ tests?\b|Tests run: \d+|BUILD (?:SUCCESS\w*|FAILED|FAILURE)|\d+ examples?, \d+ failures?|Passed!\s|Failed!\s|# (?:pass|fail) \d+|\d+% tests passed|\d+ tests?, \d+ (?:assertions?|failures?)|\d+ tests? completed|(?:Passed|Failed): +\d+, +(?:Passed|Failed|Skipped): +\d+|Tests: \d+, Assertions|Executed \d+ tests|^PASS$|^FAIL$|\d+\/\d+ (?:tests? )?pass|(?:all )?tests? (?:passed|pass|failed|green)\b|测试(?:通过|失败)|\d+ 个?(?:测试)?(?:通过|失败)|Tests? (?:bestanden|fehlgeschlagen)|\d+ (?:bestanden|fehlgeschlagen)).{0,120}$/i;
/** What a summary line has at least: looked for first, since most output is none. */
const SUMMARY_WORD =
  /pass|fail|pending|skipped|\bok\b|\bRan \d|Tests? run|BUILD SUC|\d examples?,|Executed \d|\d tests?,|tests? completed|Assertions:|测试|通过|失败|bestanden|fehlgeschlagen|Tests?:? {1,20}\S/gi;

const FAILED =
  /\b[1-9]\d* (?:failed|failing|failures?|errors?|fehlgeschlagen)|\bFAIL(?:ED|URE)?\b|Failed!|fail(?:ures|ed)?[:=] ?[1-9]|# fail [1-9]|失败|fehlgeschlagen|tests? failed/i;
/** A line that names a test that failed: pytest, vitest, cargo, go, .NET, RSpec, PHPUnit, Maven, ctest, Gradle, TAP, googletest. */
const FAILED_NAME =
  /^(?:FAILED \S+::\S|[ \t]*[×✗✘✕] \S|test \S.{0,120} \.\.\. FAILED|[ \t]*--- FAIL: \S|[ \t]*Failed [\w.]+\.\w+.{0,80} \[[<\d]|rspec \.\S+:\d+|\d+\) \w+::\w+|\[ERROR\] {2,}\w+\.\w+:\d+|[ \t]*\d+ - \S.{0,120} \((?:Failed|Timeout)\)|\w+ > .{1,120} FAILED$|not ok \d+ |\[ {2}FAILED {2}\] \w+\.\w+|[ \t]*● \S.{0,120} › )/;
const NAME_WORD = /FAIL|Failed|^[ \t]*[×✗✘✕●] |^rspec \.|^not ok|::|^\[ERROR\] {2}/gm;

const TEST_COMMAND =
  /\btests?\b|\bspec\b|jest|vitest|mocha|pytest|unittest|tox|rspec|phpunit|ctest|gradle|mvn|\bcheck\b|\bverify\b|测试/i;

/** How each suite of tests stands: what the newest run of it printed, or what the human or the model said of it since. */
export function findTestStates(reading: Reading): Found[] {
  return [
    ...(reading.human === undefined ? [] : saidStates(reading.human, reading.at, 'human')),
    ...(reading.model === undefined ? [] : saidStates(reading.model, reading.at, 'model')),
    ...printedStates(reading),
  ];
}

/** Sentences that tell how tests ended; of a suite that they name, they are its newest state. */
function saidStates(text: string, at: number, by: Found['by']): Found[] {
  if (!/\d/.test(text)) return [];
  return sentences(text).flatMap((sentence): Found[] => {
    const counts = QUESTION.test(sentence) ? undefined : testCounts(sentence);
    if (counts === undefined) return [];
    const suite = suiteIn(sentence, counts);
    const key = suite ?? 'said';
    return [
      {
        class: 'test-state',
        value: counts.text,
        ...(suite === undefined ? {} : { anchor: suite }),
        key: `${key} 0`,
        list: `test ${key}`,
        state: counts.failed ? 'failed' : 'passed',
        at,
        by,
      },
    ];
  });
}

const QUESTION = /[?\uff1f]["')\]]?$/;

/** What the newest run of each test command printed: its summary lines, and whether they tell of failures. */
function printedStates(reading: Reading): Found[] {
  return reading.uses.flatMap((use): Found[] => {
    if (use.result === undefined || (use.command === undefined && !TEST_COMMAND.test(use.name))) return [];
    const command = use.command ?? use.name;
    if (/^\s*(?:cat|sed|head|tail|grep|rg|git (?:show|diff|log))\b/.test(command)) return [];
    const output = withoutColours(ends(use.result.text, SUMMARY_PART));
    const lines = linesWith(output, SUMMARY_WORD)
      .map(({ text }) => text)
      .filter((line) => SUMMARY_LINE.test(line))
      .map((line) => line.trim())
      .filter((line) => line.length > 1);
    if (lines.length === 0 || (!TEST_COMMAND.test(command) && lines.length < 2 && !/\d/.test(lines[0] ?? '')))
      return [];
    const key = testKey(command);
    const failed = use.result.exitCode === undefined ? lines.some(isFailure) : use.result.exitCode !== 0;
    const { at } = use.result;
    const names = failed ? failedNames(withoutColours(use.result.text)) : [];
    const totals = lines.some((line) => TOTAL.test(line)) ? lines.filter((line) => !ONE_PASSED.test(line)) : lines;
    const said = [...new Set([...names, ...totals.slice(-MOST_LINES)])];
    return said.map((line, index) => ({
      class: 'test-state',
      value: cutAtWord(line, LONGEST_SUMMARY),
      anchor: cutAtWord(shortCommand(command), LONGEST_ANCHOR),
      key: `${key} ${index}`,
      list: `test ${key}`,
      state: failed && !onlyPassed(line) ? 'failed' : 'passed',
      at,
      by: 'tool',
    }));
  });
}

/** The first lines that name failed tests. */
function failedNames(output: string): string[] {
  return linesWith(output, NAME_WORD)
    .filter(({ text }) => FAILED_NAME.test(text))
    .slice(0, MOST_NAMES)
    .map(({ text }) => text.trim());
}

const TOTAL = /\b\d+ (?:tests? )?(?:passed|failed|passing|failing|failures?)\b|\btest result:|\bTests:? /;
/** A line about one test, file or package that passed. */
const ONE_PASSED = /^(?:ok|PASS|[✓✔√])\s/;

/** A line of a run that failed may tell what passed in it. */
function onlyPassed(line: string): boolean {
  return (ONE_PASSED.test(line) || /\d (?:tests? )?(?:passed|passing|bestanden)\b/i.test(line)) && !isFailure(line);
}

function isFailure(line: string): boolean {
  return FAILED.test(line.replace(/\b0 (?:failed|failing|failures?|errors?)|fail(?:ures|ed)?[:=] ?0/gi, ''));
}

/** Runners of one suite: what follows, apart from the packages that it is about, is filters and flags. */
const RUNNER =
  /\b(?:gotestsum|vitest|jest|mocha|ava|pytest|unittest|tox|rspec|phpunit|pest|ctest|playwright|cypress|cargo (?:nextest|test)|go test|dotnet test|mix test|swift test|flutter test|dart test|deno test|bun test|zig build test|sbt test|(?:npm|pnpm|yarn)(?: run)? [\w:-]*test[\w:-]*|(?:mvnw?|gradlew?)\b[^|;&\n]{0,40}?\b\w*(?:[tT]est|verify|check)\w*|make [\w-]*(?:test|check)[\w-]*)/;
/** A flag that says nothing of which tests run. */
const FLAG =
  /\s--?(?:q|v|vv|s|x|nocapture|no-?cov\w*|verbose|quiet|silent|watch(?:All)?|run|bail|color\S*|reporter\S*|output-on-failure|runInBand)(?:=\S*)?(?=\s|$)/g;

/** A whole folder or file of tests and nothing that picks some of them: people call it by its path. */
const ONE_SUITE =
  /^(?: test(?= ))?(?: --(?:manifest-path|path|dir|project|package-path)[ =])? ?([\w@.-]+(?:\/[\w@.*-]+)+)\s*$/;

/**
 * A kind of test run: where it runs, its runner and the tests that it is about, without flags, pipes and redirections. A
 * run of other tests or of another package is another kind: it says nothing of this one.
 */
function testKey(command: string): string {
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
