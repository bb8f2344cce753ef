import assert from 'node:assert/strict';
import { waitFor } from '../../harness/tries.ts';
import { isFocused, namesOf, readText, useWebview } from '../page.ts';

const running = { activity: { kind: 'model', label: 'model answers' } } as const;

describe('the composer', () => {
  const web = useWebview();
  beforeEach(async () => {
    await web.draw();
  });

  it('sends on Enter and with the button, is empty afterwards and keeps the focus; sends nothing but spaces', async () => {
    await web.input.fill('  fix the test  ');
    await web.input.press('Enter');
    assert.equal(await web.input.inputValue(), '');
    await web.input.fill(' \n ');
    await web.input.press('Enter');
    assert.equal(await web.page.getByRole('button', { name: 'Send' }).isDisabled(), true);
    await web.input.fill('go on');
    await web.press('Send');
    assert.equal(await isFocused(web.input), true);
    assert.deepEqual(await web.asked(), ['send fix the test', 'send go on']);
  });

  it('makes a new line on Shift+Enter', async () => {
    await web.input.pressSequentially('one');
    await web.input.press('Shift+Enter');
    await web.input.pressSequentially('two');
    assert.equal(await web.input.inputValue(), 'one\ntwo');
    assert.deepEqual(await web.asked(), []);
  });

  it('leaves Enter to an input method that is composing', async () => {
    await web.input.fill('にほん');
    await web.input.evaluate((element) =>
      element.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, composed: true }),
      ),
    );
    assert.deepEqual(await web.asked(), []);
    assert.equal(await web.input.inputValue(), 'にほん');
  });

  it('stops a run by a button or Escape, and only while one lasts', async () => {
    const stop = web.page.locator('karl-composer').getByRole('button', { name: 'Stop' });
    await web.input.press('Escape');
    assert.equal(await stop.count(), 0);
    await web.draw(running);
    await stop.click();
    await web.input.press('Escape');
    assert.deepEqual(await web.asked(), ['cancel', 'cancel']);
  });

  for (const [what, state, head, rows] of [
    ['which is next', { ...running, queued: ['first', 'second'] }, '', ['next first', 'waiting second']],
    ['also of one that will be queued in a moment', { ...running, queueing: ['first'] }, '', ['next first']],
    ['that they wait after a stop', { queued: ['first', 'second'] }, '2 messages are waiting.', ['first', 'second']],
    [
      'that some wait also while a turn runs',
      { ...running, queued: ['first', 'second', 'third'], held: 2 },
      '2 messages are waiting.',
      ['first', 'second', 'next third'],
    ],
  ] as const)
    it(`says of messages in the queue ${what}`, async () => {
      await web.draw(state);
      const words = (all: readonly string[]) => all.map((one) => one.trim().replaceAll(/\s+/g, ' '));
      assert.deepEqual(words(await web.page.locator('karl-composer .queue li').allInnerTexts()), rows);
      const said = await web.page.locator('karl-composer .held span').allInnerTexts();
      assert.equal(said.join(), head);
    });

  it('takes a message out of the queue, but none that is not in it yet, and sends what waits', async () => {
    await web.draw({ queued: ['first', 'second'], queueing: ['third'] });
    const remove = web.page.getByRole('button', { name: /^Remove from the queue/ });
    assert.equal(await remove.count(), 2);
    await remove.last().click();
    await web.press('Send them');
    assert.deepEqual(await web.asked(), ['unqueue 1 second', 'send-queued']);
  });

  it('says why it is disabled when another window has the conversation, and can take over', async () => {
    const conversation = { id: 'one', title: 't', model: 'm', readOnly: 'Open in another window.' };
    await web.draw({ conversation });
    assert.equal(await web.input.isDisabled(), true);
    assert.equal(await web.input.getAttribute('placeholder'), '', 'it asks for nothing that cannot be done');
    assert.match(await readText(web.page.locator('karl-composer .locked')), /Open in another window\./);
    const compress = web.page.locator('.title :is(.compress, .ways)');
    const hints = () => namesOf(compress, 'title');
    assert.deepEqual(await hints(), ['Open in another window.', 'Open in another window.']);
    await web.draw({ activity: { kind: 'compacting', label: 'Compressing with adaptive' } });
    const wait = 'Karl is compressing. Wait or press Stop.';
    assert.deepEqual(await hints(), [wait, wait]);
    await web.draw({ conversation });
    await web.press('Take Over');
    assert.deepEqual(await web.asked(), ['take-over']);
  });

  it('says where to write in a conversation of another agent; its request cannot be stopped, a compression can', async () => {
    const otherAgent = 'A conversation of Cline: continue it there. Here you can read, compress, undo and pin.';
    const conversation = { id: 'one', title: 't', model: 'm', otherAgent };
    await web.draw({ conversation, activity: { kind: 'model', label: 'm' } });
    assert.equal(await web.input.isDisabled(), true);
    assert.equal(await readText(web.page.locator('karl-composer .locked')), otherAgent);
    const button = (name: string) => web.page.getByRole('button', { name, exact: true });
    assert.deepEqual([await button('Take Over').count(), await button('Stop').count()], [0, 0]);
    assert.equal(await button('Compress').isDisabled(), false);
    await web.draw({ conversation, activity: { kind: 'compacting', label: 'Compressing' } });
    assert.equal(await button('Stop').count(), 1);
  });

  it('takes a message back that was not sent, above what was written since', async () => {
    await web.input.fill('Second thoughts');
    await web.post({ type: 'unsent', text: 'First thoughts' });
    assert.equal(await web.input.inputValue(), 'First thoughts\nSecond thoughts');
    await web.post({ type: 'unsent', text: 'Then this' });
    assert.equal(await web.input.inputValue(), 'First thoughts\nThen this\nSecond thoughts', 'in their order');
    await web.input.fill('Third thoughts');
    await web.post({ type: 'unsent', text: 'First thoughts' });
    assert.equal(await web.input.inputValue(), 'First thoughts\nThird thoughts');
  });

  it('has the host keep the draft, and takes back what it kept if that is newer and nothing was written since', async () => {
    const kept = () =>
      web.page.evaluate(() =>
        window.karlIntents.flatMap((intent) =>
          intent.type === 'keep-page' ? [JSON.parse(intent.saved).texts[0]?.draft ?? ''] : [],
        ),
      );
    await web.input.pressSequentially('half a thought');
    await waitFor(kept, (drafts) => drafts.at(-1) === 'half a thought');
    assert.ok((await kept()).length < 5, 'not for every letter');
    await web.input.press('Enter');
    await waitFor(kept, (drafts) => drafts.at(-1) === '');

    const restored = async (saved: unknown, typed: string, text: string): Promise<string> => {
      await web.open({ saved });
      await web.draw();
      await web.input.fill(typed);
      await web.post({ type: 'restore', saved: text });
      return web.input.inputValue();
    };
    const saved = (draft: string, at: number) => ({ texts: [{ conversation: 'one', draft }], at });
    const newer = JSON.stringify(saved('half a thought', 2));
    assert.equal(await restored(undefined, '', newer), 'half a thought');
    assert.equal(await restored(saved('half', 1), 'half', newer), 'half a thought');
    assert.equal(await restored(saved('half', 3), 'half', newer), 'half');
    assert.equal(await restored(saved('', 1), 'another', newer), 'another');
    assert.equal(await restored(undefined, '', newer.slice(0, 20)), '');
  });

  it('has a draft of its own for each conversation, over a reload too', async () => {
    const enter = (id: string) => web.draw({ conversation: { id, title: id, model: 'm' } });
    await enter('a');
    await web.input.fill('for a');
    await enter('b');
    assert.equal(await web.input.inputValue(), '');
    await web.input.fill('for b');
    await enter('a');
    assert.equal(await web.input.inputValue(), 'for a');
    await web.open({ saved: await web.savedState() });
    await enter('b');
    assert.equal(await web.input.inputValue(), 'for b');
    await enter('a');
    assert.equal(await web.input.inputValue(), 'for a');
  });

  it('keeps the draft and the caret while snapshots arrive', async () => {
    await web.input.fill('one three');
    await web.input.evaluate((element) => element instanceof HTMLTextAreaElement && element.setSelectionRange(4, 4));
    await web.draw({ ...running });
    await web.input.pressSequentially('two ');
    assert.equal(await web.input.inputValue(), 'one two three');
  });

  it('takes 10,000 characters, sends them whole and stays inside the view', async () => {
    const text = 'All work and no play. '.repeat(455).trim();
    await web.input.fill(text);
    const box = await web.page.locator('karl-composer .box').boundingBox();
    assert.ok(box && box.height < 380 && box.y + box.height <= 760);
    await web.input.press('Enter');
    assert.deepEqual(await web.asked(), [`send ${text}`]);
  });

  it('shows where the messages go, when there is a server, and lets it be changed', async () => {
    const server = web.page.locator('karl-composer .server');
    const conversation = { id: 'one', title: 't', model: 'm' };
    await web.draw({ conversation: { ...conversation, server: 'http://127.0.0.1:1234' } });
    assert.equal(await readText(server), '127.0.0.1:1234');
    await web.press('Server http://127.0.0.1:1234, select another');
    assert.deepEqual(await web.asked(), ['select-server']);
    await web.draw({ conversation });
    assert.equal(await server.count(), 0);
  });

  it('names the model, says where its profile comes from, and lets it be changed or selected', async () => {
    await web.press('qwen3-coder-30b');
    const modelHint = 'm on ollama\nProfile: built-in';
    await web.draw({ conversation: { id: 'one', title: 't', model: '', modelHint } });
    const select = web.page.getByRole('button', { name: 'Select Model…', exact: true });
    assert.equal(await select.getAttribute('title'), `Select the model\n\n${modelHint}`);
    await select.click();
    assert.deepEqual(await web.asked(), ['select-model', 'select-model']);
  });
});
