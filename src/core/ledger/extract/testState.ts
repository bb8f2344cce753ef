import type { Found } from '../found.ts';
import type { Reading } from '../reading.ts';
import { ends, linesWith, withoutColours } from '../scanLines.ts';
import { cutAtWord } from '../sentences.ts';
import { shortCommand } from './commands.ts';

/** A runner's summary is at the end of its output, characters; some print it first. */
const SUMMARY_PART = 12_000;

/** At most this many summary lines are kept of one run, and this much of each and of the command, characters. */
const MOST_LINES = 3;
const LONGEST_SUMMARY = 160;
const LONGEST_ANCHOR = 120;

/** Summary lines of test runners: jest, vitest, mocha, pytest, unittest, cargo, go, JUnit/Maven, Gradle, RSpec, .NET, TAP, ctest, PHPUnit, swift. */
const SUMMARY_LINE =
  /^.{0,80}(?:\bTests?:?\s+.{0,60}\d+ (?:passed|failed|total)|\d+ (?:passed|failed|passing|failing|pending|skipped)\b|\btest result: (?:ok|FAILED)|^(?:ok|FAIL|---\s*FAIL:?)\s+\S+|^FAILED \(|^OK(?: \(|$)|\bRan \d+ tests?\b|Tests run: \d+|BUILD (?:SUCCESS\w*|FAILED|FAILURE)|\d+ examples?, \d+ failures?|Passed!\s|Failed!\s|# (?:pass|fail) \d+|\d+% tests passed|\d+ tests?, \d+ (?:assertions?|failures?)|Executed \d+ tests|^PASS$|^FAIL$|\d+\/\d+ (?:tests? )?pass|(?:all )?tests? (?:passed|pass|failed|green)\b|测试(?:通过|失败)|\d+ 个?(?:测试)?(?:通过|失败)|Tests? (?:bestanden|fehlgeschlagen)|\d+ (?:bestanden|fehlgeschlagen)).{0,120}$/i;
/** What a summary line has at least: looked for first, since most output is none. */
const SUMMARY_WORD =
  /pass|fail|pending|skipped|\bok\b|\bRan \d|Tests? run|BUILD SUC|\d examples?,|Executed \d|\d tests?,|测试|通过|失败|bestanden|fehlgeschlagen|Tests?:? {1,20}\S/gi;

const FAILED =
  /\b[1-9]\d* (?:failed|failing|failures?|errors?|fehlgeschlagen)|\bFAIL(?:ED|URE)?\b|Failed!|fail(?:ures|ed)?[:=] ?[1-9]|# fail [1-9]|失败|fehlgeschlagen|tests? failed/i;
const TEST_COMMAND =
  /\btests?\b|\bspec\b|jest|vitest|mocha|pytest|unittest|tox|rspec|phpunit|ctest|gradle|mvn|\bcheck\b|\bverify\b|测试/i;

/** What the newest run of each test command said: its summary lines, and whether it passed. */
export function findTestStates(reading: Reading): Found[] {
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
    return [...new Set(lines.slice(-MOST_LINES))].map((line, index) => ({
      class: 'test-state',
      value: cutAtWord(line, LONGEST_SUMMARY),
      anchor: cutAtWord(shortCommand(command), LONGEST_ANCHOR),
      key: `${key} ${index}`,
      list: `test ${key}`,
      state: failed ? 'failed' : 'passed',
      at,
      by: 'tool',
    }));
  });
}

function isFailure(line: string): boolean {
  return FAILED.test(line.replace(/\b0 (?:failed|failing|failures?|errors?)|fail(?:ures|ed)?[:=] ?0/gi, ''));
}

/** A test command without what varies between runs: where it runs, pipes and redirections. */
function testKey(command: string): string {
  return shortCommand(command)
    .replace(/^cd [^&;]{1,200}(?:&&|;)\s*/, '')
    .replace(/\s*(?:2>&1|\|).*$/, '');
}
