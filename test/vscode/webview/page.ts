import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Frame, Locator, Page } from 'playwright-core';
import type { Sentences } from '../../../src/language/language.ts';
import { type FromWebview, parseFromWebview } from '../../../src/protocol/fromWebview.ts';
import { webviewHtml } from '../../../src/protocol/html.ts';
import type { ToWebview, ViewState } from '../../../src/protocol/viewState.ts';
import { launchBrowser } from '../harness/editor.ts';
import { watchPage } from '../harness/failurePictures.ts';
import { view } from './sample.ts';
import { dark, type Theme } from './themes.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Intents that a page sends without an action of the user. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(['ready', 'keep-page', 'focused']);
/** The time limit of every step, ms. */
const TIMEOUT = 60_000;

/** The origin of the pages; set by `serve`. */
let origin = '';
/** The served pages, by path. */
const pages = new Map<string, string>();

/** Serves pages, and their scripts, which the browser caches. */
async function serve(): Promise<void> {
  if (origin !== '') return;
  const scripts = { '/webview.js': await bundleWebview(), '/highlight.js': await bundleGrammars() };
  const server = createServer(({ url = '' }, response) => {
    const script = url in scripts ? scripts[url as keyof typeof scripts] : undefined;
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
    response.setHeader('cache-control', script === undefined ? 'no-store' : 'max-age=31536000, immutable');
    response.writeHead(script === undefined && !pages.has(url) ? 404 : 200).end(script ?? pages.get(url));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The styles that VS Code adds to every webview page. */
const VSCODE_DEFAULTS = 'body { padding: 0 20px; margin: 0; background-color: transparent; }';

let script: Promise<string> | undefined;
let grammars: Promise<string> | undefined;

let browser: Promise<Browser> | undefined;

/** One browser for all suites of a process; each suite has a page with its own profile. */
async function useBrowser(): Promise<Browser> {
  browser ??= launchBrowser();
  return await browser;
}

/** Serves a page from another site than the view; returns its address. */
export function serveElsewhere(html: string): string {
  pages.set('/elsewhere', html);
  return `${origin.replace('127.0.0.1', 'localhost')}/elsewhere`;
}

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
 * One page with the view for all tests of a suite, loaded again before each test; `open` loads it with other options. A
 * test fails if the page reports a problem.
 */
export function useWebview(options: OpenOptions | 'opened by each test' = {}): WebviewPage {
  const web = new WebviewPage();
  before(() => web.launch());
  after(() => web.end());
  beforeEach(async () => {
    if (options !== 'opened by each test') await web.open(options);
  });
  afterEach(async () => {
    assert.deepEqual(web.problems, []);
    // The host must accept every intent of the page.
    const posted = web.page.isClosed() ? [] : await web.page.evaluate(() => window.karlIntents ?? []);
    for (const intent of posted) assert.deepEqual(parseFromWebview(intent), { ok: true, value: intent });
  });
  return web;
}

/** The visible text of an element, with plain spaces. */
export async function readText(locator: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden or folded is not what a reader sees.
  return (await locator.innerText()).replaceAll('\u00a0', ' ');
}

/** The accessible names of elements, or another attribute. */
export function namesOf(elements: Locator, attribute = 'aria-label'): Promise<readonly (string | null)[]> {
  return elements.evaluateAll((all, name) => all.map((one) => one.getAttribute(name)), attribute);
}

/** A computed style of an element. */
export function styleOf(element: Locator, name: keyof CSSStyleDeclaration): Promise<string> {
  return element.evaluate((it, of) => String(getComputedStyle(it)[of]), name);
}

/** The box of an element, pixels of the page. */
export async function boxOf(element: Locator) {
  const box = (await element.boundingBox()) ?? assert.fail(`${element} is not drawn`);
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** Whether a text is cut at its end. */
export function isCutOff(element: Locator): Promise<boolean> {
  return element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
}

/** Whether an element has the focus. */
export function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((it) => it.matches(':focus'));
}

/** How the view is opened. `spoken`: its language, with the sentences. */
export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: Theme;
  /** The state that an earlier page saved with `setState`. */
  readonly saved?: unknown;
  /** The page's timers take a tenth of their time. */
  readonly hurries?: true;
  /** Posted as soon as the page is ready. */
  readonly first?: ViewState;
  readonly spoken?: { readonly language: string; readonly sentences: Sentences };
}

/** The view in a page like VS Code's, which records every problem. */
export class WebviewPage {
  /** Policy violations, uncaught errors and console errors. */
  readonly problems: string[] = [];
  /** Addresses that the page requested besides itself and its scripts, and that no policy blocked. */
  readonly requests: string[] = [];
  #browser: Browser | undefined;
  #page: Page | undefined;
  readonly #path = `/${pages.size + 1}`;
  /** The revision of the newest snapshot. */
  #revision = 1;

  get page(): Page {
    return this.#page ?? assert.fail('the view is not open');
  }

  get browser(): Browser {
    return this.#browser ?? assert.fail('no browser was started');
  }

  get address(): string {
    return `${origin}${this.#path}`;
  }

  /** Uses a browser, by default that of the process. */
  async launch(browser?: Browser): Promise<void> {
    await serve();
    this.#browser = browser ?? (await useBrowser());
  }

  async end(): Promise<void> {
    await this.#page?.close();
  }

  /** Opens the view, or loads it again without any state of the previous page. */
  async open({
    width = 400,
    height = 760,
    theme = dark,
    saved,
    first,
    spoken,
    hurries,
  }: OpenOptions = {}): Promise<void> {
    this.#revision = 1;
    for (const list of [this.problems, this.requests]) list.length = 0;
    const shared = { nonce: 'r4nd0m', cspSource: origin, scriptUri: `${origin}/webview.js`, title: 'Karl' };
    const host = JSON.stringify({ variables: theme.variables, theme: theme.name, saved, first, hurries });
    const head = `<head><style>${VSCODE_DEFAULTS}</style><script>(${installFakeHost})(${host.replaceAll('<', '\\u003c')})</script>`;
    pages.set(
      this.#path,
      webviewHtml({ ...shared, ...spoken }).replace('<head>', () => head),
    );
    if (this.#page === undefined || this.#page.isClosed()) this.#page = await this.#newPage();
    const { page } = this;
    await page.mouse.move(-1, -1);
    await page.setViewportSize({ width, height });
    await page.goto(this.address);
  }

  async #newPage(): Promise<Page> {
    const page = await this.browser.newPage();
    watchPage(page);
    page.setDefaultTimeout(TIMEOUT);
    page.on('pageerror', (error) => this.problems.push(String(error)));
    page.on('console', (line) => {
      if (line.type() === 'error') this.problems.push(line.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) this.requests.push(request.url());
    });
    page.on('requestfailed', (request) => {
      const index = this.requests.indexOf(request.url());
      if (request.failure()?.errorText === 'csp' && index >= 0) this.requests.splice(index, 1);
    });
    return page;
  }

  /** Posts a message as the host does, and waits until its effect is drawn. `frame`: where the view is, if not in the page. */
  async post(message: ToWebview | unknown, frame: Page | Frame = this.page): Promise<void> {
    await frame.evaluate(async (value) => {
      const settled = new Promise((resolve) => window.addEventListener('message', resolve, { once: true }));
      window.postMessage(value, '*');
      await settled;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, message);
  }

  /** Posts a snapshot as the extension host does and waits until it is drawn. */
  async show(state: ViewState): Promise<void> {
    this.#revision = Math.max(this.#revision, state.revision);
    await this.post({ type: 'state', state });
    // Short activity is not shown, and waiting for an answer never.
    if (!['idle', 'waiting'].includes(state.activity.kind)) await this.page.locator('karl-activity .line').waitFor();
  }

  /** Shows the conversation of `view` with these fields, as the next snapshot. */
  async draw(fields: Partial<ViewState> = {}): Promise<void> {
    await this.show(view({ ...fields, revision: this.#revision + 1 }));
  }

  /** Intents since the page opened, oldest first, without those of the page itself. */
  async intents(): Promise<readonly FromWebview[]> {
    return (await this.page.evaluate(() => window.karlIntents)).filter(({ type }) => !OF_THE_PAGE.has(type));
  }

  /** The same, each as the words of its type and its values: `show-original 2 4`. */
  async asked(): Promise<readonly string[]> {
    return (await this.intents()).map((intent) => Object.values(intent).join(' '));
  }

  /** The newest intent. */
  async lastIntent(): Promise<FromWebview | undefined> {
    return (await this.intents()).at(-1);
  }

  /** The message box. */
  get input(): Locator {
    return this.page.locator('karl-composer textarea');
  }

  /** Clicks the button with this name. */
  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  /** Presses one key after the other. */
  async keys(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  savedState(): Promise<unknown> {
    return this.page.evaluate(() => window.karlSaved);
  }
}

/** Opens the view in a page of its own. */
export async function openWebview(browser: Browser, options: OpenOptions = {}): Promise<WebviewPage> {
  const web = new WebviewPage();
  await web.launch(browser);
  await web.open(options);
  return web;
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
  hurries?: true;
}): void {
  const { setTimeout: later } = window;
  if (given.hurries) Object.assign(window, { setTimeout: (act: () => void, ms = 0) => later(act, ms / 10) });
  window.karlIntents = [];
  window.karlSaved = given.saved;
  Object.assign(window, {
    acquireVsCodeApi: () => ({
      postMessage: (intent: FromWebview) => {
        window.karlIntents.push(intent);
        if (intent.type === 'ready' && given.first) window.postMessage({ type: 'state', state: given.first }, '*');
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
