import assert from 'node:assert/strict';
import { waitFor } from '../../harness/tries.ts';
import { readText, useWebview } from '../page.ts';
import { message, preview, view } from '../sample.ts';

const running = { activity: { kind: 'model', label: 'model answers' } } as const;

describe('the composer', () => {
  const web = useWebview();
  beforeEach(async () => {
    await web.show(view());
  });
  const input = () => web.page.getByRole('textbox', { name: 'Message to the agent' });

  it('sends on Enter and is empty afterwards', async () => {
    await input().fill('  fix the test  ');
    await input().press('Enter');
    assert.deepEqual(await web.intents(), [{ type: 'send', text: 'fix the test' }]);
    assert.equal(await input().inputValue(), '');
  });

  it('has what was sent as the last row until a snapshot has it, also when it is sent twice', async () => {
    const last = web.page.locator('karl-message').last();
    for (const text of ['Fix the test', 'And run it']) {
      await input().fill(text);
      await input().press('Enter');
    }
    const rows = web.page.locator('karl-message .text');
    assert.deepEqual(await rows.allInnerTexts(), ['Fix the test', 'And run it']);
    await last.locator('.mark', { hasText: 'waiting' }).waitFor();
    assert.equal(await last.locator('.size').count(), 0, 'its tokens are not counted yet');
    await web.show(view({ revision: 2 }), 0);
    assert.equal(await rows.count(), 2, 'a snapshot that was made before');
    await web.show(view({ revision: 3, entries: [message({ id: 0, role: 'user', text: 'Fix the test' })] }), 1);
    assert.deepEqual(await rows.allInnerTexts(), ['Fix the test', 'And run it']);
    await web.show(view({ revision: 4, conversation: { id: 'other', title: 'o', model: 'm' } }), 1);
    assert.equal(await rows.count(), 0, 'it is no message of another conversation');
  });

  it('has what was sent in the queue while the agent runs or the end is not shown, until a snapshot has it', async () => {
    const queue = web.page.locator('karl-composer .queue li');
    const sendOne = async (text: string) => {
      await input().fill(text);
      await input().press('Enter');
      assert.deepEqual(await queue.locator('.ellipsis').allInnerTexts(), [text]);
    };
    await web.show(view({ revision: 2, ...running }));
    await sendOne('Then this');
    await web.show(view({ revision: 3, ...running }), 0);
    assert.equal(await queue.count(), 1);
    await web.show(view({ revision: 4, ...running, queued: ['Then this'] }), 1);
    assert.equal(await queue.count(), 1);
    await web.show(view({ revision: 5, preview }));
    await sendOne('And that');
  });

  it('makes a new line on Shift+Enter', async () => {
    await input().pressSequentially('one');
    await input().press('Shift+Enter');
    await input().pressSequentially('two');
    assert.equal(await input().inputValue(), 'one\ntwo');
    assert.deepEqual(await web.intents(), []);
  });

  it('sends with the button, and the focus stays where the user types', async () => {
    await input().fill('go on');
    await web.page.getByRole('button', { name: 'Send' }).click();
    assert.deepEqual(await web.intents(), [{ type: 'send', text: 'go on' }]);
    await input().pressSequentially('next');
    assert.equal(await input().inputValue(), 'next');
  });

  it('sends nothing when nothing is written', async () => {
    await input().fill(' \n ');
    await input().press('Enter');
    assert.equal(await web.page.getByRole('button', { name: 'Send' }).isDisabled(), true);
    assert.deepEqual(await web.intents(), []);
  });

  it('leaves Enter to an input method that is composing', async () => {
    await input().fill('にほん');
    await input().evaluate((element) =>
      element.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, composed: true }),
      ),
    );
    assert.deepEqual(await web.intents(), []);
    assert.equal(await input().inputValue(), 'にほん');
  });

  it('stops a run on Escape, and does nothing when none runs', async () => {
    await input().press('Escape');
    assert.deepEqual(await web.intents(), []);
    await web.show(view({ revision: 2, ...running }));
    await input().press('Escape');
    assert.deepEqual(await web.intents(), [{ type: 'cancel' }]);
  });

  it('has a stop button while a run lasts, and only then', async () => {
    const stop = web.page.locator('karl-composer').getByRole('button', { name: 'Stop' });
    assert.equal(await stop.count(), 0);
    await web.show(view({ revision: 2, ...running }));
    await stop.click();
    assert.deepEqual(await web.intents(), [{ type: 'cancel' }]);
    await web.show(view({ revision: 3 }));
    assert.equal(await stop.count(), 0);
  });

  it('shows the queued messages and takes one back', async () => {
    await web.show(view({ revision: 2, ...running, queued: ['first', 'second'] }));
    assert.deepEqual(await web.page.locator('karl-composer .queue li .ellipsis').allInnerTexts(), ['first', 'second']);
    const tags = await web.page.locator('karl-composer .queue li .muted').allInnerTexts();
    assert.deepEqual(tags, ['next', 'waiting'], 'only one of them is next');
    await web.page.getByRole('button', { name: 'Remove from the queue: second' }).click();
    assert.deepEqual(await web.intents(), [{ type: 'unqueue', index: 1, text: 'second' }]);
  });

  it('shows a message that will be queued in a moment, and does not offer to take it back yet', async () => {
    await web.show(view({ revision: 2, ...running, queued: ['first'], queueing: ['second'] }));
    const rows = web.page.locator('karl-composer .queue li');
    assert.deepEqual(await rows.locator('.ellipsis').allInnerTexts(), ['first', 'second']);
    assert.deepEqual(await rows.evaluateAll((all) => all.map((row) => row.querySelector('button') !== null)), [
      true,
      false,
    ]);
    await web.show(view({ revision: 3, ...running, queueing: ['second'] }));
    assert.deepEqual(await rows.locator('.ellipsis').allInnerTexts(), ['second']);
  });

  it('says of messages that were stopped that they wait, also while a turn runs, and which one is next', async () => {
    await web.show(view({ revision: 2, ...running, queued: ['first', 'second', 'third'], held: 2 }));
    assert.match(await readText(web.page.locator('karl-composer .held')), /2 messages wait\./);
    const rows = await web.page.locator('karl-composer .queue li').allInnerTexts();
    assert.deepEqual(
      rows.map((row) => row.trim().split(/\s+/)),
      [['first'], ['second'], ['next', 'third']],
    );
  });

  it('says what is queued after a stop, and sends it when the user says so', async () => {
    await web.show(view({ revision: 2, ...running, queued: ['first', 'second'] }));
    assert.equal(await web.page.getByText('messages wait').count(), 0);
    await web.show(view({ revision: 3, queued: ['first', 'second'] }));
    assert.match(await readText(web.page.locator('karl-composer .held')), /2 messages wait\./);
    await web.page.getByRole('button', { name: 'Send them' }).click();
    assert.deepEqual(await web.intents(), [{ type: 'send-queued' }]);
  });

  it('says why it is disabled when another window has the conversation, and can take over', async () => {
    const conversation = { id: 'one', title: 't', model: 'm', readOnly: 'Open in another window.' };
    await web.show(view({ revision: 2, conversation }));
    assert.equal(await input().isDisabled(), true);
    assert.equal(await input().getAttribute('placeholder'), '', 'it asks for nothing that cannot be done');
    assert.match(await readText(web.page.locator('karl-composer .locked')), /Open in another window\./);
    const compress = web.page.locator('karl-compress-button').locator('vscode-button, button.more');
    const hints = () => compress.evaluateAll((buttons) => buttons.map((button) => button.getAttribute('title')));
    assert.deepEqual(await hints(), ['Open in another window.', 'Open in another window.']);
    await web.show(view({ revision: 3, activity: { kind: 'compacting', label: 'Compressing with adaptive' } }));
    const wait = 'Karl is compressing. Wait or press Stop.';
    assert.deepEqual(await hints(), [wait, wait]);
    await web.show(view({ revision: 4, conversation }));
    await web.page.getByRole('button', { name: 'Take Over' }).click();
    assert.deepEqual(await web.intents(), [{ type: 'take-over' }]);
  });

  it('says where to write in a conversation of another agent; its request cannot be stopped, a compression can', async () => {
    const otherAgent = 'A conversation of Cline: continue it there. Here you can read, compress, undo and pin.';
    const conversation = { id: 'one', title: 't', model: 'm', otherAgent };
    await web.show(view({ revision: 2, conversation, activity: { kind: 'model', label: 'm' } }));
    assert.equal(await input().isDisabled(), true);
    assert.equal(await readText(web.page.locator('karl-composer .locked')), otherAgent);
    const button = (name: string) => web.page.getByRole('button', { name, exact: true });
    assert.deepEqual([await button('Take Over').count(), await button('Stop').count()], [0, 0]);
    assert.equal(await button('Compress').isDisabled(), false);
    await web.show(view({ revision: 3, conversation, activity: { kind: 'compacting', label: 'Compressing' } }));
    assert.equal(await button('Stop').count(), 1);
  });

  it('takes a message back that was not sent, above what was written since', async () => {
    const input = web.page.locator('karl-composer textarea');
    await input.fill('Second thoughts');
    await web.post({ type: 'unsent', text: 'First thoughts' });
    assert.equal(await input.inputValue(), 'First thoughts\nSecond thoughts');
    await web.post({ type: 'unsent', text: 'Then this' });
    assert.equal(await input.inputValue(), 'First thoughts\nThen this\nSecond thoughts', 'in the order they were sent');
    await input.fill('Third thoughts');
    await web.post({ type: 'unsent', text: 'First thoughts' });
    assert.equal(await input.inputValue(), 'First thoughts\nThird thoughts');
  });

  it('keeps the draft when the page is discarded and restored', async () => {
    await input().fill('half a thought');
    const saved = await web.savedState();
    await web.open({ saved });
    await web.show(view());
    assert.equal(await web.page.locator('karl-composer textarea').inputValue(), 'half a thought');
  });

  it('has the host keep the draft, and takes back what it kept if that is newer and nothing was written since', async () => {
    const kept = () =>
      web.page.evaluate(() =>
        window.karlIntents.flatMap((intent) => (intent.type === 'keep-page' ? [JSON.parse(intent.saved).draft] : [])),
      );
    await input().pressSequentially('half a thought');
    await waitFor(kept, (drafts) => drafts.at(-1) === 'half a thought');
    assert.ok((await kept()).length < 5, 'not for every letter');
    await input().press('Enter');
    await waitFor(kept, (drafts) => drafts.at(-1) === '');

    const restored = async (saved: unknown, typed: string, text: string): Promise<string> => {
      await web.open({ saved });
      await web.show(view());
      const box = web.page.locator('karl-composer textarea');
      await box.fill(typed);
      await web.post({ type: 'restore', saved: text });
      const value = await box.inputValue();
      return value;
    };
    const newer = JSON.stringify({ draft: 'half a thought', detailsOpen: false, at: 2 });
    assert.equal(await restored(undefined, '', newer), 'half a thought');
    assert.equal(await restored({ draft: 'half', at: 1 }, 'half', newer), 'half a thought');
    assert.equal(await restored({ draft: 'half', at: 3 }, 'half', newer), 'half');
    assert.equal(await restored({ draft: '', at: 1 }, 'another', newer), 'another');
    assert.equal(await restored(undefined, '', newer.slice(0, 20)), '');
  });

  it('has a draft of its own for each conversation, over a reload too', async () => {
    const at = (id: string, revision: number) => view({ revision, conversation: { id, title: id, model: 'm' } });
    await web.show(at('a', 10));
    await input().fill('for a');
    await web.show(at('b', 11));
    assert.equal(await input().inputValue(), '');
    await input().fill('for b');
    await web.show(at('a', 12));
    assert.equal(await input().inputValue(), 'for a');
    await web.open({ saved: await web.savedState() });
    const other = web.page.locator('karl-composer textarea');
    await web.show(at('b', 1));
    assert.equal(await other.inputValue(), 'for b');
    await web.show(at('a', 2));
    assert.equal(await other.inputValue(), 'for a');
  });

  it('keeps the draft and the caret while snapshots arrive', async () => {
    await input().fill('one three');
    await input().evaluate((element) => element instanceof HTMLTextAreaElement && element.setSelectionRange(4, 4));
    await web.show(view({ revision: 2, ...running }));
    await input().pressSequentially('two ');
    assert.equal(await input().inputValue(), 'one two three');
  });

  it('takes 10,000 characters, sends them whole and stays inside the view', async () => {
    const text = 'All work and no play. '.repeat(455).trim();
    await input().fill(text);
    const box = await web.page.locator('karl-composer .box').boundingBox();
    assert.ok(box && box.height < 380 && box.y + box.height <= 760);
    await input().press('Enter');
    assert.deepEqual(await web.intents(), [{ type: 'send', text }]);
  });

  it('says in the tooltip of the model where its profile comes from', async () => {
    const conversation = { id: 'one', title: 't', model: 'm', modelHint: 'm on ollama\nProfile: built-in' };
    await web.show(view({ revision: 2, conversation }));
    const title = await web.page.locator('karl-composer button.model').getAttribute('title');
    assert.equal(title, 'Select the model\n\nm on ollama\nProfile: built-in');
  });

  it('shows where the messages go, when there is a server, and lets it be changed', async () => {
    const server = web.page.locator('karl-composer .server');
    const conversation = { id: 'one', title: 't', model: 'm' };
    await web.show(view({ revision: 2, conversation: { ...conversation, server: 'http://127.0.0.1:1234' } }));
    assert.equal(await readText(server), '127.0.0.1:1234');
    await web.page.getByRole('button', { name: 'Server http://127.0.0.1:1234, select another' }).click();
    assert.deepEqual(await web.intents(), [{ type: 'select-server' }]);
    await web.show(view({ revision: 3, conversation }));
    assert.equal(await server.count(), 0);
  });

  it('offers to select a model when none is selected', async () => {
    const { conversation } = view();
    assert.ok(conversation);
    await web.show(view({ conversation: { ...conversation, model: '' }, revision: 2 }));
    await web.page.getByRole('button', { name: 'Select Model…', exact: true }).click();
    assert.deepEqual(await web.intents(), [{ type: 'select-model' }]);
  });

  it('names the model and lets it be changed', async () => {
    await web.page.getByRole('button', { name: 'qwen3-coder-30b' }).click();
    assert.deepEqual(await web.intents(), [{ type: 'select-model' }]);
  });
});
