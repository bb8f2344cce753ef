import assert from 'node:assert/strict';
import type { ViewState } from '../../../src/protocol/viewState.ts';
import { bundleWebview, readText, useWebview } from './page.ts';
import { message, notice, view } from './sample.ts';

/** The limit that the extension sets itself for the script of its view, in bytes. */
const MAX_SCRIPT_BYTES = 350_000;

describe('the view', () => {
  const web = useWebview();

  it('keeps the newest snapshot, whatever the order in which they arrive', async () => {
    const titled = (revision: number, title: string) =>
      view({ revision, conversation: { id: 'one', title, model: 'm' } });
    await web.show(titled(5, 'five'));
    await web.show(titled(4, 'four'));
    assert.equal(await readText(web.page.locator('h1')), 'five');
    await web.show(titled(6, 'six'));
    assert.equal(await readText(web.page.locator('h1')), 'six');
  });

  it('draws at most one snapshot a frame while text streams in: the newest of those that came in it', async () => {
    const asked = message({ id: 0, role: 'user' });
    const states = Array.from({ length: 40 }, (_, index) => {
      const text = `word ${index}`;
      return view({
        revision: index + 2,
        entries: [asked, message({ id: 1, role: 'assistant', streaming: true, text })],
      });
    });
    await web.draw({ entries: [asked] });
    const drawn = await web.page.evaluate(async (all) => {
      const app = document.querySelector('karl-app') ?? document.createElement('karl-app');
      const revisions: (number | undefined)[] = [];
      const update = (app as unknown as { updated(changed: Map<string, unknown>): void }).updated;
      Object.assign(app, {
        updated(changed: Map<string, unknown>) {
          update.call(app, changed);
          if (changed.has('state')) revisions.push(app.state?.revision);
        },
      });
      // All in one task, with time for each to be drawn: no frame comes between.
      for (const state of all) {
        window.dispatchEvent(
          new MessageEvent('message', { data: { type: 'state', state }, origin: window.location.origin }),
        );
        for (let turn = 0; turn < 50; turn += 1) await null;
      }
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return revisions;
    }, states);
    assert.deepEqual(drawn, [41]);
    assert.equal(await readText(web.page.locator('karl-message').last().locator('.text')), 'word 39');
  });

  it('draws what came before a message that may be about it', async () => {
    const post = (data: unknown) =>
      web.page.evaluate(
        (value) => window.dispatchEvent(new MessageEvent('message', { data: value, origin: window.origin })),
        data,
      );
    await Promise.all([
      post({ type: 'state', state: view({ entries: [message({ id: 4, role: 'user' })] }) }),
      post({ type: 'edit', id: 4, text: 'Fix it.' }),
    ]);
    assert.equal(await web.input.inputValue(), 'Fix it.');
  });

  it('takes messages from its own host only', async () => {
    await web.draw();
    const conversation = { id: 'one', title: 'theirs', model: 'm' };
    for (const origin of ['https://evil.test', 'null', ''])
      await web.page.evaluate(
        ([data, from]) => window.dispatchEvent(new MessageEvent('message', { data, origin: from })),
        [{ type: 'state', state: view({ revision: 9, conversation }) }, origin] as const,
      );
    await web.draw();
    assert.equal(await readText(web.page.locator('h1')), 'Fix the flaky login test');
  });

  it('invites to begin when nothing is open', async () => {
    const { conversation: _none, gauge: _noGauge, ...empty } = view();
    await web.show(empty);
    assert.match(await readText(web.page.locator('.welcome')), /fixed token budget/);
    await web.press('New Conversation');
    await web.press('Open Sample Conversation');
    await web.press('Select Model…');
    assert.deepEqual(await web.asked(), ['new-conversation', 'open-sample', 'select-model']);
  });

  it('invites to begin in an empty conversation, but not during the first turn or where it is read-only', async () => {
    const invitation = web.page.getByText('No messages yet. Ask Karl something to begin.');
    await web.draw({ activity: { kind: 'idle' } });
    await invitation.waitFor();
    await web.draw({ activity: { kind: 'model', label: 'Preparing the request' } });
    await invitation.waitFor({ state: 'detached' });
    await web.draw();
    await invitation.waitFor();
    const readOnly = 'Open in another window.';
    await web.draw({ conversation: { id: 'one', title: 't', model: 'm', readOnly } });
    await invitation.waitFor({ state: 'detached' });
  });

  it('compresses, opens the log', async () => {
    await web.draw();
    await web.press('Compress');
    await web.press("Open today's log");
    assert.deepEqual(await web.asked(), ['compress', 'open-log']);
  });

  it('gives the focus to the message box when what had it goes, and only then', async () => {
    const box = web.page.locator('karl-composer textarea:focus');
    const steps: readonly (readonly [string, Partial<ViewState>])[] = [
      ['Dismiss', { notices: [notice('info', 'Done.')] }],
      ['Remove from the queue: Go on.', { queued: ['Go on.'] }],
      ['Continue', { entries: [message({ id: 1, role: 'user' })], unfinished: 'This message has no answer yet.' }],
      ['Stop', { activity: { kind: 'model', label: 'qwen3' } }],
    ];
    for (const [name, state] of steps) {
      await web.draw(state);
      const button = web.page.getByRole('button', { name, exact: true });
      await button.focus();
      await web.draw(state);
      assert.equal(await box.count(), 0, `${name} still has the focus`);
      await web.draw();
      await box.waitFor();
    }
  });

  it('is a small script', async () => {
    const bytes = Buffer.byteLength(await bundleWebview());
    assert.ok(bytes < MAX_SCRIPT_BYTES, `${bytes} bytes`);
  });
});
