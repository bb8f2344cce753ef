import { type ChildProcess, spawn } from 'node:child_process';

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
 * Ends a command and everything that it started, as far as the system permits: a process that has already ended, or by
 * now runs as another user, is left as it is.
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
    // Its end is reported by itself, and an error thrown in a timer has no caller.
  }
}
