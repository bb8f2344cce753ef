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
