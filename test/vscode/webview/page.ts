import assert from 'node:assert/strict';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Sentences } from '../../../src/core/language.ts';
import type { FromWebview } from '../../../src/protocol/fromWebview.ts';
import { webviewHtml } from '../../../src/protocol/html.ts';
import type { ToWebview, ViewState } from '../../../src/protocol/viewState.ts';
import { launchBrowser } from '../harness/editor.ts';
import { watchPage } from '../harness/failurePictures.ts';
import { dark, type Theme } from './themes.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** What a page sends of itself, not for something that the user does. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(['ready', 'keep-page', 'focused']);
/** Ends what hangs, ms. */
const TIMEOUT = 60_000;

const ORIGIN = 'https://karl-view.test';

/** What VS Code itself puts into every webview page, before the page's own policy is in force. */
const VSCODE_DEFAULTS = 'body { padding: 0 20px; margin: 0; background-color: transparent; }';

let script: Promise<string> | undefined;
let grammars: Promise<string> | undefined;

/** The webview's script as the extension ships it: one file, minified. */
export function bundleWebview(): Promise<string> {
  script ??= bundle('src/webview/main.ts');
  return script;
}

/** The grammars that colour code, as the extension ships them. */
export function bundleGrammars(): Promise<string> {
  grammars ??= bundle('src/webview/code/languages.ts');
  return grammars;
}

/** A module of the webview by itself, as a script that sets the global `name` to its exports. */
export function bundle(entry: string, name?: string): Promise<string> {
  return build({
    entryPoints: [path.join(ROOT, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    ...(name ? { globalName: name } : {}),
    platform: 'browser',
    target: 'es2024',
    loader: { '.svg': 'text' },
    legalComments: 'none',
    logLevel: 'silent',
  }).then((result) => {
    const file = result.outputFiles[0];
    assert.ok(file);
    return file.text;
  });
}

/**
 * A page of its own with the view for each test of a suite, in one browser; a test during which anything went wrong
 * fails.
 */
export function eachWithWebview(open: (web: WebviewPage) => Promise<void>): void {
  let browser: Browser;
  let web: WebviewPage;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    web = await openWebview(browser);
    await open(web);
  });
  afterEach(async () => {
    assert.deepEqual(web.problems, []);
    await web.page.close();
  });
}

/** What a reader sees there, with plain spaces. */
export async function readText(locator: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden or folded is not what a reader sees.
  return (await locator.innerText()).replaceAll('\u00a0', ' ');
}

/** The view in a page like VS Code's, with everything that went wrong in it written down. */
export interface WebviewPage {
  readonly page: Page;
  /**
   * Posts a snapshot as the extension host does and waits until it is drawn. `received`: how many messages of the page
   * had arrived; all, without it.
   */
  show(state: ViewState, received?: number): Promise<void>;
  post(message: ToWebview | unknown): Promise<void>;
  /** Intents since the page opened, oldest first, without those of the page itself. */
  intents(): Promise<readonly FromWebview[]>;
  /** Policy violations, uncaught errors and console errors. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** Addresses that the page asked for, besides itself and its script. */
  readonly requests: readonly string[];
  savedState(): Promise<unknown>;
}

/** How the view is opened; `spoken`: in which language, with which sentences. */
export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: Theme;
  readonly saved?: unknown;
  readonly first?: ViewState;
  readonly spoken?: { readonly language: string; readonly sentences: Sentences };
}

/**
 * Opens the view. `saved` is what an earlier page kept with `setState`; `first` is posted as soon as the page is ready.
 */
export async function openWebview(browser: Browser, options: OpenOptions = {}): Promise<WebviewPage> {
  const theme = options.theme ?? dark;
  const page = await browser.newPage({ viewport: { width: options.width ?? 400, height: options.height ?? 760 } });
  watchPage(page);
  page.setDefaultTimeout(TIMEOUT);
  const problems: string[] = [];
  const warnings: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (line) => {
    if (line.type() === 'error') problems.push(line.text());
    if (line.type() === 'warning') warnings.push(line.text());
  });
  const shared = { nonce: 'r4nd0m', cspSource: ORIGIN, scriptUri: `${ORIGIN}/webview.js`, title: 'Karl' };
  const html = webviewHtml({ ...shared, ...options.spoken });
  const body = html.replace('<head>', `<head><style>${VSCODE_DEFAULTS}</style>`);
  await page.route('**/*', async (route) => {
    const url = route.request().url();
    if (url === `${ORIGIN}/`) return route.fulfill({ contentType: 'text/html', body });
    if (url === `${ORIGIN}/webview.js`)
      return route.fulfill({ contentType: 'text/javascript', body: await bundleWebview() });
    if (url === `${ORIGIN}/highlight.js`)
      return route.fulfill({ contentType: 'text/javascript', body: await bundleGrammars() });
    requests.push(url);
    return route.abort();
  });
  const { saved, first } = options;
  await page.addInitScript(installFakeHost, { variables: theme.variables, theme: theme.name, saved, first });
  await page.goto(`${ORIGIN}/`);
  const post = (message: unknown) =>
    page.evaluate(async (value) => {
      const settled = new Promise((resolve) => window.addEventListener('message', resolve, { once: true }));
      window.postMessage(value, '*');
      await settled;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, message);
  return {
    page,
    post,
    show: async (state, received) => {
      const sent = () => window.karlIntents.filter(({ type }) => type === 'send' || type === 'resend').length;
      await post({ type: 'state', state, received: received ?? (await page.evaluate(sent)) });
      // Activity is shown only when it lasts.
      if (state.activity.kind !== 'idle') await page.locator('karl-activity .line').waitFor({ state: 'attached' });
    },
    intents: async () => (await page.evaluate(() => window.karlIntents)).filter(({ type }) => !OF_THE_PAGE.has(type)),
    savedState: () => page.evaluate(() => window.karlSaved),
    problems,
    warnings,
    requests,
  };
}

declare global {
  interface Window {
    karlIntents: FromWebview[];
    karlSaved: unknown;
    karlExecuted?: string;
  }
}

/** Runs in the page before its script: the theme, the API object, and a record of every policy violation. */
function installFakeHost(given: {
  variables: Readonly<Record<string, string>>;
  theme: string;
  saved: unknown;
  first: ViewState | undefined;
}): void {
  window.karlIntents = [];
  window.karlSaved = given.saved;
  Object.assign(window, {
    acquireVsCodeApi: () => ({
      postMessage: (intent: FromWebview) => {
        window.karlIntents.push(intent);
        if (intent.type === 'ready' && given.first)
          window.postMessage({ type: 'state', state: given.first, received: 0 }, '*');
      },
      getState: () => window.karlSaved,
      setState: (state: unknown) => {
        window.karlSaved = state;
      },
    }),
  });
  document.addEventListener('securitypolicyviolation', (event) =>
    console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`),
  );
  document.addEventListener('DOMContentLoaded', () => {
    document.body.classList.add(`vscode-${given.theme}`);
    for (const [name, value] of Object.entries(given.variables))
      document.documentElement.style.setProperty(`--vscode-${name}`, value);
  });
}
