import fs from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findBrowser } from '../setup/findBrowser.ts';
import { root } from '../setup/root.ts';
import { watchPage } from './failurePictures.ts';
import { type Server, type ServerOptions, startServer } from './server.ts';

export type Theme = 'light' | 'dark';

/** The small realistic project that the editor opens when nothing else is named. */
const SAMPLE_WORKSPACE = path.join(root, 'test/fixtures/workspace');

export interface PageOptions {
  /**
   * Folder or `.code-workspace` file that is opened; null = a window without a folder. By default a copy of the sample
   * workspace, so that pages do not share state.
   */
  readonly workspace?: string | null;
  /** Settings of this page only: written into the copied workspace's `.vscode/settings.json`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly theme?: Theme;
  /** The display language. Without a language pack the workbench itself stays English; extensions are told this one. */
  readonly language?: 'de';
  /** In CSS pixels. Default 1280 x 800. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** One server and one browser; a page for each test. */
export interface Editor {
  readonly server: Server;
  /** Opens an editor window and waits until its workbench is there (extensions may still be starting). */
  openPage(options?: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

const WORKBENCH_TIMEOUT = 60_000;
const THEMES = { light: 'Light Modern', dark: 'Dark Modern' } as const;

/** Starts a server and a headless browser for it. The caller closes the editor. */
export async function openEditor(options: ServerOptions): Promise<Editor> {
  const server = await startServer(options);
  let browser: Browser;
  try {
    browser = await launchBrowser();
  } catch (error) {
    await server.stop();
    throw error;
  }
  let pages = 0;
  return {
    server,
    openPage: (page = {}) => {
      pages += 1;
      return openPage({ server, browser, page, copyTo: path.join(server.folder, 'workspaces', `${pages}`) });
    },
    close: async () => {
      await browser.close();
      await server.stop();
    },
  };
}

/**
 * Chromium's own sandbox needs user namespaces, which containers and root lack; it only ever opens the loopback server.
 */
export function launchBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu'];
  return chromium.launch({ executablePath: findBrowser(), args, timeout: WORKBENCH_TIMEOUT });
}

/** The address that opens a folder, a `.code-workspace` file or nothing (null) in a window of the server. */
export function windowUrl(
  server: Server,
  workspace: string | null,
  payload: readonly (readonly [string, string])[] = [],
): string {
  const folder = server.extension.kind === 'development' ? root : server.chat;
  const development = folder === undefined ? [] : [['extensionDevelopmentPath', toRemote(folder)]];
  const query = new URLSearchParams({
    tkn: server.token,
    ...nameWorkspace(workspace),
    payload: JSON.stringify([...development, ['skipWelcome', 'true'], ...payload]),
  });
  return `${server.url}?${query}`;
}

function nameWorkspace(workspace: string | null): Record<string, string> {
  if (workspace === null) return { ew: 'true' };
  return workspace.endsWith('.code-workspace') ? { workspace } : { folder: workspace };
}

/** A path as the browser's workbench names a file of the server's machine. */
export function toRemote(file: string): string {
  return `vscode-remote://remote${path.resolve(file)}`;
}

async function openPage(run: { server: Server; browser: Browser; page: PageOptions; copyTo: string }): Promise<Page> {
  const { server, browser, page: options } = run;
  const workspace = options.workspace === undefined ? copySampleWorkspace(run.copyTo) : options.workspace;
  const settings = { 'workbench.colorTheme': THEMES[options.theme ?? 'dark'], ...options.settings };
  if (options.workspace === undefined && workspace !== null) {
    fs.mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
    fs.writeFileSync(path.join(workspace, '.vscode/settings.json'), JSON.stringify(settings, null, 2));
  }
  const page = await browser.newPage({
    viewport: options.size ?? { width: 1280, height: 800 },
    colorScheme: options.theme ?? 'dark',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  watchPage(page);
  page.setDefaultTimeout(WORKBENCH_TIMEOUT);
  // Set as the texts of a language pack would set it.
  const { language } = options;
  if (language !== undefined) await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${language}'`);
  await page.goto(windowUrl(server, workspace));
  await page.waitForSelector('.monaco-workbench .part.statusbar', { timeout: WORKBENCH_TIMEOUT });
  return page;
}

/**
 * Copies the sample workspace into a folder, so that what is done in it does not touch the project; returns its path.
 */
export function copySampleWorkspace(folder: string): string {
  const target = path.join(folder, 'shipping-rates');
  fs.cpSync(SAMPLE_WORKSPACE, target, { recursive: true });
  return target;
}
