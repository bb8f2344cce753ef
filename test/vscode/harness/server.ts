import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { installServer } from '../setup/installServer.ts';
import { root } from '../setup/root.ts';

/** How the extension under test is brought into the editor. */
export type ExtensionSource =
  /** From the project folder, as in VS Code's "Run Extension"; notification toasts are not shown then. */
  | { readonly kind: 'development' }
  /** Linked into the extensions folder: an ordinary installed extension, with toasts. */
  | { readonly kind: 'linked' }
  /** Installed from a .vsix file with the server's own command. */
  | { readonly kind: 'package'; readonly file: string };

export interface ServerOptions {
  readonly extension: ExtensionSource;
  /**
   * Which of VS Code's own extensions are there. Default: all, as a user has them. With few a window opens in two thirds
   * of the time.
   */
  readonly builtins?: 'few';
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Loads VS Code's own chat with these groups of models: otherwise it is off until there is an account, or until the
   * user has made a group in "Chat: Manage Language Models".
   */
  readonly chat?: readonly Readonly<Record<string, string>>[];
  /** The folder of another extension, to be installed beside Karl. */
  readonly beside?: string;
  /** Environment of the extension host. `KARL_*` of this process is not passed on. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Server {
  /** On the loopback interface, without the connection token. */
  readonly url: string;
  readonly token: string;
  /** Its data folder: settings, extensions, logs. Deleted by `stop`. */
  readonly folder: string;
  readonly extension: ExtensionSource;
  /** The folder of VS Code's own chat, where it is loaded. */
  readonly chat?: string;
  /** Process id; the extension hosts are its children. */
  readonly pid: number;
  /** Ends the server with all its extension hosts and deletes its folder. */
  stop(): Promise<void>;
}

const SETTINGS = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  // What is still moving cannot be clicked.
  'workbench.reduceMotion': 'on',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  // A notification about the port of another program on this machine would cover the view.
  'remote.autoForwardPorts': false,
  // Otherwise VS Code goes through the open files of all processes every few seconds.
  'remote.autoForwardPortsSource': 'output',
  'chat.commandCenter.enabled': false,
  // The smallest difference of two long texts takes seconds to find.
  'diffEditor.maxComputationTime': 500,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
};

/** Keys for the commands that most tests begin with: through the palette, each would cost a third of a second of CPU. */
export const KEYS = { 'karl.openSample': 'Control+Alt+Shift+F8', 'karl.new': 'Control+Alt+Shift+F9' } as const;

/** Starts VS Code's server on a free loopback port with a random connection token. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const server = installServer(root);
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-vscode-'));
  const token = randomBytes(16).toString('hex');
  fs.mkdirSync(path.join(folder, 'data/User'), { recursive: true });
  fs.mkdirSync(path.join(folder, 'home'));
  const settings = { ...SETTINGS, ...options.settings };
  fs.writeFileSync(path.join(folder, 'data/User/settings.json'), JSON.stringify(settings, null, 2));
  const keys = Object.entries(KEYS).map(([command, key]) => ({ command, key: key.replace('Control', 'ctrl') }));
  fs.writeFileSync(path.join(folder, 'data/User/keybindings.json'), JSON.stringify(keys));
  if (options.chat !== undefined) {
    fs.writeFileSync(path.join(folder, 'data/User/chatLanguageModels.json'), JSON.stringify(options.chat));
  }
  const env = cleanEnvironment({ HOME: path.join(folder, 'home'), EXTENSIONS_GALLERY: '{}', ...options.env });
  const common = [
    path.join(server, 'out/server-main.js'),
    '--server-data-dir',
    folder,
    '--accept-server-license-terms',
    ...(options.builtins === 'few' ? ['--builtin-extensions-dir', linkFewBuiltins(server, folder)] : []),
  ];
  const development = options.extension.kind === 'development';
  if (options.extension.kind === 'linked') linkExtension(path.join(folder, 'extensions'));
  if (options.beside !== undefined) {
    fs.cpSync(options.beside, path.join(folder, 'extensions', path.basename(options.beside)), { recursive: true });
  }
  if (options.extension.kind === 'package') {
    await finish(spawn(process.execPath, [...common, '--install-extension', options.extension.file], { env }));
  }
  const child = spawn(
    process.execPath,
    [
      '--import',
      pathToFileURL(path.join(root, 'test/vscode/setup/endWithParent.mjs')).href,
      ...common,
      ...['--host', '127.0.0.1', '--port', '0', '--connection-token', token, '--telemetry-level', 'off'],
      // The extension host of a window that was closed ends soon, and not after three hours.
      ...['--reconnection-grace-time', '20'],
      // A built VS Code opens an extension from a folder only for its own smoke tests.
      ...(development || options.chat !== undefined ? ['--enable-smoke-test-driver'] : []),
    ],
    { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const stop = () => stopServer(child, folder);
  try {
    const port = await readPort(child);
    const { pid } = child;
    if (pid === undefined) throw new Error('a server that listens has a process id');
    const chat = options.chat === undefined ? {} : { chat: path.join(server, 'extensions/copilot') };
    return { url: `http://127.0.0.1:${port}/`, token, folder, extension: options.extension, pid, stop, ...chat };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** VS Code's and Electron's own variables would make the server believe that it runs inside another VS Code. */
export function cleanEnvironment(added: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !/^(VSCODE_|ELECTRON_|KARL_|npm_|NODE_OPTIONS$)/.test(name),
  ) as [string, string][];
  return { ...Object.fromEntries(kept), ...added };
}

function linkExtension(extensions: string): void {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  fs.mkdirSync(extensions, { recursive: true });
  const target = path.join(extensions, `${manifest.publisher}.${manifest.name}-${manifest.version}`);
  fs.mkdirSync(target);
  for (const entry of fs.readdirSync(root)) {
    if (/^(package.*\.json|l10n|media|README\.md|CHANGELOG\.md)$/.test(entry) && entry !== 'package-lock.json') {
      fs.symlinkSync(path.join(root, entry), path.join(target, entry));
    }
  }
  // VS Code tells which extension calls its API by the real path of the code.
  const dist = path.join(root, 'dist');
  const filter = (file: string) => !/\.map$|\.d\.m?ts$|^(?:npm|types)\b/.test(path.relative(dist, file));
  fs.cpSync(dist, path.join(target, 'dist'), { recursive: true, filter });
}

/** The themes and languages of what Karl's tests show. */
const FEW_BUILTINS = ['theme-defaults', 'theme-seti', 'typescript-basics', 'json', 'markdown-basics'];

function linkFewBuiltins(server: string, folder: string): string {
  const builtins = path.join(folder, 'builtins');
  fs.mkdirSync(builtins);
  for (const name of FEW_BUILTINS)
    fs.symlinkSync(path.join(server, 'extensions', name), path.join(builtins, name), 'junction');
  return builtins;
}

function readPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000);
      const port = /agent listening on (\d+)/.exec(output)?.[1];
      if (port !== undefined) resolve(Number(port));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`VS Code's server ended with ${code}:\n${output}`)));
  });
}

async function finish(child: ChildProcess): Promise<void> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`VS Code's server ended with ${code}:\n${output}`);
}

/** Ends the whole process group: the extension hosts are children of the server. */
async function stopServer(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    signalGroup(child, 'SIGTERM');
    await Promise.race([gone, delay(2000)]);
  }
  signalGroup(child, 'SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: nothing of the group is left, as intended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Process ids of the extension hosts that a server runs: one for each window. */
export function listExtensionHosts(server: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((fields) => Number(fields?.[2]) === server && fields?.[3]?.includes('--type=extensionHost') === true)
    .map((fields) => Number(fields?.[1]));
}

export function folderOf(page: Page): string {
  const folder = new URL(page.url()).searchParams.get('folder');
  if (folder === null) throw new Error('the window shows no folder');
  return folder;
}

export function settingsOf(page: Page): string {
  return path.join(folderOf(page), '.vscode/settings.json');
}

/** Writes a file that VS Code watches, so that it never reads half of it. */
export function writeWhole(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(`${file}.tmp`, text);
  fs.renameSync(`${file}.tmp`, file);
}
