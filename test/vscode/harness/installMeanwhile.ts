import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root } from '../setup/root.ts';
import { whenInterrupted } from './interruption.ts';
import { RINGS, type RingName } from './rings.ts';

/** Whether a ring drives a browser or an editor. */
const drives = (name: RingName): boolean =>
  RINGS[name].steps.some((step) => step.kind !== 'script' && step.retries !== undefined);

/**
 * Installs browser and server in a process of its own while the rings run that need neither, if there are such before
 * one that does. Returns what to await before each ring: what is missing then is installed, or refused with the reason,
 * by the first test that needs it, so that two never install at a time.
 */
export function installMeanwhile(names: readonly RingName[]): (next: RingName) => Promise<void> {
  const first = names.findIndex(drives);
  if (first < 1) return async () => undefined;
  const child = spawn(process.execPath, [path.join(root, 'test/vscode/setup/installAll.ts')], { cwd: root });
  const stop = whenInterrupted(async () => {
    child.kill('SIGTERM');
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = once(child, 'close').then(([code]) => {
    stop();
    if (output !== '') console.log(`\n${output.trimEnd()}`);
    if (code !== 0)
      console.log(`What was installed meanwhile is not complete (${code}); it is tried again where it is needed.`);
  });
  return (next) => (drives(next) ? ended : Promise.resolve());
}
