import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../harness/editor.ts';
import { findViolations } from '../harness/violations.ts';
import { openWebview, readText, type WebviewPage } from './page.ts';
import { compression, compressions, message, view, workingView } from './sample.ts';
import { STATES } from './states.ts';
import { dark, highContrast, highContrastLight, light } from './themes.ts';

/** The roles of what is pressed. */
const CONTROLS: ReadonlySet<unknown> = new Set(['button', 'checkbox', 'DisclosureTriangle', 'link', 'radio']);

/**
 * Opens every source of what fills the window, the list of its history, every part of a preview, every row of the
 * conversation, with what the host sends of a call, and the details of each compression.
 */
async function unfold(web: WebviewPage): Promise<void> {
  const folded = ['karl-contents', 'karl-preview', 'karl-conversation'].map((part) => `${part} details`);
  await web.page.locator(folded.join()).evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });
  for (const key of ['c3.0', 'c5.0', 'c42.0', 'c42.1'])
    await web.post({ type: 'expanded', key, texts: ['path: src/a.ts', 'src/a.ts:7: const x = 1;'] });
  await web.page.locator('karl-compression button.way[aria-expanded=false]').evaluateAll((all) => {
    for (const one of all) if (one instanceof HTMLElement) one.click();
  });
}

describe('a screen reader and a keyboard', () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  for (const [theme, width] of [
    [dark, 220],
    [light, 300],
    [highContrast, 900],
    [highContrastLight, 220],
  ] as const)
    it(`have nothing in their way, in any state: ${theme.name}, ${width} pixels`, async () => {
      const web = await openWebview(browser, { theme, width });
      const background = theme.variables['sideBar-background'] ?? '#000000';
      const found: string[] = [];
      let unsure = 0;
      for (const [index, [name, state]] of Object.entries(STATES).entries()) {
        await web.show({ ...state, revision: index + 1 });
        await unfold(web);
        const violations = await findViolations(web.page, background);
        found.push(...violations.found.map((violation) => `${name}: ${violation}`));
        unsure += violations.unsure;
      }
      await web.show(view({ revision: 900, entries: [message({ id: 4, role: 'user' })] }));
      await web.post({ type: 'edit', id: 4, text: 'See @ap' });
      const edited = await findViolations(web.page, background);
      found.push(...edited.found.map((violation) => `a message being edited: ${violation}`));
      const input = web.page.getByRole('textbox', { name: 'Message to the agent' });
      await input.press('End');
      await input.pressSequentially('p');
      await web.post({ type: 'completions', text: 'app', paths: ['src/app.ts', 'src/apply.ts'] });
      await web.page.getByRole('option').nth(1).waitFor();
      const offered = await findViolations(web.page, background);
      found.push(...offered.found.map((violation) => `the list of files: ${violation}`));
      await input.press('Escape');
      await web.page.keyboard.press('Control+f');
      await web.page.locator('karl-find').waitFor();
      const open = await findViolations(web.page, background);
      found.push(...open.found.map((violation) => `the find box: ${violation}`));
      assert.ok(unsure >= 10, `the contrast of ${unsure} buttons was measured`);
      assert.deepEqual(found, []);
      await web.page.close();
    });

  it('are told nothing twice: a tooltip that repeats what a control is called is no description of it', async () => {
    const web = await openWebview(browser);
    const tree = await web.page.context().newCDPSession(web.page);
    const twice: string[] = [];
    let controls = 0;
    for (const [index, state] of Object.values(STATES).entries()) {
      await web.show({ ...state, revision: index + 1 });
      await unfold(web);
      const { nodes } = await tree.send('Accessibility.getFullAXTree');
      for (const { ignored, role, name, description } of nodes) {
        if (ignored || !CONTROLS.has(role?.value)) continue;
        controls += 1;
        const [called, said] = [String(name?.value ?? ''), String(description?.value ?? '')];
        if (said !== '' && called.includes(said)) twice.push(`${called}: ${said}`);
      }
    }
    assert.ok(controls > 300, `${controls} controls`);
    assert.deepEqual(twice, []);
    await web.page.close();
  });

  it('begin where the user writes: when the view is opened, chosen, or asked for', async () => {
    const web = await openWebview(browser);
    await web.show(view());
    const input = web.page.getByRole('textbox', { name: 'Message to the agent' });
    const isFocused = () => input.evaluate((element) => element.matches(':focus'));
    assert.equal(await isFocused(), true);
    await input.evaluate((element) => element.blur());
    await web.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    assert.equal(await isFocused(), true);
    const compress = web.page.getByRole('button', { name: 'Compress', exact: true });
    await compress.focus();
    await web.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    assert.equal(await isFocused(), false, 'a control that has the focus keeps it');
    await web.post({ type: 'focus' });
    assert.equal(await isFocused(), true);
    await web.page.close();
  });

  it('are told of a reply when it is finished, and of a compression, its undo and its redo, once', async () => {
    const web = await openWebview(browser);
    const told = async () => (await readText(web.page.locator('.unseen[role=status]'))).trim();
    const asked = message({ id: 0, role: 'user' });
    const reply = message({ id: 1, role: 'assistant', text: 'It is fixed.' });
    await web.show(view({ revision: 1, entries: [asked] }));
    await web.show(view({ revision: 2, entries: [asked, { ...reply, text: 'It is', streaming: true }] }));
    assert.equal(await told(), '');
    await web.show(view({ revision: 3, entries: [asked, reply] }));
    assert.equal(await told(), 'It is fixed.');
    await web.show(view({ revision: 4, entries: [asked, compressions(compression), reply] }));
    assert.equal(await told(), 'Compressed from 11,904 to 6,870 tokens.');
    const undone = { ...compression, undone: true };
    await web.show(view({ revision: 5, entries: [asked, compressions(undone), reply] }));
    assert.equal(await told(), 'Compression undone.');
    await web.show(view({ revision: 6, entries: [asked, compressions(compression), reply] }));
    assert.equal(await told(), 'Compressed from 11,904 to 6,870 tokens.', 'redone');
    const other = { id: 'two', title: 'Another', model: 'm' };
    await web.show(view({ revision: 7, conversation: other, entries: [asked, { ...reply, text: 'Old.' }] }));
    assert.equal(await told(), '');
    await web.page.close();
  });

  it('are told that the agent has finished where the rows do not reach the end', async () => {
    const web = await openWebview(browser);
    const told = async () => (await readText(web.page.locator('.unseen[role=status]'))).trim();
    const far = { entries: [message({ id: 0, role: 'user' })], later: 400 };
    const activity = { kind: 'model', label: 'm' } as const;
    await web.show(view({ ...far, revision: 1, activity }));
    await web.show(view({ ...far, revision: 2, activity: { kind: 'compacting', label: 'Compressing' } }));
    await web.show(view({ ...far, revision: 3, activity, compressions: [200] }));
    assert.equal(await told(), 'The conversation was compressed.');
    await web.show(view({ ...far, revision: 4, later: 402, compressions: [200] }));
    assert.equal(await told(), 'The agent has finished.');
    await web.page.close();
  });

  it('are spared everything that moves when VS Code is set to reduced motion', async () => {
    const web = await openWebview(browser);
    await web.page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    await web.show(workingView());
    assert.equal(await web.page.locator('vscode-progress-bar').isVisible(), false);
    const moving = await web.page.evaluate(() => document.getAnimations().length);
    assert.equal(moving, 0);
    await web.page.close();
  });
});
