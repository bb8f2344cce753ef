import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { MessageEntry } from '../../../../src/protocol/entries.ts';
import { expectCount, waitFor } from '../../harness/tries.ts';
import { readText, styleOf, useWebview } from '../page.ts';
import { call, compressed, compression, message, NOTE, note, requestView, view, workingView } from '../sample.ts';

/** Alternating messages of some lines each. */
function longConversation(count: number, from = 0): MessageEntry[] {
  return Array.from({ length: count }, (_, index) =>
    message({
      id: from + index,
      role: index % 2 === 0 ? 'user' : 'assistant',
      text: `message ${from + index}\n\n${'some words that fill a line or two of the view. '.repeat(4)}`,
    }),
  );
}

describe('the conversation', () => {
  const web = useWebview();

  const scroller = () => web.page.locator('karl-conversation .scroller');
  const distanceToEnd = () =>
    scroller().evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  /** A row that comes into sight may turn out higher than was assumed, and the place is corrected in the next frame. */
  const untilAtEnd = () => waitFor(distanceToEnd, (distance) => distance <= 1, { what: 'the distance to the end is' });
  const entry = (id: number) => web.page.locator('karl-message', { hasText: new RegExp(`message ${id}\\b`) });
  const topOf = async (id: number) => (await entry(id).boundingBox())?.y ?? Number.NaN;

  const untilStands = (id: number, at: number, off = 2) =>
    waitFor(
      () => topOf(id),
      (top) => Math.abs(top - at) <= off,
      { what: `message ${id}, which should stay at ${at}, is` },
    );

  const latest = () => web.page.getByRole('button', { name: 'Latest message' });
  const scrollTo = (top: number) => scroller().evaluate((element, to) => element.scrollTo(0, to), top);
  /** Scrolls to a place that is not the end. */
  const readAt = async (top: number) => {
    await scrollTo(top);
    await latest().waitFor();
  };

  /** What was asked for, except for what a click caused that had to scroll first. */
  const asked = async () => (await web.asked()).filter((one) => !one.startsWith('read-from'));

  describe('what it shows', () => {
    beforeEach(() => web.show(workingView()));

    it('shows each paragraph the way that its letters run, with code as it is', async () => {
      const hebrew = 'מה קורה כאן, file.ts (שורה 3)';
      const entries = [
        message({ id: 1, role: 'user', text: `${hebrew}\nfile.ts` }),
        message({ id: 2, role: 'assistant', text: `${hebrew} \`a(b)\`\n\nfile.ts` }),
      ];
      const shown = view({ revision: 2, entries });
      await web.show({ ...shown, conversation: { ...(shown.conversation ?? assert.fail()), title: hebrew } });
      /** Whether the first letter of each piece of text in an element begins at its right. */
      const runLeft = (element: Locator) =>
        element.evaluate((root) => {
          const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
          const found: boolean[] = [];
          for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
            for (const { index } of node.textContent?.matchAll(/[^\n]+/g) ?? []) {
              const range = document.createRange();
              range.setStart(node, index);
              range.setEnd(node, index + 1);
              const box = root.getBoundingClientRect();
              const letter = range.getBoundingClientRect();
              found.push(letter.left - box.left > box.right - letter.right);
            }
          return found;
        });
      assert.deepEqual(await runLeft(web.page.locator('karl-message .plain-text')), [true, false]);
      assert.deepEqual(await runLeft(web.page.locator('.markdown p').first()), [true, false]);
      assert.deepEqual(await runLeft(web.page.locator('.markdown p').last()), [false]);
      assert.deepEqual(await runLeft(web.page.locator('h1').first()), [true]);
      await web.input.fill(hebrew);
      assert.equal(await styleOf(web.input, 'direction'), 'rtl');
    });

    it('renders what the model wrote as Markdown', async () => {
      const last = web.page.locator('karl-message').last();
      assert.equal(await readText(last.locator('table td').first()), 'local');
      assert.match(await readText(last.locator('pre code')), /expiresAt < Date\.now\(\)/);
      assert.equal(await last.locator('article').getAttribute('aria-busy'), 'true');
    });

    it('shows what the user wrote as it was typed', async () => {
      await web.draw({ entries: [message({ id: 0, role: 'user', text: '# not a *heading*\n  two  spaces' })] });
      assert.equal(await readText(web.page.locator('karl-message .text')), '# not a *heading*\n  two  spaces');
    });

    it('has a line for a call with its result, and folds the system prompt and reasoning', async () => {
      const lines = await web.page.locator('karl-call').evaluateAll((all) =>
        all.map((each) => {
          const words = [...(each.shadowRoot?.querySelectorAll('.name, .target, .detail, .mark, .size') ?? [])];
          return words.map((word) => word.textContent?.trim()).join(' | ');
        }),
      );
      assert.deepEqual(lines, [
        'read_file | src/session/cookie.ts | 212 lines | summarized | 2.8k',
        'run_command | npm test -- login | exit 1 | dropped | 1.5k',
        'read_file | src/session/refresh.ts:1-40 | 40 lines | shortened | 412',
        'search_text | expiresAt < | 2 lines | 96',
      ]);
      const folds = await web.page.locator('karl-message .fold-title').allTextContents();
      assert.deepEqual(folds, ['System prompt', 'Reasoning']);
    });

    it('unfolds a call with the keyboard, asks for what is in it, and stays unfolded with the next snapshot', async () => {
      const row = web.page.locator('karl-call').nth(2);
      await row.locator('summary').focus();
      await web.keys('Enter');
      await row.getByText('Loading').waitFor();
      assert.deepEqual(await asked(), ['expand c42.0']);
      const texts = ['path: src/session/refresh.ts', 'await renew(session);\n[t43 · 212 more lines]'];
      await web.post({ type: 'expanded', key: 'c42.0', texts });
      assert.equal(await readText(row.locator('pre').first()), texts[0]);
      assert.equal(await readText(row.locator('pre').last()), texts[1]);
      assert.equal(await row.getByRole('button', { name: 'Go to message t43' }).count(), 1);
      await web.draw(workingView());
      assert.equal(await readText(row.locator('pre').first()), texts[0]);
      const entries = workingView().entries.map((entry) =>
        entry.key === 'c42.0' && entry.kind === 'call' ? { ...entry, sent: 'dropped' as const } : entry,
      );
      await web.draw({ ...workingView(), entries });
      assert.equal((await asked()).length, 2, 'what has changed is asked for again');
    });

    it('dims and tags what is not sent, and opens the original of it', async () => {
      const colours = await web.page
        .locator('karl-message .text')
        .evaluateAll((all) => all.map((each) => getComputedStyle(each).color));
      assert.notEqual(colours[1], colours[0], 'a message that is summarized has another colour than one that is sent');
      const tag = web.page.getByRole('button', { name: 'summarized: show original of message 2', exact: true });
      assert.equal(await readText(tag), 'summarized');
      await tag.click();
      await web.press('shortened: show original of messages 42 to 43');
      assert.deepEqual(await asked(), ['show-original 2 2', 'show-original 42 43']);
    });

    it('says where a reply broke off, and goes on with it', async () => {
      const entries = [message({ id: 0, role: 'assistant', interrupted: true })];
      await web.draw({ entries, unfinished: 'The reply was interrupted.' });
      assert.match(await readText(web.page.locator('karl-message article')), /Interrupted/);
      await web.press('Continue');
      assert.deepEqual(await asked(), ['continue']);
    });
  });

  describe('its two sides', () => {
    it('are switched by a click or an arrow key, and what is shown says which it is', async () => {
      await web.show(workingView());
      const sides = web.page.getByRole('radiogroup', { name: 'What is shown' });
      assert.ok(await sides.getByRole('radio', { name: 'Full history' }).isChecked());
      await sides.getByRole('radio', { name: 'What the model sees' }).click();
      await web.draw(requestView());
      assert.ok(await sides.getByRole('radio', { name: 'What the model sees' }).isChecked());
      await web.keys('ArrowLeft');
      assert.deepEqual(await asked(), ['show request', 'show history']);
    });

    it('a text that was unfolded on one is not shown on the other', async () => {
      const long = message({ id: 5, role: 'user', text: 'head', truncated: true });
      await web.draw({ entries: [long] });
      await web.post({ type: 'expanded', key: 'm5', texts: ['the whole original'] });
      await web.draw({ shows: 'request', entries: [{ ...long, sent: 'shortened' }] });
      assert.equal(await readText(web.page.locator('karl-message .text')), 'head');
    });
  });

  describe('a handle', () => {
    const entries = () => [
      ...longConversation(40),
      call({ call: 40 }),
      message({ id: 42, role: 'assistant', text: 'See [t7] and [t12-14] and [t40].' }),
    ];
    const untilOnTop = async (id: number) => untilStands(id, (await scroller().boundingBox())?.y ?? 0, 40);

    it('goes to its message, which is marked, from any text', async () => {
      await web.draw({ entries: entries() });
      await web.press('Go to message t7');
      await web.page.locator('karl-message.found').waitFor();
      await untilOnTop(7);
      await web.press('Go to messages t12-14');
      await expectCount(web.page.locator('karl-message.found'), 3);
      await untilOnTop(12);
      await web.press('Go to message t40');
      await web.page.locator('karl-call.found').waitFor();
    });

    it('goes to a message that is not here yet as soon as it is, on the side that has it', async () => {
      await web.draw({ shows: 'request', entries: [note('See [t7].', { to: 39 }), ...entries().slice(-2)] });
      await web.page.getByRole('button', { name: 'Go to message t7' }).first().click();
      assert.deepEqual(await asked(), ['reveal 7']);
      assert.equal(await web.page.locator('.found').count(), 0);
      await web.draw({ entries: entries() });
      await web.page.locator('karl-message.found').waitFor();
      await untilOnTop(7);
    });
  });

  describe('what it asks for', () => {
    it('pins, unpins and copies a message, and opens it in the editor', async () => {
      const entries = [message({ id: 4, role: 'user' }), message({ id: 9, role: 'assistant', pinned: true })];
      await web.draw({ entries });
      await web.page.locator('karl-message').first().hover();
      await web.press('Pin: keep through every compression (message 4)');
      await web.press('Copy (message 4)');
      await web.press('Open in the editor (message 4)');
      await web.page.locator('karl-message').last().hover();
      await web.press('Unpin (message 9)');
      assert.deepEqual(await asked(), ['pin 4 true', 'copy m4', 'show-original 4 4', 'pin 9 false']);
    });

    it('opens the file of a call at its line, pins and copies the call with its result', async () => {
      await web.draw({ entries: [call({ call: 4, file: { path: 'src/a.ts', line: 12 } })] });
      await web.page.locator('karl-call').hover();
      await web.press('Open src/a.ts (messages 4 to 5)');
      await web.press('Pin: keep through every compression (messages 4 to 5)');
      await web.press('Copy (messages 4 to 5)');
      assert.deepEqual(await asked(), ['open-file src/a.ts 12', 'pin 5 true', 'copy c4.0']);
    });

    it('retries a message of the user, and sends it again after an edit', async () => {
      const [earlier, last] = [message({ id: 2, role: 'user' }), message({ id: 4, role: 'user', last: true })];
      await web.draw({ entries: [earlier, { ...last, text: 'Fix it.' }] });
      await web.input.fill('a draft');
      await web.page.locator('karl-message').first().hover();
      await web.press('Retry in a fork (message 2)');
      await web.page.locator('karl-message').last().hover();
      await web.press('Retry (message 4)');
      await web.press('Edit and send again in a fork (message 4)');
      await web.post({ type: 'edit', id: 4, text: 'Fix it, the whole text.' });
      assert.equal(await web.input.inputValue(), 'Fix it, the whole text.');
      await web.page.getByText('Editing message 4').waitFor();
      await web.input.fill('Fix it well.');
      await web.input.press('Enter');
      assert.deepEqual(await asked(), ['retry 2', 'retry 4', 'edit 4', 'resend 4 Fix it well.']);
      assert.equal(await web.input.inputValue(), 'a draft', 'what was written before is there again');
      assert.equal(await web.page.getByText('Editing message 4').count(), 0);
    });

    it('leaves an edit with Escape, keeps one over a reload, and can edit where it may not write', async () => {
      const conversation = { id: 'one', title: 't', model: 'm', readOnly: 'elsewhere' };
      const state = view({ conversation, entries: [message({ id: 4, role: 'user' })] });
      await web.show(state);
      await web.post({ type: 'edit', id: 4, text: 'Fix it.' });
      await web.open({ saved: await web.savedState() });
      await web.show(state);
      assert.equal(await web.input.inputValue(), 'Fix it.');
      assert.equal(await web.input.isDisabled(), false);
      await web.input.press('Escape');
      assert.equal(await web.input.inputValue(), '');
      assert.equal(await web.input.isDisabled(), true);
      assert.deepEqual(await web.asked(), ['stop-editing'], 'its attachments are put away');
    });

    it('edits in every page of the view, until one of them has sent the message', async () => {
      await web.draw({ entries: [message({ id: 4, role: 'user' })] });
      await web.input.fill('a draft');
      await web.post({ type: 'edit', id: 4, text: 'Fix it.' });
      await web.input.fill('Fix it well.');
      await web.post({ type: 'edit', id: 4, text: 'Fix it.' });
      assert.equal(await web.input.inputValue(), 'Fix it well.', 'who edits it already goes on');
      await web.post({ type: 'edited' });
      assert.equal(await web.input.inputValue(), 'a draft');
      assert.equal(await web.page.getByText('Editing message 4').count(), 0);
    });

    it('edits a message in each of two conversations: what was written before is there again in both', async () => {
      const enter = (id: string) =>
        web.draw({ conversation: { id, title: id, model: 'm' }, entries: [message({ id: 4, role: 'user' })] });
      for (const id of ['a', 'b']) {
        await enter(id);
        await web.input.fill(`a draft in ${id}`);
        await web.post({ type: 'edit', id: 4, text: `Edit ${id}.` });
      }
      await web.open({ saved: await web.savedState() });
      for (const id of ['a', 'b']) {
        await enter(id);
        await web.page.getByText('Editing message 4').waitFor();
        assert.equal(await web.input.inputValue(), `Edit ${id}.`);
        await web.input.press('Escape');
        assert.equal(await web.input.inputValue(), `a draft in ${id}`);
        assert.equal(await web.page.getByText('Editing message 4').count(), 0);
      }
    });

    it('offers no pin for a summary or the prompt, and none when read-only', async () => {
      await web.draw({ entries: [message({ id: 0, role: 'system' }), note(NOTE)] });
      assert.equal(await web.page.getByRole('button', { name: /^Pin/ }).count(), 0);
      const conversation = { id: 'one', title: 't', model: 'm', readOnly: 'elsewhere' };
      await web.draw({ conversation, entries: [message({ id: 2, role: 'user' }), call({ call: 3 })] });
      assert.equal(await web.page.getByRole('button', { name: /^Pin/ }).count(), 0);
    });

    it('brings the whole of a long text and shows it', async () => {
      const head = 'x '.repeat(2000).trim();
      const long = message({ id: 5, role: 'user', text: head, truncated: true, tokens: 5000 });
      await web.draw({ entries: [long] });
      await web.press('Show the whole text (5,000 tokens) (message 5)');
      assert.deepEqual(await asked(), ['expand m5']);
      const whole = `${head} and the end of 10,000 characters`;
      await web.post({ type: 'expanded', key: 'm5', texts: [whole] });
      const text = web.page.locator('karl-message .text');
      assert.equal(await readText(text), whole);
      await web.draw({ entries: [{ ...long }] });
      assert.equal(await readText(text), whole, 'an unchanged message stays expanded');
      await web.draw({ entries: [{ ...long, text: 'another text' }] });
      assert.equal(await readText(text), 'another text');
    });

    it('asks for earlier and later messages', async () => {
      await web.draw({ earlier: 1200, entries: longConversation(100, 1200), later: 50 });
      await web.press('Show 1,200 earlier messages');
      await web.press('Show 50 later messages');
      // Rows that are to stay while the reader scrolls are asked for before the first click or not at all.
      assert.deepEqual((await web.asked()).slice(-2), ['read-from 1140', 'read-from 1260']);
    });
  });

  it('leaves the keyboard at the row that was next, in sight, when there are no earlier messages any more', async () => {
    await web.draw({ earlier: 30, entries: longConversation(40, 30) });
    await web.page.getByRole('button', { name: 'Show 30 earlier messages' }).focus();
    await web.keys('Enter');
    await web.draw({ entries: longConversation(70) });
    const focused = web.page.locator('karl-conversation .row:focus');
    assert.match((await focused.getAttribute('aria-label')) ?? '', /message 30\b/);
    const edge = (await scroller().boundingBox())?.y ?? Number.NaN;
    const rowTop = async () => (await focused.boundingBox())?.y ?? Number.NaN;
    await waitFor(rowTop, (top) => top >= edge - 1, { what: `the row, below ${edge}, is at` });
  });

  describe('later messages', () => {
    const together = (count: number) =>
      Array.from({ length: count }, (_, index) => call({ call: 11, key: `c11.${index}`, result: 12 + index }));
    const inTurn = Array.from({ length: 80 }, (_, at) =>
      call({ call: 12 + 2 * at, key: `c${12 + 2 * at}.0`, result: 13 + 2 * at }),
    );
    const later = () => web.page.getByRole('button', { name: /^Show .* later messages?$/ });
    for (const [what, entries, id] of [
      ['calls that were made together, however many', [...together(80), ...longConversation(20, 92)], 92],
      ['the last row where all rows are calls that were made together', together(80), 92],
      ['60 rows where all are calls that were made one by one', inTurn, 132],
    ] as const)
      it(`go on after ${what}`, async () => {
        await web.draw({ earlier: 11, entries, later: 500 });
        await later().click();
        assert.deepEqual(await web.lastIntent(), { type: 'read-from', id });
      });

    it('leave the keyboard at the row that was last when there are no more of them', async () => {
      await web.draw({ entries: longConversation(70), later: 30 });
      await later().focus();
      await web.keys('Enter');
      await web.draw({ earlier: 60, entries: longConversation(40, 60) });
      const focused = web.page.locator('karl-conversation .row:focus');
      assert.match((await focused.getAttribute('aria-label')) ?? '', /message 69\b/);
    });
  });

  describe('its place', () => {
    const streamed = message({ id: 40, role: 'assistant', streaming: true, text: 'word '.repeat(400) });

    it('opens at the end and follows what streams in', async () => {
      await web.draw({ entries: longConversation(40) });
      await untilAtEnd();
      await web.draw({ entries: [...longConversation(40), streamed] });
      await untilAtEnd();
    });

    it('stays at the end while the side bar is dragged narrower', async () => {
      await web.draw({ entries: longConversation(30) });
      await untilAtEnd();
      await web.page.locator('karl-conversation').evaluate(async (element) => {
        // In steps that come between two frames: the list is told of the last one when the next is not laid out yet.
        for (let step = 0; step < 60; step += 1) {
          element.style.width = `${[600, 400, 220][step % 3]}px`;
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      });
      await untilAtEnd();
      for (const width of [900, 300, 220]) {
        await web.page.setViewportSize({ width, height: 720 });
        await untilAtEnd();
        assert.equal(await latest().count(), 0);
      }
    });

    for (const [what, shown, id, top, next] of [
      ['more arrives below', longConversation(40), 20, 900, [...longConversation(40), streamed]],
      ['earlier messages come in above', longConversation(40, 100), 100, 0, longConversation(100, 40)],
      [
        'a message above it shrinks',
        longConversation(40),
        20,
        2000,
        longConversation(40).map((each) => (each.from < 12 ? { ...each, text: 'gone' } : each)),
      ],
    ] as const)
      it(`stays with what is being read when ${what}`, async () => {
        await web.draw({ earlier: 60, entries: shown });
        await readAt(top);
        const before = await topOf(id);
        await web.draw({ entries: next });
        await untilStands(id, before);
      });

    it('asks for the rows that are being read to be kept, and for the newest at the end', async () => {
      await web.draw({ earlier: 60, entries: longConversation(40, 60) });
      await readAt(300);
      await scrollTo(200);
      await scrollTo(99_999);
      await latest().waitFor({ state: 'detached' });
      assert.deepEqual(await web.asked(), ['read-from 60', 'at-end']);
    });

    it('does not follow the end of the rows that are here while there are later ones', async () => {
      const rows = longConversation(40, 60);
      await web.draw({ entries: rows, later: 900 });
      await latest().waitFor();
      await scrollTo(300);
      await web.page.waitForFunction(() => window.karlIntents.length === 2);
      await scrollTo(99_999);
      const before = await topOf(99);
      await web.draw({ entries: longConversation(60, 60), later: 880 });
      await untilStands(99, before);
      assert.deepEqual(await web.asked(), ['read-from 0']);
      await web.press('Latest message');
      assert.deepEqual(await web.lastIntent(), { type: 'at-end' });
      await web.draw({ earlier: 980, entries: longConversation(20, 980) });
      await untilAtEnd();
    });

    it('asks for the end before a message is sent, where the rows do not reach it', async () => {
      await web.draw({ entries: longConversation(40), later: 900 });
      await latest().waitFor();
      await web.input.fill('and now?');
      await web.keys('Enter');
      assert.deepEqual(await asked(), ['at-end', 'send and now?']);
    });

    it('goes back to the end on request and follows again', async () => {
      await web.draw({ entries: longConversation(40) });
      await readAt(300);
      await latest().click();
      await untilAtEnd();
      await web.draw({ entries: [...longConversation(40), message({ id: 40, role: 'user' })] });
      await untilAtEnd();
    });
  });

  it('draws only what changed: one of 200 messages', async () => {
    const messages = longConversation(200);
    await web.draw({ entries: messages });
    await web.page.evaluate(() => {
      const drawn: number[] = [];
      Object.assign(window, { drawn });
      const element = customElements.get('karl-message')?.prototype as { entry: { from: number }; render(): unknown };
      const render = element.render;
      element.render = function () {
        drawn.push(this.entry.from);
        return render.call(this);
      };
    });
    const next = messages.map((each) => (each.from === 137 ? { ...each, text: `${each.text} more` } : { ...each }));
    await web.draw({ entries: next });
    assert.deepEqual(await web.page.evaluate(() => (window as unknown as { drawn: number[] }).drawn), [137]);
    assert.match(await readText(entry(137).locator('.text')), /more$/);
  });

  it('fits the narrowest side bar: nothing is wider than 220 pixels', async () => {
    await web.page.setViewportSize({ width: 220, height: 700 });
    const wide = 'a_very_long_identifier_without_any_place_to_break'.repeat(10);
    const entries = [
      ...(['user', 'assistant', 'system'] as const).map((role, id) => message({ id, role, text: wide })),
      note(wide),
      call({ call: 7, name: wide, target: wide, detail: wide, outcome: 'failed', sent: 'shortened' }),
      compressed({ ...compression, strategy: wide, kept: wide, receipt: [wide] }),
    ];
    await web.show({ ...workingView(), entries, queued: [wide], conversation: { id: 'w', title: wide, model: wide } });
    const width = await scroller().evaluate((element) => element.scrollWidth);
    assert.ok(width <= 220, `${width} pixels`);
    assert.ok((await web.page.evaluate(() => document.documentElement.scrollWidth)) <= 220);
    for (const name of ['Compress', 'Queue']) {
      const box = await web.page.getByRole('button', { name, exact: true }).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 220, `${name} is in view`);
    }
  });
});
