import assert from 'node:assert/strict';
import { boxOf, isCutOff, isFocused, openWebview, readText, styleOf, useWebview, type WebviewPage } from '../page.ts';
import { asidePreview, preview, view } from '../sample.ts';
import { dark, highContrast, highContrastLight, light, setTheme } from '../themes.ts';

const { plan } = preview;
/** What changes the plan, where it can be changed. */
const CHANGEABLE = 'karl-preview :is(input, select):enabled';

describe('the preview of a compression', () => {
  const web = useWebview();

  const unfold = (group: string) => web.page.locator('karl-preview summary', { hasText: group }).click();

  it('shows the figures before and after, and the outcome of each message', async () => {
    await web.draw({ preview });
    const words = (await readText(web.page.locator('karl-preview section'))).replace(/\s+/g, ' ');
    for (const part of [
      '13.8k → 7.4k of 14.3k',
      'Summarized 30 messages',
      'Shortened 2 messages',
      'Kept 9 messages',
      'signed with RSA',
    ])
      assert.ok(words.includes(part), `${part} is in ${words}`);
    assert.ok(!words.includes('current request'), 'the rows are folded');
    await unfold('Kept');
    assert.ok((await readText(web.page.locator('karl-preview section'))).includes('current request'));
    const marked = web.page.locator('karl-preview-summary em.unverified');
    assert.equal(await readText(marked), '(unverified)');
  });

  it('is closed when a message is sent, unless a turn waits for it or the user has changed something', async () => {
    const send = async (change: object) => {
      await web.draw({ preview: { ...preview, ...change } });
      await web.input.fill('Go on.');
      await web.keys('Enter');
      return (await web.intents()).filter(({ type }) => type === 'preview-close').length;
    };
    assert.equal(await send({ asked: true }), 0);
    assert.equal(await send({ instructions: 'the SQL' }), 0);
    assert.equal(await send({}), 1);
  });

  it('is planned again with new instructions', async () => {
    await web.draw({ preview });
    const box = web.page.getByRole('textbox', { name: 'What this compression must keep' });
    await box.fill('keep the SQL');
    await box.press('Enter');
    assert.deepEqual(await web.asked(), ['preview-instructions keep the SQL']);
    await web.draw({ preview: { ...preview, instructions: 'keep the SQL', busy: 'planning' } });
    assert.equal(await box.inputValue(), 'keep the SQL');
  });

  it('sets a row aside with its box, which keeps the focus; says why a box is fixed', async () => {
    await web.draw({ preview });
    await unfold('Kept');
    assert.ok((await web.page.locator(CHANGEABLE).count()) > 2);
    const fixed = web.page.getByRole('checkbox', { name: 'Keep whole: System prompt, 1,204 tokens (message 0)' });
    assert.deepEqual([await fixed.isChecked(), await fixed.isDisabled()], [true, true]);
    assert.equal(await fixed.getAttribute('title'), 'Instructions always stay whole.');
    const name = 'Keep whole: You: The login test is flaky., 114 tokens (message 1)';
    const box = web.page.getByRole('checkbox', { name });
    assert.equal(await box.isChecked(), true);
    await box.focus();
    await web.keys('ArrowUp', 'ArrowDown', 'Space');
    assert.deepEqual(await web.asked(), ['preview-keep 1 1 false']);
    await web.draw({ preview: { ...preview, busy: 'planning' } });
    await web.draw({ preview: asidePreview });
    assert.ok((await readText(web.page.locator('karl-preview section'))).includes('Set aside by you'));
    assert.equal(await box.isChecked(), false);
    assert.equal(await isFocused(box), true);
    await web.keys('Space');
    assert.deepEqual(await web.lastIntent(), { type: 'preview-keep', from: 1, to: 1, keep: true });
  });

  it('lists more rows of a long group on request', async () => {
    const having = (more: number) => {
      const groups = plan.groups.map((group) => ({ ...group, more: group.kind === 'kept' ? more : 0 }));
      return { ...preview, plan: { ...plan, groups } };
    };
    await web.draw({ preview: having(300) });
    await unfold('Kept');
    await web.press('Show more: Kept');
    assert.deepEqual(await web.asked(), ['preview-more']);
    await web.draw({ preview: having(0) });
    assert.equal(await web.page.getByRole('button', { name: 'Show more' }).count(), 0);
    assert.equal(await web.page.locator('karl-preview li:last-child :focus').count(), 1);
  });

  for (const [name, isCut] of [
    ['read_file', false],
    ['mcp__github__get_file_contents', true],
  ] as const)
    it(`cuts the folders of a path at the end of a row, not the file${isCut ? ', and the end of a long name' : ' or what was called'}`, async () => {
      await web.page.setViewportSize({ width: 220, height: 760 });
      const path = `src/${'a-folder/'.repeat(9)}cookie.ts`;
      const at = { from: 3, to: 4 };
      const row = { key: '3', at, label: `${name} ${path}`, path, tokens: 2840, note: '', box: { kept: true } };
      const groups = [
        { kind: 'chosen', label: 'Kept by you', tokens: 2840, more: 0, open: true, rows: [row] } as const,
      ];
      await web.draw({ preview: { ...preview, plan: { ...plan, groups } } });
      const button = web.page.getByRole('button', { name: `${name} ${path}, messages 3 to 4` });
      const called = button.getByText(name);
      const places = [button, called, button.locator('.path'), button.locator('bdi')].map((one) => one.boundingBox());
      const [inRow, inName, inPath, text] = await Promise.all(places);
      assert.ok(inRow && inName && inPath && text);
      assert.ok(inName.width > 30 && inName.x + inName.width < inPath.x, 'what was called stands before it');
      assert.equal(await isCutOff(called), isCut);
      assert.ok(inPath.width > 60 && text.x < inPath.x && text.x + text.width <= inRow.x + inRow.width + 1);
      assert.equal(await button.textContent(), row.label);
    });

  it('lets the user edit a summary, which fixes the rows until the edit is discarded; after a reload it is a draft', async () => {
    await web.draw({ preview });
    await web.press('Edit the summary of messages 2 to 31');
    const editor = web.page.getByRole('textbox', { name: 'Text of the summary of messages 2 to 31' });
    assert.equal(await isFocused(editor), true);
    await web.keys('Escape');
    assert.equal(await editor.count(), 0);
    await web.press('Edit the summary of messages 2 to 31');
    await editor.fill('- What I say.');
    await web.press('Use This Text');
    assert.deepEqual(await web.asked(), ['preview-edit 2 31 - What I say.']);
    const summaries = plan.summaries.map((summary) => ({ ...summary, text: '- What I say.', edited: true }));
    await web.draw({ preview: { ...preview, plan: { ...plan, summaries } } });
    assert.equal(await web.page.locator(CHANGEABLE).count(), 0);
    await web.press('Edit the summary of messages 2 to 31');
    await web.keys('Escape');
    assert.equal(await editor.count(), 0, 'it is in the preview');
    const again = await openWebview(web.browser, { width: 300, saved: await web.savedState() });
    await again.show(view({ preview }));
    const draft = again.page.getByRole('textbox', { name: 'Text of the summary' });
    assert.equal(await draft.inputValue(), '- What I say.');
    await again.page.close();
    await web.press('Discard the edit');
    assert.deepEqual(await web.lastIntent(), { type: 'preview-unedit' });
    await web.draw({ preview });
    assert.equal(await editor.count(), 0);
  });

  it('cannot be applied, changed or closed by Escape while a summary is being written; a reload keeps the text', async () => {
    await web.draw({ preview });
    await web.press('Edit the summary of messages 2 to 31');
    const editorIn = ({ page }: WebviewPage) => page.getByRole('textbox', { name: 'Text of the summary' });
    await editorIn(web).fill('- What I say.');
    await web.keys('Escape');
    await web.press('Edit the summary of messages 2 to 31');
    await web.page.getByRole('region', { name: 'What the compression would do' }).focus();
    await web.keys('Escape');
    assert.equal(await isFocused(editorIn(web)), true);
    assert.deepEqual(await web.asked(), []);

    const again = await openWebview(web.browser, { width: 300, saved: await web.savedState() });
    await again.show(view({ preview }));
    for (const shown of [web, again]) {
      assert.equal(await editorIn(shown).inputValue(), '- What I say.');
      const { page } = shown;
      assert.equal(await page.locator('karl-preview button', { hasText: 'Apply' }).getAttribute('disabled'), '');
      assert.equal(await page.getByText('Use or discard the text that you are writing').isVisible(), true);
      assert.equal(await page.locator(CHANGEABLE).count(), 0);
    }
    await again.show(view({ revision: 2 }));
    await again.show(view({ revision: 3, preview }));
    assert.equal(await editorIn(again).count(), 0, 'what was written goes with its preview');
    assert.deepEqual(again.problems, []);
    await again.page.close();

    await web.press('Discard');
    assert.equal(await web.page.locator('karl-preview button', { hasText: 'Apply' }).getAttribute('disabled'), null);
    assert.deepEqual(await web.asked(), []);
  });

  it('cannot be changed while it is applied, and keeps the focus', async () => {
    await web.draw({ preview });
    await web.page.getByRole('button', { name: 'Apply' }).focus();
    await web.draw({ preview: { ...preview, busy: 'applying' } });
    await web.keys('Escape');
    assert.deepEqual(await web.asked(), ['preview-close'], 'Escape is still for the preview');
    assert.equal(await web.page.locator(CHANGEABLE).count(), 0);
    assert.equal(await web.page.getByRole('button', { name: /^Edit the summary/ }).isDisabled(), true);
    await web.press('Cancel');
    assert.deepEqual(await web.lastIntent(), { type: 'preview-close' });
  });

  it('is applied, postponed, cancelled and planned again, but not applied while it is planned', async () => {
    await web.draw({ preview: { ...preview, asked: true } });
    for (const name of ['Apply', 'Not Now', 'Cancel']) await web.press(name);
    await web.keys('Escape');
    await web.page.getByRole('combobox', { name: 'Strategy' }).selectOption('heuristic');
    assert.deepEqual(await web.asked(), [
      'preview-apply',
      'preview-close not-now',
      'preview-close',
      'preview-close',
      'preview-strategy heuristic',
    ]);
    await web.draw({ preview: { ...preview, problem: 'The conversation has changed.' } });
    assert.equal(await web.page.getByRole('alert').count(), 1);
    assert.equal(await web.page.locator('karl-preview button', { hasText: 'Apply' }).getAttribute('disabled'), '');
    await web.press('Preview Again');
    assert.deepEqual(await web.lastIntent(), { type: 'preview-again' });
    await web.draw({ preview: { ...preview, busy: 'planning' } });
    assert.equal(await web.page.locator('karl-preview button', { hasText: 'Apply' }).getAttribute('disabled'), '');
  });

  it('opens the messages of a handle in the editor, since the conversation is hidden', async () => {
    await web.draw({ preview });
    await web.press('Go to messages t12-31');
    assert.deepEqual(await web.asked(), ['show-original 12 31']);
  });

  it('has check boxes in the colours of the theme', async () => {
    await web.draw({ preview });
    for (const theme of [dark, light, highContrast, highContrastLight]) {
      await setTheme(web.page, theme, 'sideBar');
      const box = web.page.locator('karl-preview input.box').first();
      const scheme = await styleOf(box, 'colorScheme');
      assert.equal(scheme, theme === dark || theme === highContrast ? 'dark' : 'normal', theme.name);
    }
  });
});

describe('the ways to compress', () => {
  const web = useWebview({ width: 220 });
  beforeEach(async () => {
    await web.draw();
  });
  const more = () => web.page.getByRole('button', { name: 'More ways to compress' });
  /** Where menus of VS Code were opened, with what it reads from the page for them. */
  const recordMenus = () =>
    web.page.evaluateHandle(() => {
      const menus: unknown[][] = [];
      window.addEventListener('contextmenu', ({ target, clientX, clientY }) => {
        const about = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-vscode-context]') : null;
        menus.push([JSON.parse(about?.dataset.vscodeContext ?? '{}'), clientX, clientY]);
      });
      return menus;
    });

  it('are in a menu of VS Code below their button, which is opened by a key too', async () => {
    const menus = await recordMenus();
    const { x, bottom } = await boxOf(more());
    await more().click();
    await web.keys('Enter');
    const menu = [{ karlWays: true, preventDefaultContextMenuItems: true }, Math.floor(x), Math.floor(bottom)];
    assert.deepEqual(await menus.jsonValue(), [menu, menu]);
    // VS Code takes the focus from the page while its menu is open.
    await web.page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      window.dispatchEvent(new Event('focus'));
    });
    assert.equal(await isFocused(more()), true);
    await web.page.locator('h1').click({ button: 'right' });
    assert.deepEqual((await menus.jsonValue())[2]?.[0], {}, 'no other menu has them');
  });

  it('keep the focus during a compression, and start no other meanwhile', async () => {
    const compress = web.page.locator('button.compress');
    await compress.focus();
    await web.draw({ activity: { kind: 'compacting', label: '' } });
    await web.keys('Enter');
    const menus = await recordMenus();
    await more().click({ force: true });
    await compress.focus();
    assert.deepEqual([await menus.jsonValue(), await web.asked()], [[], []]);
    await web.draw();
    assert.equal(await isFocused(compress), true);
    await web.keys('Enter');
    assert.deepEqual(await web.asked(), ['compress']);
  });

  it('are beside one button, with a word or an icon as there is room, which keeps the focus', async () => {
    const compress = web.page.locator('button.compress');
    const shown = () => Promise.all(['.word', '.symbol'].map((part) => compress.locator(part).isVisible()));
    assert.equal(await compress.count(), 1);
    await compress.focus();
    assert.deepEqual(await shown(), [false, true]);
    await web.page.setViewportSize({ width: 400, height: 760 });
    assert.deepEqual(await shown(), [true, false]);
    assert.equal(await isFocused(compress), true);
    assert.equal(await web.page.getByRole('button', { name: 'Compress', exact: true }).count(), 1);
  });
});
