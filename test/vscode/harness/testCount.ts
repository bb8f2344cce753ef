import fs from 'node:fs';
import type { Runner } from 'mocha';

/** What a ring of tests came to. */
export interface TestCount {
  readonly passed: number;
  readonly failed: number;
  /** Not run: skipped by the test itself. */
  readonly skipped: number;
  /** What failed, by title or reason: told again at the end, where a long output is read. */
  readonly failures: readonly string[];
}

/** Gathers the titles and messages of what fails in a mocha run that was just started. Failing hooks are among them. */
export function gatherFailures(runner: Runner): readonly string[] {
  const failures: string[] = [];
  runner.on('fail', (test, error: unknown) => {
    failures.push(`${test.fullTitle()}: ${messageOf(error).slice(0, 500)}`);
  });
  return failures;
}

/** An error of another process is a plain object. */
function messageOf(error: unknown): string {
  const { message } = (typeof error === 'object' && error !== null ? error : {}) as { message?: unknown };
  return typeof message === 'string' ? message : String(error);
}

/** Writes the count of a finished mocha run for the process that started it. Failing hooks count as failures. */
export function writeTestCount(file: string, runner: Runner, failures: readonly string[]): void {
  const { passes = 0, failures: failed = 0, pending = 0 } = runner.stats ?? {};
  const count: TestCount = { passed: passes, failed, skipped: pending, failures };
  fs.writeFileSync(file, JSON.stringify(count));
}

/** The count that a mocha run wrote; undefined when it never got that far. */
export function readTestCount(file: string): TestCount | undefined {
  if (!fs.existsSync(file)) return undefined;
  return JSON.parse(fs.readFileSync(file, 'utf8')) as TestCount;
}
