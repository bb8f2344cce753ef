import assert from 'node:assert/strict';
import { isFocused, readText, useWebview } from './page.ts';
import { compressed, compression, message, workingView } from './sample.ts';

describe('a screen reader and a keyboard', () => {
  const web = useWebview();
  const told = async () => (await readText(web.page.locator('.unseen[role=status]'))).trim();

  it('begin where the user writes: when the view is opened, chosen, or asked for', async () => {
    await web.draw();
    assert.equal(await isFocused(web.input), true);
    await web.input.evaluate((element) => element.blur());
    await web.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    assert.equal(await isFocused(web.input), true);
    const compress = web.page.getByRole('button', { name: 'Compress', exact: true });
    await compress.focus();
    await web.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    assert.equal(await isFocused(web.input), false, 'a control that has the focus keeps it');
    await web.post({ type: 'focus' });
    assert.equal(await isFocused(web.input), true);
  });

  it('are told of a reply when it is finished, and of a compression, its undo and its redo, once', async () => {
    const asked = message({ id: 0, role: 'user' });
    const reply = message({ id: 1, role: 'assistant', text: 'It is fixed.' });
    await web.draw({ entries: [asked] });
    await web.draw({ entries: [asked, { ...reply, text: 'It is', streaming: true }] });
    assert.equal(await told(), '');
    await web.draw({ entries: [asked, reply] });
    assert.equal(await told(), 'It is fixed.');
    await web.draw({ entries: [asked, compressed(compression), reply] });
    assert.equal(await told(), 'Compressed from 11,904 to 6,870 tokens.');
    const undone = { ...compression, undone: true };
    await web.draw({ entries: [asked, compressed(undone), reply] });
    assert.equal(await told(), 'Compression undone.');
    await web.draw({ entries: [asked, compressed(compression), reply] });
    assert.equal(await told(), 'Compressed from 11,904 to 6,870 tokens.', 'redone');
    const byHand = { ...compression, id: 'hand', isManual: true, trigger: 'restored by you' };
    await web.draw({ entries: [asked, compressed(compression), compressed(byHand), reply] });
    assert.equal(await told(), 'Restored by you.');
    const other = { id: 'two', title: 'Another', model: 'm' };
    await web.draw({ conversation: other, entries: [asked, { ...reply, text: 'Old.' }] });
    assert.equal(await told(), '');
  });

  it('are told that the agent has finished where the rows do not reach the end', async () => {
    const far = { entries: [message({ id: 0, role: 'user' })], later: 400 };
    const activity = { kind: 'model', label: 'm' } as const;
    await web.draw({ ...far, activity });
    await web.draw({ ...far, activity: { kind: 'compacting', label: 'Compressing' } });
    await web.draw({ ...far, activity, compressions: [200] });
    assert.equal(await told(), 'The conversation was compressed.');
    await web.draw({ ...far, later: 402, compressions: [200] });
    assert.equal(await told(), 'The agent has finished.');
  });

  it('are spared everything that moves when VS Code is set to reduced motion', async () => {
    await web.page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    await web.show(workingView());
    assert.equal(await web.page.locator('karl-activity .progress').isVisible(), false);
    const moving = await web.page.evaluate(() => document.getAnimations().length);
    assert.equal(moving, 0);
  });
});
