import fs from 'node:fs';
import Mocha, { type Context, type MochaOptions, type Runner } from 'mocha';

/** What a ring of tests came to. A test counts once, however often it was tried. */
export interface TestCount {
  readonly passed: number;
  readonly failed: number;
  /** Not run: skipped by the test itself. */
  readonly skipped: number;
  /** What failed, by title or reason: repeated at the end, where it is seen even after a long output. */
  readonly failures: readonly string[];
  /** What passed at its second try, by title, with the error of the first. */
  readonly secondTries: readonly string[];
}

/**
 * Gathers what fails in a mocha run that was just started, failing hooks included, and what passed only when it was
 * tried again.
 */
function gatherResults(runner: Runner): Pick<TestCount, 'failures' | 'secondTries'> {
  const failures: string[] = [];
  const secondTries: string[] = [];
  const firstErrors = new Map<string, string>();
  const takeFirstError = (title: string): string | undefined => {
    const error = firstErrors.get(title);
    firstErrors.delete(title);
    return error;
  };
  // The types of mocha lack this event, which comes with the test that will be tried again.
  (runner as NodeJS.EventEmitter).on('retry', (test: Mocha.Test, error: unknown) => {
    firstErrors.set(test.fullTitle(), messageOf(error));
  });
  runner.on('pass', (test) => {
    const error = takeFirstError(test.fullTitle());
    if (error !== undefined) secondTries.push(`${test.fullTitle()}: ${error}`);
  });
  runner.on('fail', (test, error: unknown) => {
    const first = takeFirstError(test.fullTitle());
    const before = first === undefined ? '' : ` (at the first try: ${first})`;
    failures.push(`${test.fullTitle()}: ${messageOf(error)}${before}`);
  });
  return { failures, secondTries };
}

/** An error of another process is a plain object. */
function messageOf(error: unknown): string {
  const { message } = (typeof error === 'object' && error !== null ? error : {}) as { message?: unknown };
  return (typeof message === 'string' ? message : String(error)).slice(0, 500);
}

/**
 * Mocha's own reporter, which also writes the count into the file that `--reporter-option result=FILE` names, for the process
 * that started the run. Failing hooks count as failures.
 */
export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options);
    const told = gatherResults(runner);
    const { result } = options.reporterOptions as { readonly result: string };
    runner.once('end', () => {
      const { passes: passed = 0, failures: failed = 0, pending: skipped = 0 } = runner.stats ?? {};
      fs.writeFileSync(result, JSON.stringify({ passed, failed, skipped, ...told } satisfies TestCount));
    });
  }
}

/** After so many tests of a process have failed, the rest is not tried again: something that all need is broken. */
const MOST_RETRIED_FAILURES = 5;
let failedTests = 0;

/** Root hooks that hold to it. */
export const retryLimit = {
  beforeEach(this: Context): void {
    if (failedTests >= MOST_RETRIED_FAILURES) this.currentTest?.retries(0);
  },
  afterEach(this: Context): void {
    if (this.currentTest?.state === 'failed') failedTests += 1;
  },
};

/** The count that a mocha run wrote; undefined when it did not get that far. */
export function readTestCount(file: string): TestCount | undefined {
  if (!fs.existsSync(file)) return undefined;
  return JSON.parse(fs.readFileSync(file, 'utf8')) as TestCount;
}

export function addCounts(one: TestCount, other: TestCount): TestCount {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    failures: [...one.failures, ...other.failures],
    secondTries: [...one.secondTries, ...other.secondTries],
  };
}

export const NO_TESTS: TestCount = { passed: 0, failed: 0, skipped: 0, failures: [], secondTries: [] };

export interface RingResult {
  readonly name: string;
  readonly count: TestCount;
  readonly seconds: number;
}

/**
 * What is printed after all rings: what failed, what passed at its second try, a line for each ring with its own seconds,
 * those of all where several ran, and the totals last.
 */
export function describeResults(results: readonly RingResult[], seconds: number): string {
  const total = results.reduce((sum, { count }) => addCounts(sum, count), NO_TESTS);
  const rings = results.map(({ name, count, seconds }) => {
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
    const again = count.secondTries.length > 0 ? `, ${count.secondTries.length} at the second try` : '';
    return `${name.padEnd(8)} ${count.passed} passed, ${count.failed} failed${again}${skipped} (${seconds} s)`;
  });
  return [
    ...total.failures.map((failure) => `FAILED ${failure}`),
    ...total.secondTries.map((test) => `passed at the second try: ${test}`),
    '',
    ...rings,
    ...(results.length > 1 ? [`all      ${seconds} s`] : []),
    `${total.passed} passed, ${total.failed} failed`,
  ].join('\n');
}
