import { type ChildProcess, spawn } from 'node:child_process';
import { reasonOf } from '../../core/result.ts';
import type { HookEnd, RunHook } from '../../core/session/hooks.ts';

/** Starts a command line in the shell, in a process group of its own, so that `endTree` ends all that it starts. */
export function startInShell(command: string, { folder, env }: { folder: string; env?: NodeJS.ProcessEnv }) {
  return spawn(command, {
    shell: true,
    cwd: folder,
    ...(env !== undefined && { env }),
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

/**
 * Ends a command and everything that it started, as far as the system permits: not a process that now runs as another
 * user.
 */
export function endTree({ pid }: ChildProcess): void {
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

/** Characters kept of a command's output. */
const LONGEST_TEXT = 2000;

/** How long to wait for more output when a command has ended but its pipes are open. Milliseconds. */
const OUTPUT_GRACE = 500;

/**
 * Runs the command of a hook in the shell, with one line of JSON as its input. Ends it with everything that it started
 * when its time is up or the signal aborts; after a normal end, its background processes are left alone.
 */
export const runHookCommand: RunHook = (run) =>
  new Promise((resolve) => {
    const { input, timeoutMs, signal } = run;
    if (signal?.aborted === true) return resolve({ kind: 'cancelled' });
    let child: ReturnType<typeof startInShell>;
    try {
      child = startInShell(run.command, run);
    } catch (error) {
      // No system accepts a command with a NUL in it.
      return resolve({ kind: 'failed', reason: reasonOf(error) });
    }
    const printed = { stdout: '', stderr: '' };
    const end = (how: HookEnd): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      resolve(how);
    };
    const stop = (how: HookEnd): void => {
      end(how);
      endTree(child);
    };
    const endWith = (code: number | null, by: NodeJS.Signals | null): void => {
      const text = printed.stderr.trim() === '' ? printed.stdout : printed.stderr;
      end(code === null ? { kind: 'failed', reason: `ended by ${by}` } : { kind: 'ended', code, text });
    };
    const cancel = (): void => stop({ kind: 'cancelled' });
    let timer = setTimeout(() => stop({ kind: 'timed-out' }), timeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });
    for (const where of ['stdout', 'stderr'] as const)
      child[where].setEncoding('utf8').on('data', (text: string) => {
        printed[where] = (printed[where] + text).slice(0, LONGEST_TEXT);
      });
    child.on('error', ({ message }) => end({ kind: 'failed', reason: message }));
    child.on('exit', (code, by) => {
      clearTimeout(timer);
      // Background processes may hold the pipes open for ever.
      timer = setTimeout(() => endWith(code, by), OUTPUT_GRACE);
    });
    child.on('close', endWith);
    // A command may close its input without reading it.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(input)}\n`);
  });
