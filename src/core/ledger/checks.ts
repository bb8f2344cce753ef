import { anyOf, groupOf } from '../messages/anyOf.ts';
import { withoutUndefined } from '../result.ts';
import { fileActions } from './files.ts';
import type { Found } from './ledger.ts';
import { withoutHunks } from './patch.ts';
import type { Reading } from './reading.ts';
import { parseShell } from './shell.ts';
import { cutAtWord, ends, linesWith, withoutColours } from './text.ts';

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
    const strength = soft ? 'soft' : undefined;
    return [withoutUndefined<Found>({ class: 'command', value, key: value, at: use.at, by: 'tool', state, strength })];
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
  return parseShell(command).commands.every(({ words, writesTo }) => {
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

const RUNNER = new RegExp(
  String.raw`\b${groupOf(
    /gotestsum|vitest|jest|mocha|ava|pytest|unittest|tox|rspec|phpunit|pest|ctest|playwright|cypress/,
    /cargo (?:nextest|test)|(?:go|dotnet|mix|swift|flutter|dart|deno|bun|zig build|sbt) test/,
    /(?:npm|pnpm|yarn)(?: run)? [\w:-]*test[\w:-]*|make [\w-]*(?:test|check)[\w-]*/,
    /(?:mvnw?|gradlew?)\b[^|;&\n]{0,40}?\b\w*(?:[tT]est|verify|check)\w*/,
  )}(?![\w-])`,
);
const TEST_COMMAND =
  /\btests?\b|\bspec\b|jest|vitest|mocha|pytest|unittest|tox|rspec|phpunit|ctest|gradle|mvn|\bcheck\b|\bverify\b|测试/i;

/**
 * How much of each end of an output is searched for a runner's summary, which is at the end or, rarely, at the start.
 * Characters.
 */
const SUMMARY_PART = 12_000;
const LONGEST_SUMMARY = 160;

/** Summary lines of test runners: jest, vitest, mocha, pytest, unittest, cargo, go, JUnit/Maven, Gradle, RSpec, .NET, TAP, ctest, PHPUnit, swift. */
const SUMMARY_LINE = new RegExp(
  `^.{0,80}${groupOf(
    /\bTests?:?\s{1,20}.{0,60}\d{1,9} (?:passed|failed|total)|\d{1,9} (?:passed|failed|passing|failing|pending|skipped)\b/,
    /\btest result: (?:ok|FAILED)|^(?:ok|FAIL|---\s{0,20}FAIL:?)\s{1,20}\S{1,200}|^FAILED \(|^OK(?: \(|$)|\bRan \d{1,9} tests?\b/,
    /Tests run: \d{1,9}|BUILD (?:SUCCESS\w*|FAILED|FAILURE)|\d{1,9} examples?, \d{1,9} failures?|Passed!\s|Failed!\s/,
    /# (?:pass|fail) \d{1,9}|\d{1,9}% tests passed|\d{1,9} tests?, \d{1,9} (?:assertions?|failures?)|\d{1,9} tests? completed/,
    /(?:Passed|Failed): +\d{1,9}, +(?:Passed|Failed|Skipped): +\d{1,9}|Tests: \d{1,9}, Assertions|Executed \d{1,9} tests|^PASS$|^FAIL$/,
    /\d{1,9}\/\d{1,9} (?:tests? )?pass|(?:all )?tests? (?:passed|pass|failed|green)\b|测试(?:通过|失败)|\d{1,9} 个?(?:测试)?(?:通过|失败)/,
    /Tests? (?:bestanden|fehlgeschlagen)|\d{1,9} (?:bestanden|fehlgeschlagen)/,
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
 * How each run of tests ended: by its exit code or, without one, by the last line of its summary. A run of other tests
 * says nothing about this one.
 */
export function findTestStates(reading: Reading): Found[] {
  return reading.uses.flatMap((use): Found[] => {
    const { command, result, name } = use;
    if (result === undefined) return [];
    if (command === undefined ? !TEST_COMMAND.test(name) || fileActions(use).length > 0 : onlyLooks(command)) return [];
    const run = command ?? name;
    const lines = summaryLines(result.text, TEST_COMMAND.test(run));
    const { exitCode } = result;
    const isOutcome = lines.length > 0 || ((exitCode !== undefined || result.failed) && RUNNER.test(run));
    if (!isOutcome) return [];
    const failed = exitCode === undefined ? result.failed || lines.some(isFailure) : exitCode !== 0;
    const anchor = cutAtWord(shortCommand(run), LONGEST_SUMMARY);
    const line = failed ? lines.findLast(isFailure) : lines.at(-1);
    return [
      {
        class: 'test-state',
        value: line === undefined ? anchor : cutAtWord(line, LONGEST_SUMMARY),
        anchor,
        key: runKey(run),
        state: failed ? 'failed' : 'passed',
        at: result.at,
        by: 'tool',
      },
    ];
  });
}

/** The lines in which a runner sums up; a single line without a figure counts only where tests were asked for. */
function summaryLines(text: string, areTests: boolean): readonly string[] {
  const lines = linesWith(withoutColours(ends(withoutHunks(text), SUMMARY_PART)), SUMMARY_WORD)
    .map((line) => line.text.trim())
    .filter((line) => line.length > 1 && SUMMARY_LINE.test(line) && !NO_TESTS.test(line));
  return lines.length > 1 || areTests || /\d/.test(lines[0] ?? '') ? lines : [];
}

function isFailure(line: string): boolean {
  return FAILED.test(line.replace(/\b0 (?:failed|failing|failures?|errors?)|fail(?:ures|ed)?[:=] ?0/gi, ''));
}

/** Identifies a run: its command without pipes and redirections. */
export function runKey(command: string): string {
  return shortCommand(command).replace(/\s{0,9}(?:\d?>&?\d?\s?\S*|\|).*$/, '');
}
