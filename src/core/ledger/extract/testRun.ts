import { groupOf } from '../../messages/anyOf.ts';
import { shortCommand } from './commands.ts';

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
