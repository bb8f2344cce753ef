import { type ChildProcess, spawn } from 'node:child_process';
import { reasonOf } from '../../core/result.ts';
import type { RunHook } from '../../core/session/hooks.ts';
import { orAborted } from '../../core/steps.ts';
import { LONGEST_TIMER_MS } from './slices.ts';

/** How a command ended: with a code, or why it did not. */
export type ShellEnd = { readonly code: number } | { readonly why: string };

/** How long to wait for more output when a command has ended but its pipes are open. Milliseconds. */
const OUTPUT_GRACE = 1_000;

/**
 * Runs a command line in the shell, in its own process group. `exited` resolves when it has ended; `ended` when all output
 * has arrived as well, or a moment later if background processes, which keep running, hold the pipes open. `stop` ends it
 * with everything that it started.
 * @throws if the command line is impossible, e.g. has a NUL in it, or the system has no pipes left
 */
export function startInShell(
  command: string,
  { folder, env, input = '' }: { readonly folder: string; readonly env?: NodeJS.ProcessEnv; readonly input?: string },
) {
  const child = spawn(command, {
    shell: true,
    cwd: folder,
    ...(env !== undefined && { env }),
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const failed = new Promise<ShellEnd>((resolve) => child.on('error', ({ message }) => resolve({ why: message })));
  const { stdin, stdout, stderr } = child;
  // Despite the types, there are no pipes when too many files are open.
  if (!stdout) throw new Error('Too many files are open.');
  for (const stream of [stdout, stderr]) stream.setEncoding('utf8');
  // A command may close its input without reading it.
  stdin.on('error', () => undefined);
  stdin.end(input);
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const ended = new Promise<ShellEnd>((resolve) => {
    const end = (code: number | null, by: NodeJS.Signals | null): void =>
      resolve(code === null ? { why: `by ${by}` } : { code });
    child.on('close', end);
    child.on('exit', (code, by) => void setTimeout(end, OUTPUT_GRACE, code, by));
  });
  return {
    stdout,
    stderr,
    exited: Promise.race([exited, failed]),
    ended: Promise.race([ended, failed]),
    stop: () => endTree(child),
  };
}

/**
 * Ends a command and everything that it started, as far as the system permits: not a process that now runs as another
 * user.
 */
function endTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }).on('error', () => undefined);
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already, or belongs to another user. An error thrown in a timer would have no caller.
  }
}

/** Characters kept of the output of a hook. */
const LONGEST_TEXT = 2000;

/**
 * Runs the command of a hook, with one line of JSON as its input. Ends it with everything that it started when its time
 * is up or the signal aborts.
 */
export const runHookCommand: RunHook = async ({ command, folder, input, timeoutMs, signal }) => {
  if (signal?.aborted === true) return { kind: 'cancelled' };
  const printed = { stdout: '', stderr: '' };
  try {
    const shell = startInShell(command, { folder, input: `${JSON.stringify(input)}\n` });
    for (const where of ['stdout', 'stderr'] as const)
      shell[where].on('data', (text: string) => {
        printed[where] = (printed[where] + text).slice(0, LONGEST_TEXT);
      });
    const timeout = AbortSignal.timeout(Math.min(timeoutMs, LONGEST_TIMER_MS));
    const stop = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
    const hasExited = shell.exited.then(() => true);
    if (!(await orAborted(hasExited, false, stop))) {
      shell.stop();
      return { kind: timeout.aborted ? 'timed-out' : 'cancelled' };
    }
    const end = await shell.ended;
    if ('why' in end) return { kind: 'failed', reason: end.why };
    return { kind: 'ended', code: end.code, text: printed.stderr.trim() === '' ? printed.stdout : printed.stderr };
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error) };
  }
};
