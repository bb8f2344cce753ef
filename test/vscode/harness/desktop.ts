import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../setup/root.ts';
import { copySampleWorkspace, type Theme } from './editor.ts';
import { whenInterrupted } from './interruption.ts';
import { cleanEnvironment } from './server.ts';

export interface DesktopOptions {
  readonly executable: string;
  readonly theme: Theme;
  /** Environment of the extension host. */
  readonly env: Readonly<Record<string, string>>;
}

/** Opens a desktop VS Code with a profile of its own and waits until the user closes it. */
export async function openDesktop({ executable, theme, env }: DesktopOptions): Promise<void> {
  const profile = fs.mkdtempSync(path.join(tmpdir(), 'karl-desktop-'));
  const settings = {
    'workbench.colorTheme': theme === 'dark' ? 'Default Dark Modern' : 'Default Light Modern',
    'workbench.startupEditor': 'none',
    'telemetry.telemetryLevel': 'off',
    'update.mode': 'none',
  };
  fs.mkdirSync(path.join(profile, 'user/User'), { recursive: true });
  fs.writeFileSync(path.join(profile, 'user/User/settings.json'), JSON.stringify(settings, null, 2));
  const words = [
    copySampleWorkspace(profile),
    `--extensionDevelopmentPath=${root}`,
    `--user-data-dir=${path.join(profile, 'user')}`,
    `--extensions-dir=${path.join(profile, 'extensions')}`,
    '--disable-workspace-trust',
    '--skip-welcome',
    '--skip-release-notes',
    '--new-window',
    '--wait',
    // Containers and root have no user namespaces for Chromium's sandbox; test-electron passes this as well.
    ...(process.platform === 'linux' ? ['--no-sandbox'] : []),
  ];
  try {
    const child = spawn(executable, words, { env: cleanEnvironment(env), stdio: 'inherit' });
    const stop = whenInterrupted(async () => {
      child.kill();
    });
    const [code] = await once(child, 'exit');
    stop();
    if (code !== 0) throw new Error(`${executable} ended with ${code}`);
  } finally {
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
