import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findBrowser } from '../setup/findBrowser.ts';
import { root } from '../setup/root.ts';
import { whenInterrupted } from './interruption.ts';
import type { Ring, Step } from './rings.ts';
import { addCounts, NO_TESTS, readTestCount, type TestCount } from './testCount.ts';

/** What hangs is ended after this time and counts as a failure. */
const STEP_TIMEOUT = 60 * 60_000;

/** Runs a ring. A step that could not run, or that ran no test, counts as one failure and says why. */
export async function runRing(ring: Ring, grep?: string): Promise<TestCount> {
  let total = NO_TESTS;
  for (const step of ring.steps) total = addCounts(total, await runStep(step, grep));
  return total;
}

async function runStep(step: Step, grep?: string): Promise<TestCount> {
  const result = path.join(tmpdir(), `karl-count-${process.pid}-${Date.now()}.json`);
  const filter = grep === undefined ? [] : ['--grep', grep];
  switch (step.kind) {
    case 'program': {
      const code = await runNode(step.words);
      return code === 0 ? { ...NO_TESTS, passed: 1 } : fail(`${step.words.join(' ')} ended with ${code}`);
    }
    case 'mocha': {
      const missing = step.retries === undefined ? undefined : prepareBrowser();
      if (missing !== undefined) return fail(missing);
      const numbers = ['--jobs', String(step.jobs ?? 1), '--retries', String(step.retries ?? 0)];
      const options = ['--result', result, ...numbers, ...filter];
      const code = await runNode(['test/vscode/harness/runMocha.ts', ...options, ...step.patterns]);
      return takeCount(result, code);
    }
    case 'host': {
      const code = await runNode([
        'test/vscode/hostSuite.ts',
        '--result',
        result,
        '--retries',
        String(step.retries),
        ...filter,
      ]);
      return takeCount(result, code);
    }
  }
}

/** Before processes run side by side, which would each install it; says what to do where there is none. */
function prepareBrowser(): string | undefined {
  try {
    findBrowser();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function takeCount(file: string, code: number): TestCount {
  const count = readTestCount(file);
  fs.rmSync(file, { force: true });
  if (count === undefined) return fail(`the tests did not run to their end (${code})`);
  if (count.passed + count.failed === 0) return fail('no test ran');
  if (code !== 0 && count.failed === 0) {
    const { failed, failures } = fail(`the program ended with ${code}`);
    return { ...count, failed, failures };
  }
  return count;
}

function fail(reason: string): TestCount {
  console.error(`FAILED: ${reason}`);
  return { ...NO_TESTS, failed: 1, failures: [reason] };
}

async function runNode(words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [...words], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const gone = once(child, 'exit');
  const stop = whenInterrupted(async () => {
    child.kill('SIGTERM');
    await gone;
  });
  const timer = setTimeout(() => child.kill('SIGTERM'), STEP_TIMEOUT);
  const [code] = await gone;
  clearTimeout(timer);
  stop();
  return code ?? 1;
}
