import { type ChildProcess, spawn } from 'node:child_process';
import type { HookEnd, RunHook } from '../../core/session/hooks.ts';

/** What is kept of what a command prints, characters. */
const LONGEST_TEXT = 2000;

/**
 * Runs the command of a hook in the shell, with one line of JSON on its input. It is ended with everything that it
 * started when its time is over or the signal aborts.
 */
export const runHookCommand: RunHook = ({ command, folder, input, timeoutMs, signal }) =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve({ kind: 'cancelled' });
    // In a group of its own, so that what the shell started ends with it.
    const child = spawn(command, {
      shell: true,
      cwd: folder,
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const printed = { out: '', error: '' };
    const end = (how: HookEnd): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      resolve(how);
    };
    const stop = (how: HookEnd): void => {
      endTree(child);
      end(how);
    };
    const cancel = (): void => stop({ kind: 'cancelled' });
    const timer = setTimeout(() => stop({ kind: 'timed-out' }), timeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed.out = (printed.out + text).slice(0, LONGEST_TEXT);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed.error = (printed.error + text).slice(0, LONGEST_TEXT);
    });
    child.on('error', ({ message }) => end({ kind: 'failed', reason: message }));
    child.on('close', (code, by) => {
      const text = printed.error.trim() === '' ? printed.out : printed.error;
      end(code === null ? { kind: 'failed', reason: `ended by ${by}` } : { kind: 'ended', code, text });
    });
    // A command that does not read its input closes it: that is no failure.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(input)}\n`);
  });

/** Ends a command and all that it started. What has ended already is nothing to end. */
function endTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
