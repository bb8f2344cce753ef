import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { MessageState } from '../../../src/protocol/viewState.ts';
import { launchBrowser, openWebview, readText, type WebviewPage } from './page.ts';
import { message, view, workingView } from './sample.ts';

/** Alternating messages of some lines each. */
function longConversation(count: number, from = 0): MessageState[] {
  return Array.from({ length: count }, (_, index) =>
    message({
      id: from + index,
      role: index % 2 === 0 ? 'user' : 'assistant',
      text: `message ${from + index}\n\n${'some words that fill a line or two of the view. '.repeat(4)}`,
    }),
  );
}

describe('the conversation', function () {
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

  const scroller = () => web.page.locator('karl-conversation .scroller');
  const distanceToEnd = () =>
    scroller().evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  const entry = (id: number) => web.page.locator('karl-message', { hasText: new RegExp(`message ${id}\\b`) });
  const topOf = async (id: number) => (await entry(id).boundingBox())?.y ?? Number.NaN;

  describe('what it shows', () => {
    beforeEach(() => web.show(workingView()));

    it('renders what the model wrote as Markdown', async () => {
      const last = web.page.locator('karl-message').last();
      assert.equal(await readText(last.locator('table td').first()), 'local');
      assert.match(await readText(last.locator('pre code')), /expiresAt < Date\.now\(\)/);
      assert.equal(await last.locator('article').getAttribute('aria-busy'), 'true');
    });

    it('shows what the user wrote as it was typed', async () => {
      await web.show(
        view({ revision: 2, messages: [message({ id: 0, role: 'user', text: '# not a *heading*\n  two  spaces' })] }),
      );
      assert.equal(await readText(web.page.locator('karl-message .text')), '# not a *heading*\n  two  spaces');
    });

    it('folds the system prompt, reasoning, calls and results behind one line', async () => {
      const folds = await web.page
        .locator('karl-message details')
        .evaluateAll((all) =>
          all.map((each) => `${each.querySelector('.fold-title')?.textContent} ${(each as HTMLDetailsElement).open}`),
        );
      assert.deepEqual(folds, [
        'System prompt false',
        'Reasoning false',
        'read_file false',
        'search_text false',
        'read_file result false',
        'search_text result false',
      ]);
    });

    it('unfolds with the keyboard, and stays unfolded when the next snapshot arrives', async () => {
      const fold = web.page.locator('karl-message details', { hasText: 'read_file result' });
      await fold.locator('summary').focus();
      await web.page.keyboard.press('Enter');
      assert.match(await readText(fold.locator('pre')), /await renew\(session\)/);
      await web.show({ ...workingView(), revision: 2 });
      assert.equal(await fold.evaluate((element) => (element as HTMLDetailsElement).open), true);
    });

    it('says what a call is about without unfolding it', async () => {
      const previews = await web.page.locator('karl-message .fold-preview').allInnerTexts();
      assert.ok(previews.includes('src/session/refresh.ts'));
      assert.ok(previews.includes('expiresAt <'));
    });

    it('shows arguments that are no JSON as they came', async () => {
      const calls = [{ name: 'run', arguments: '{"command": "npm te' }];
      await web.show(view({ revision: 2, messages: [message({ id: 0, role: 'assistant', text: '', calls })] }));
      assert.equal(await readText(web.page.locator('.fold-preview')), '{"command": "npm te');
    });

    it('marks what is shortened, pinned, interrupted or a summary of more', async () => {
      assert.match(
        await readText(web.page.locator('karl-message article', { hasText: 'read_file result' }).last()),
        /shortened/,
      );
      assert.match(await readText(web.page.locator('karl-message article', { hasText: 'It still fails' })), /pinned/);
      assert.match(await readText(web.page.locator('karl-message article').nth(1)), /^Summary/);
      await web.show(view({ revision: 2, messages: [message({ id: 0, role: 'assistant', interrupted: true })] }));
      assert.match(await readText(web.page.locator('karl-message article')), /Interrupted/);
    });
  });

  describe('what it asks for', () => {
    it('pins, unpins and copies a message by its id', async () => {
      const messages = [message({ id: 4, role: 'user' }), message({ id: 9, role: 'assistant', pinned: true })];
      await web.show(view({ messages }));
      await web.page.locator('karl-message').first().hover();
      await web.page.getByRole('button', { name: /^Pin/ }).click();
      await web.page.locator('karl-message').first().getByRole('button', { name: 'Copy' }).click();
      await web.page.locator('karl-message').last().hover();
      await web.page.getByRole('button', { name: 'Unpin' }).click();
      assert.deepEqual(await web.intents(), [
        { type: 'pin', id: 4 },
        { type: 'copy', role: 'user', id: 4 },
        { type: 'unpin', id: 9 },
      ]);
    });

    it('reaches the actions with the keyboard', async () => {
      await web.show(view({ messages: [message({ id: 4, role: 'user' })] }));
      await scroller().focus();
      await web.page.keyboard.press('Tab');
      await web.page.keyboard.press('Enter');
      assert.deepEqual(await web.intents(), [{ type: 'pin', id: 4 }]);
    });

    it('offers no pin for a summary or the prompt, and none when read-only', async () => {
      const kept = [message({ id: 0, role: 'system' }), message({ id: 1, role: 'note', state: 'replaced' })];
      await web.show(view({ messages: kept }));
      assert.equal(await web.page.getByRole('button', { name: /^Pin/ }).count(), 0);
      const conversation = { id: 'one', title: 't', model: 'm', readOnly: 'elsewhere' };
      await web.show(view({ revision: 2, conversation, messages: [message({ id: 2, role: 'user' })] }));
      assert.equal(await web.page.getByRole('button', { name: /^Pin/ }).count(), 0);
    });

    it('brings the whole of a long text and shows it', async () => {
      const head = 'x '.repeat(2000).trim();
      const long = message({ id: 5, role: 'user', text: head, truncated: true, tokens: 5000 });
      await web.show(view({ messages: [long] }));
      await web.page.getByRole('button', { name: 'Show the whole text (5,000 tokens)' }).click();
      assert.deepEqual(await web.intents(), [{ type: 'expand', role: 'user', id: 5 }]);
      const whole = `${head} and the end of 10,000 characters`;
      await web.post({ type: 'expanded', role: 'user', id: 5, text: whole });
      assert.equal(await readText(web.page.locator('karl-message .text')), whole);
      await web.show(view({ revision: 2, messages: [{ ...long }] }));
      assert.equal(
        await readText(web.page.locator('karl-message .text')),
        whole,
        'an unchanged message stays expanded',
      );
      await web.show(view({ revision: 3, messages: [{ ...long, text: 'another text' }] }));
      assert.equal(await readText(web.page.locator('karl-message .text')), 'another text');
    });

    it('asks for earlier messages', async () => {
      await web.show(view({ earlier: 1200, messages: longConversation(2) }));
      await web.page.getByRole('button', { name: 'Show 1,200 earlier messages' }).click();
      assert.deepEqual(await web.intents(), [{ type: 'load-earlier' }]);
    });
  });

  describe('where it stands', () => {
    it('opens at the end and follows what streams in', async () => {
      const messages = longConversation(30);
      await web.show(view({ messages }));
      assert.ok((await distanceToEnd()) <= 1);
      const streaming = message({ id: 30, role: 'assistant', streaming: true, text: 'word '.repeat(400) });
      await web.show(view({ revision: 2, messages: [...messages, streaming] }));
      assert.ok((await distanceToEnd()) <= 1);
    });

    it('stays with what is being read while more arrives below', async () => {
      const messages = longConversation(40);
      await web.show(view({ messages }));
      await scroller().evaluate((element) => element.scrollTo(0, 900));
      await web.page.getByRole('button', { name: 'Latest message' }).waitFor();
      const before = await scroller().evaluate((element) => element.scrollTop);
      await web.show(
        view({
          revision: 2,
          messages: [...messages, message({ id: 40, role: 'assistant', text: 'word '.repeat(400) })],
        }),
      );
      assert.equal(await scroller().evaluate((element) => element.scrollTop), before);
    });

    it('stays with what is being read when earlier messages come in above', async () => {
      const messages = longConversation(40, 100);
      await web.show(view({ earlier: 60, messages }));
      await scroller().evaluate((element) => element.scrollTo(0, 0));
      await web.page.getByRole('button', { name: 'Latest message' }).waitFor();
      const before = await topOf(100);
      await web.show(view({ revision: 2, messages: [...longConversation(60, 40), ...messages] }));
      assert.ok(Math.abs((await topOf(100)) - before) <= 2, `${await topOf(100)} is not ${before}`);
    });

    it('stays with what is being read when a message above it shrinks', async () => {
      const messages = longConversation(40);
      await web.show(view({ messages }));
      await entry(20).evaluate((element) => element.scrollIntoView());
      await web.page.getByRole('button', { name: 'Latest message' }).waitFor();
      const before = await topOf(20);
      const shrunk = messages.map((each) => (each.id < 12 ? { ...each, text: 'gone' } : each));
      await web.show(view({ revision: 2, messages: shrunk }));
      assert.ok(Math.abs((await topOf(20)) - before) <= 2, `${await topOf(20)} is not ${before}`);
    });

    it('goes to the end when the reader sends something', async () => {
      await web.show(view({ messages: longConversation(40) }));
      await scroller().evaluate((element) => element.scrollTo(0, 300));
      await web.page.getByRole('button', { name: 'Latest message' }).waitFor();
      await web.page.locator('karl-composer textarea').fill('and now?');
      await web.page.keyboard.press('Enter');
      assert.ok((await distanceToEnd()) <= 1);
    });

    it('goes back to the end on request and follows again', async () => {
      const messages = longConversation(40);
      await web.show(view({ messages }));
      await scroller().evaluate((element) => element.scrollTo(0, 300));
      await web.page.getByRole('button', { name: 'Latest message' }).click();
      assert.ok((await distanceToEnd()) <= 1);
      await web.show(view({ revision: 2, messages: [...messages, message({ id: 40, role: 'user' })] }));
      assert.ok((await distanceToEnd()) <= 1);
    });
  });

  it('draws only what changed: one of 200 messages', async () => {
    const messages = longConversation(200);
    await web.show(view({ messages }));
    await web.page.evaluate(() => {
      const drawn: number[] = [];
      Object.assign(window, { drawn });
      const element = customElements.get('karl-message')?.prototype as { message: { id: number }; render(): unknown };
      const render = element.render;
      element.render = function () {
        drawn.push(this.message.id);
        return render.call(this);
      };
    });
    const next = messages.map((each) => (each.id === 137 ? { ...each, text: `${each.text} more` } : { ...each }));
    await web.show(view({ revision: 2, messages: next }));
    assert.deepEqual(await web.page.evaluate(() => (window as unknown as { drawn: number[] }).drawn), [137]);
    assert.match(await readText(entry(137).locator('.text')), /more$/);
  });

  it('fits the narrowest side bar: nothing is wider than 280 pixels', async () => {
    await web.page.setViewportSize({ width: 280, height: 700 });
    const wide = 'a_very_long_identifier_without_any_place_to_break'.repeat(10);
    const messages = (['user', 'assistant', 'note', 'tool', 'system'] as const).map((role, id) =>
      message({ id, role, text: wide }),
    );
    await web.show({ ...workingView(), messages, queued: [wide], conversation: { id: 'w', title: wide, model: wide } });
    const width = await scroller().evaluate((element) => element.scrollWidth);
    assert.ok(width <= 280, `${width} pixels`);
    assert.ok((await web.page.evaluate(() => document.documentElement.scrollWidth)) <= 280);
    for (const name of ['Compress', 'Queue']) {
      const box = await web.page.getByRole('button', { name, exact: true }).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 280, `${name} is in view`);
    }
  });
});
