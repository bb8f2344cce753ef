import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { findBrowser } from '../setup/findBrowser.ts';
import { root } from '../setup/root.ts';
import { runHostSuite } from './hostRing.ts';
import { whenInterrupted } from './interruption.ts';
import { addCounts, NO_TESTS, readTestCount, type TestCount } from './testCount.ts';

/** A ring of tests: programs that run one after the other, each with its count. */
export interface Ring {
  readonly what: string;
  readonly steps: readonly Step[];
}

type Step =
  /** A script of package.json, which counts as one test: passed when it ends with 0. */
  | { readonly kind: 'script'; readonly name: string }
  /**
   * Mocha on the files that match (default: those of `.mocharc.cjs`), a file each for `jobs` processes (default: 1), or
   * on their tests whose titles match `grep`. Where several run, what takes longest comes first, so that no process has
   * nothing to do at the end.
   */
  | ({
      readonly kind: 'mocha';
      readonly patterns: readonly string[];
      readonly jobs?: number;
      readonly grep?: string;
    } & Partial<Retried>)
  /** Mocha in the extension host of a real VS Code, on `test/vscode/suite` or a file of it. */
  | ({ readonly kind: 'host'; readonly file?: string } & Retried);

/**
 * How often a test that fails is tried again: only where an editor or a browser is driven. A test that passes only then
 * is reported.
 */
interface Retried {
  readonly retries: number;
}

export type RingName = 'check' | 'unit' | 'webview' | 'host' | 'ui' | 'programs' | 'commands';

export const RINGS: Readonly<Record<RingName, Ring>> = {
  check: {
    what: 'types, style, unused code, the engine as a package, licences and known vulnerabilities',
    steps: [{ kind: 'script', name: 'check' }],
  },
  unit: {
    what: 'core, adapters, engine, the pure parts of the host and the shape of the source, in Node',
    steps: [{ kind: 'mocha', jobs: 3, patterns: [] }],
  },
  webview: {
    what: 'the webview alone, in a real browser',
    steps: [
      {
        kind: 'mocha',
        jobs: 3,
        retries: 1,
        patterns: ['test/vscode/webview/looks.browser.test.ts', 'test/vscode/webview/**/*.test.ts'],
      },
    ],
  },
  host: { what: 'the extension host of a real VS Code', steps: [{ kind: 'host', retries: 1 }] },
  ui: {
    what: 'what a user sees and does, in a real VS Code',
    steps: [
      {
        kind: 'mocha',
        jobs: 3,
        retries: 1,
        patterns: ['workspaces', 'agent', 'karl', 'chat', 'servers', '**/*'].map(
          (name) => `test/vscode/ui/${name}.ui.test.ts`,
        ),
      },
    ],
  },
  programs: {
    what: 'the engine and its programs, as they are installed, and agents under them',
    steps: [
      { kind: 'mocha', patterns: ['test/vscode/programs/**/*.test.ts'] },
      // Two agents, one whose API is translated and one with its own; `npm run test:clients` has all of them.
      {
        kind: 'mocha',
        retries: 1,
        patterns: ['test/clients/clients.test.ts'],
        grep: 'Claude Code .* of chat|Codex .* of responses',
      },
    ],
  },
  commands: {
    what: 'npm start and the .vsix, as a newcomer meets them',
    steps: [{ kind: 'mocha', retries: 1, patterns: ['test/vscode/commands/**/*.test.ts'] }],
  },
};

/**
 * The order in which the rings run. Within each group, the `waiting` rings, which often wait for an editor or a server, run
 * one after the other; beside them the `busy` ones do the same with the processor time that is left. `ui` keeps two cores
 * busy by itself. No ring changes what another of its group uses.
 */
export const TIMES: readonly Readonly<Record<'busy' | 'waiting', readonly RingName[]>>[] = [
  { busy: ['unit', 'webview'], waiting: ['check'] },
  { busy: ['programs', 'commands'], waiting: ['host'] },
  { busy: [], waiting: ['ui'] },
];

/** Whether a ring drives a browser or an editor. */
export const drives = (name: RingName): boolean =>
  RINGS[name].steps.some((step) => step.kind !== 'script' && step.retries !== undefined);

/**
 * The priority of what runs beside others, which have 0: about a third of their share. With less, tests whose program has a
 * time limit of its own (a search) are starved.
 */
const BESIDE = 5;

/** What hangs is ended after this time and counts as a failure. */
const STEP_TIMEOUT = 60 * 60_000;

/** How a ring is run. */
export interface RingOptions {
  /** Only the tests whose titles match. */
  readonly grep?: string | undefined;
  /** The ring runs beside another: this gets what it prints, and the processor is left to the other. */
  readonly beside?: ((printed: string) => void) | undefined;
}

/** Runs a ring. A step that could not run, or that ran no test, counts as one failure and says why. */
export async function runRing(ring: Ring, options: RingOptions = {}): Promise<TestCount> {
  let total = NO_TESTS;
  for (const step of ring.steps) total = addCounts(total, await runStep(step, options));
  return total;
}

async function runStep(step: Step, options: RingOptions): Promise<TestCount> {
  const { grep } = options;
  if (step.kind === 'script') {
    const code = await run('npm', ['run', '--silent', step.name], options);
    return code === 0 ? { ...NO_TESTS, passed: 1 } : failure(`npm run ${step.name} ended with ${code}`);
  }
  const result = path.join(tmpdir(), `karl-count-${process.pid}-${Date.now()}.json`);
  if (step.kind === 'host') {
    return takeCount(result, await runHostSuite({ result, grep, retries: step.retries, file: step.file }));
  }
  if (step.retries !== undefined) {
    const missing = prepareBrowser();
    if (missing !== undefined) return failure(missing);
  }
  const files = new Set(step.patterns.flatMap((pattern) => fs.globSync(pattern, { cwd: root }).toSorted()));
  const words = [
    'node_modules/mocha/bin/mocha.js',
    ...['--reporter', 'test/vscode/harness/testCount.ts', '--reporter-option', `result=${result}`],
    ...['--retries', String(step.retries ?? 0), '--jobs', String(step.jobs ?? 1)],
    (step.jobs ?? 1) > 1 ? '--parallel' : '--no-parallel',
    ...((grep ?? step.grep) === undefined ? [] : ['--grep', grep ?? step.grep ?? '']),
    ...files,
  ];
  return takeCount(result, await run(process.execPath, words, options));
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
  if (count === undefined) return failure(`the tests did not run to their end (${code})`);
  if (count.passed + count.failed === 0) return failure('no test ran');
  if (code !== 0 && count.failed === 0) {
    const { failed, failures } = failure(`the program ended with ${code}`);
    return { ...count, failed, failures };
  }
  return count;
}

function failure(reason: string): TestCount {
  console.error(`FAILED: ${reason}`);
  return { ...NO_TESTS, failed: 1, failures: [reason] };
}

/** Runs a program to its end; its exit code, 1 where a signal ended it. */
export async function run(program: string, words: readonly string[], options: RingOptions = {}): Promise<number> {
  const output = options.beside === undefined ? 'inherit' : 'pipe';
  const child = spawn(program, words, {
    cwd: root,
    stdio: ['ignore', output, output],
    shell: program === 'npm' && process.platform === 'win32',
  });
  if (options.beside !== undefined && child.pid !== undefined) setPriority(child.pid, BESIDE);
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => options.beside?.(String(chunk)));
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
