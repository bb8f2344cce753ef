import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { bundleWebview, launchBrowser, openWebview, readText, type WebviewPage } from './page.ts';
import { view, workingView } from './sample.ts';
import { dark, highContrast, light } from './themes.ts';

/** The limit that the extension sets itself for the script of its view, in bytes. */
const MAX_SCRIPT_BYTES = 350_000;

describe('the view', function () {
  this.timeout(30_000);
  let browser: Browser;
  let web: WebviewPage;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    web = await openWebview(browser);
  });
  afterEach(async () => {
    assert.deepEqual(web.problems, []);
    await web.page.close();
  });
  const press = (name: string) => web.page.getByRole('button', { name, exact: true }).click();

  it('says that it is ready, once', async () => {
    await web.show(view());
    assert.deepEqual(await web.page.evaluate(() => window.karlIntents), [{ type: 'ready' }]);
  });

  it('keeps the newest snapshot, whatever the order in which they arrive', async () => {
    const titled = (revision: number, title: string) =>
      view({ revision, conversation: { id: 'one', title, model: 'm' } });
    await web.show(titled(5, 'five'));
    await web.show(titled(4, 'four'));
    assert.equal(await readText(web.page.locator('h1')), 'five');
    await web.show(titled(6, 'six'));
    assert.equal(await readText(web.page.locator('h1')), 'six');
  });

  it('takes messages from its own host only', async () => {
    await web.show(view());
    const conversation = { id: 'one', title: 'theirs', model: 'm' };
    for (const origin of ['https://evil.test', 'null', ''])
      await web.page.evaluate(
        ([data, from]) => window.dispatchEvent(new MessageEvent('message', { data, origin: from })),
        [{ type: 'state', state: view({ revision: 9, conversation }) }, origin] as const,
      );
    await web.show(view({ revision: 8 }));
    assert.equal(await readText(web.page.locator('h1')), 'Fix the flaky login test');
  });

  for (const [name, value] of Object.entries<unknown>({
    nothing: null,
    text: 'state',
    'another type': { type: 'run' },
    'a state without lists': { type: 'state', state: { revision: 9 } },
    'a state without a revision': { type: 'state', state: { ...view(), revision: 'x' } },
  })) {
    it(`warns about and ignores ${name}`, async () => {
      await web.show(view());
      await web.post(value);
      assert.equal(web.warnings.length, 1);
      assert.match(web.warnings[0] ?? '', /ignored a message/);
      assert.equal(await readText(web.page.locator('h1')), 'Fix the flaky login test');
    });
  }

  it('invites to begin when nothing is open', async () => {
    const { conversation: _none, gauge: _noGauge, ...empty } = view();
    await web.show(empty);
    assert.match(await readText(web.page.locator('karl-empty-state .welcome')), /fixed token budget/);
    await press('New conversation');
    await press('Open sample conversation');
    await press('Select model');
    assert.deepEqual(await web.intents(), [
      { type: 'new-conversation' },
      { type: 'open-sample' },
      { type: 'select-model' },
    ]);
  });

  it('compresses, compresses with another strategy, opens the log', async () => {
    await web.show(view());
    await press('Compress');
    await press('Compress with another strategy');
    await press("Open today's log");
    assert.deepEqual(await web.intents(), [{ type: 'compress' }, { type: 'compress-with' }, { type: 'open-log' }]);
  });

  it('cannot compress twice at once, and can cancel the one that runs', async () => {
    await web.show(view({ activity: { kind: 'compacting', label: 'Compressing with adaptive' } }));
    await web.page.getByText('Compress', { exact: true }).click({ force: true });
    assert.deepEqual(await web.intents(), []);
    assert.equal(await readText(web.page.locator('karl-activity .line span')), 'Compressing with adaptive');
    await press('Stop');
    assert.deepEqual(await web.intents(), [{ type: 'cancel' }]);
  });

  it('keeps notices in sight with the actions that lead on', async () => {
    const actions = [
      { id: 'retry', label: 'Retry' },
      { id: 'log', label: 'Open log' },
    ];
    await web.show(
      view({ notices: [{ id: 'down', severity: 'error', text: 'The server does not answer.', actions }] }),
    );
    assert.match(await readText(web.page.getByRole('alert')), /does not answer/);
    await press('Open log');
    assert.deepEqual(await web.intents(), [{ type: 'notice', id: 'down', action: 'log' }]);
  });

  for (const theme of [light, dark, highContrast]) {
    it(`takes its colours from the theme: ${theme.name}`, async () => {
      const themed = await openWebview(browser, { theme });
      await themed.show(workingView());
      const colour = await themed.page.locator('h1').evaluate((title) => {
        const [red, green, blue] = getComputedStyle(title).color.match(/\d+/g)?.map(Number) ?? [];
        return `#${[red, green, blue].map((part) => (part ?? 0).toString(16).padStart(2, '0')).join('')}`;
      });
      assert.equal(colour, theme.variables.foreground);
      assert.deepEqual(themed.problems, []);
      assert.deepEqual(themed.requests, []);
      await themed.page.close();
    });
  }

  it('is a small script', async () => {
    const bytes = Buffer.byteLength(await bundleWebview());
    assert.ok(bytes < MAX_SCRIPT_BYTES, `${bytes} bytes`);
  });
});
