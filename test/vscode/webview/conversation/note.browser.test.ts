import assert from 'node:assert/strict';
import { withNarratives } from '../../../../src/core/compaction/notes/noteText.ts';
import { isFocused, namesOf, readText, useWebview, type WebviewPage } from '../page.ts';
import { compressed, compression, NOTE, note } from '../sample.ts';

/** Each place that shows a summary, with how its text is brought there. */
const PLACES = {
  'in what the model sees': async (web: WebviewPage, text: string) => {
    await web.draw({ shows: 'request', entries: [note(text)] });
    return web.page.locator('karl-summary karl-note');
  },
  'in a compression': async (web: WebviewPage, text: string) => {
    await web.draw({ entries: [compressed({ ...compression, transcriptLength: 60 })] });
    await web.press(/^Summary: /);
    await web.post({ type: 'expanded', key: 'sc2', texts: [text] });
    const shown = web.page.locator('karl-compression karl-note');
    await shown.waitFor();
    return shown;
  },
} as const;

/** What the page asked for, without what it needed to show the text. */
const askedOf = async (web: WebviewPage) => (await web.asked()).filter((one) => !one.startsWith('expand'));

const TOLD = { covers: { from: 1, to: 8 }, text: '## Next steps\n\n- Release the lock.' };

describe('a summary', () => {
  const web = useWebview();

  it('has what is quoted behind a line of its own, in a list of its own', async () => {
    const text = withNarratives('[t1-9] 9 messages\n- [t4] Quoted.', [TOLD]);
    const shown = await PLACES['in what the model sees'](web, text);
    assert.equal(await shown.locator('hr').count(), 1);
    assert.equal(await readText(shown.locator('h2 ~ ul').first()), 'Release the lock.');
    assert.match(await readText(shown.locator('hr ~ ul')), /Quoted\.$/);
  });

  const show = (text: string) => PLACES['in what the model sees'](web, text);

  it('is a list under headings, without marks', async () => {
    const shown = await show(NOTE);
    assert.deepEqual(await shown.locator('h2').allInnerTexts(), ['Request', 'State']);
    assert.deepEqual(await shown.locator('li').allInnerTexts(), [
      'Fix the login test that fails every few runs [t1]; the time-out is not to be raised [t3, t9].',
      'src/session/cookie.ts writes the expiry in UTC [t12-31]\nnot yet run in CI (unverified)',
      'npm test exit 1, then 0 twice, then 1 again [t33]',
    ]);
  });

  it('opens what a handle names', async () => {
    const shown = await show(NOTE);
    for (const handle of await shown.getByRole('button').all()) await handle.click();
    assert.deepEqual(await askedOf(web), ['reveal 1', 'reveal 3', 'reveal 9', 'reveal 12', 'reveal 33']);
  });

  it('opens it with the keyboard, and says to a screen reader what opens', async () => {
    const shown = await show(NOTE);
    assert.deepEqual((await namesOf(shown.getByRole('button'))).slice(2, 4), [
      'Go to message t9',
      'Go to messages t12-31',
    ]);
    await shown.getByRole('button').first().focus();
    await web.keys('Tab', 'Tab', 'Tab', 'Enter');
    assert.deepEqual(await askedOf(web), ['reveal 12']);
  });

  it('shows stars and underscores that tools printed', async () => {
    const shown = await show('- "*": 8500, and again "*": 1\n- src/*.ts, test/*.ts and __init__.py\n- of *now*');
    assert.deepEqual(await shown.locator('em, strong').allInnerTexts(), ['now']);
    const text = await readText(shown);
    for (const quoted of ['"*": 8500, and again "*": 1', 'src/*.ts, test/*.ts and __init__.py'])
      assert.ok(text.includes(quoted), text);
  });

  it('links the handle of a label', async () => {
    const shown = await show('[t11-30 20 messages: 6 Read]\n[t31]: npm test\n[t59|t58]');
    assert.deepEqual(await shown.getByRole('button').allInnerTexts(), ['t11-30', 't31', 't59']);
    assert.equal(await readText(shown), '[t11-30 20 messages: 6 Read]\n[t31]: npm test\n[t59|t58]');
  });

  it('does not link a handle that is none, or that leads elsewhere', async () => {
    for (const [name, text] of Object.entries({
      'beyond the transcript': 'see [t60], [t41-60], [t999999999]',
      'that ends before it begins': 'see [t41-12]',
      'inside code': 'see `[t41]`\n\n```\n[t41]\n```',
      'that is only a word': 'the variable t1, (t2) and [at t3]',
      'that goes on': 'see [t41x], [t41-x], [t4_1]',
      'that was cut off': 'see [t4',
      'that leads elsewhere': 'see [t41](https://example.test)',
    })) {
      const shown = await show(text);
      assert.match(await readText(shown), /\bt\d/, name);
      assert.equal(await shown.getByRole('button').count(), 0, name);
    }
  });

  it('is harmless when it is hostile', async () => {
    const shown = await show(HOSTILE);
    const names = [5, 7, 41].map((id) => `Go to message t${id}`);
    assert.deepEqual(await namesOf(shown.getByRole('button')), names);
    const found = await shown.evaluate((element) => {
      const all = [...element.querySelectorAll('*')];
      for (const each of all) each.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      return {
        tags: [...new Set(all.map((each) => each.localName))].sort(),
        handlers: all.flatMap((each) => each.getAttributeNames().filter((name) => /^on|^style$/.test(name))),
        links: all.flatMap((each) => (each instanceof HTMLAnchorElement ? [each.href] : [])),
        text: element.textContent,
      };
    });
    assert.deepEqual(found.tags, ['a', 'br', 'h2', 'li', 'p', 'span', 'ul']);
    assert.deepEqual([found.handlers, found.links], [[], ['https://evil.test/']]);
    assert.match(found.text, /<script>window\.karlExecuted/);
    for (const handle of await shown.getByRole('button').all()) await handle.click();
    assert.deepEqual(await askedOf(web), ['reveal 5', 'reveal 7', 'reveal 41']);
    assert.equal(await web.page.evaluate(() => window.karlExecuted), undefined);
    assert.deepEqual(web.requests, []);
  });

  it('is a list however long it is', async () => {
    const items = Array.from({ length: 2000 }, (_, index) => `- step ${index} did what was asked [t${index % 50}]`);
    const shown = await show(`## Steps\n${items.join('\n')}`);
    assert.equal(await shown.locator('li').count(), 2000);
    assert.equal(await shown.getByRole('button').count(), 2000);
  });

  it('stays as it is, with the focus on its handle, when the next snapshot arrives', async () => {
    for (const [place, bring] of Object.entries(PLACES)) {
      const shown = await bring(web, NOTE);
      await shown.getByRole('button').last().focus();
      const now = await web.page.evaluate(() => structuredClone(document.querySelector('karl-app')?.state));
      await web.draw(now ?? assert.fail());
      assert.ok(await isFocused(shown.getByRole('button').last()), place);
    }
  });
});

const HOSTILE = `## <img src=x onerror="window.karlExecuted=1">
- <script>window.karlExecuted = 1</script> [t5]
- [t41](javascript:window.karlExecuted=1) [go](command:workbench.action.quit) ![p](https://evil.test/p.png)
- <button class="link handle" title="Go to message t2" onclick="window.karlExecuted=1">t2</button>
- [t7 <svg onload="window.karlExecuted=1">] [t9999] [t-1] [t0x29]

[t41]: javascript:window.karlExecuted=1
[go]: https://evil.test`;
