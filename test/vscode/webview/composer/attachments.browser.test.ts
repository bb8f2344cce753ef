import assert from 'node:assert/strict';
import { namesOf, readText, useWebview } from '../page.ts';
import { message } from '../sample.ts';

/** One pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const FILE = { kind: 'file', label: 'src/a.ts:3-9', path: 'src/a.ts', line: 3, tokens: 1240 } as const;

describe('what goes with a message', () => {
  const web = useWebview();
  beforeEach(async () => {
    await web.draw();
  });

  const options = () => namesOf(web.page.getByRole('option'), 'title');
  /** What was asked for beside files that are offered. */
  const asked = async () => (await web.asked()).filter((one) => !one.startsWith('complete'));
  const offered = ['src/app.ts', 'docs/app.md'];

  it('is a file after an @: offered by the host, chosen with the keyboard, named in the text', async () => {
    await web.input.pressSequentially('Look at @ap');
    assert.deepEqual(await web.lastIntent(), { type: 'complete', text: 'ap' });
    await web.post({ type: 'completions', text: 'a', paths: ['late.ts'] });
    assert.deepEqual(await options(), []);
    await web.post({ type: 'completions', text: 'ap', paths: offered });
    assert.deepEqual(await options(), offered);
    assert.equal(await web.input.getAttribute('aria-activedescendant'), 'mention-0');
    await web.input.press('ArrowDown');
    await web.input.press('Enter');
    assert.equal(await web.input.inputValue(), 'Look at @docs/app.md ');
    assert.deepEqual(await web.lastIntent(), { type: 'attach', path: 'docs/app.md' });
    assert.deepEqual(await options(), []);
    await web.input.press('Enter');
    assert.deepEqual(await web.lastIntent(), { type: 'send', text: 'Look at @docs/app.md' });
  });

  it('is left to the host by the name that was typed: the text goes on, the reader leaves the box, or sends it', async () => {
    const named = 'mention docs/app.md';
    for (const leave of [() => web.input.press(' '), () => web.input.blur()]) {
      await web.input.fill('');
      await web.input.pressSequentially('See @docs/app.md');
      await web.post({ type: 'completions', text: 'docs/app.md', paths: ['docs/app.md', 'old/docs/app.md'] });
      await leave();
      assert.equal((await asked()).at(-1), named);
      assert.deepEqual(await options(), []);
    }
    await web.input.fill('');
    await web.input.pressSequentially('See @docs/app.md');
    await web.input.press('Enter');
    assert.deepEqual((await asked()).slice(-2), [named, 'send See @docs/app.md'], 'before the host has answered');
    await web.input.fill('See @docs/app.md');
    await web.input.fill('See');
    assert.equal((await asked()).at(-1), 'send See @docs/app.md', 'nothing that was deleted');
  });

  it('is offered in front of the view, in which nothing moves', async () => {
    const top = web.page.locator('karl-app .top');
    for (const height of [700, 420]) {
      await web.page.setViewportSize({ width: 320, height });
      await web.input.fill('See ');
      const places = () => Promise.all([top, web.input].map((one) => one.boundingBox()));
      const before = await places();
      await web.input.pressSequentially('@a');
      await web.post({ type: 'completions', text: 'a', paths: Array.from({ length: 20 }, (_, at) => `src/a${at}.ts`) });
      const first = web.page.getByRole('option').first();
      await first.waitFor();
      assert.deepEqual(await places(), before, `${height} pixels`);
      const { y = -1 } = (await web.page.getByRole('listbox', { name: /^Files/ }).boundingBox()) ?? {};
      assert.ok(y >= 0, 'all of the list can be seen');
      await first.click();
      assert.equal(await web.input.inputValue(), 'See @src/a0.ts ');
    }
  });

  it('is offered until Escape, which stops no run, and not inside a word', async () => {
    await web.draw({ activity: { kind: 'model', label: 'm' } });
    await web.input.pressSequentially('@a');
    await web.post({ type: 'completions', text: 'a', paths: offered });
    await web.input.press('Escape');
    assert.deepEqual(await options(), []);
    await web.input.fill('');
    await web.input.pressSequentially('me@a');
    assert.deepEqual(await web.asked(), ['complete ', 'complete a']);
  });

  it('is none where the host has none to offer, which is said until Escape, and keeps no message back', async () => {
    await web.draw({ activity: { kind: 'model', label: 'm' } });
    const none = web.page.getByRole('status').getByText('No file matches');
    await web.input.pressSequentially('@x');
    assert.equal(await none.count(), 0, 'the host has not answered');
    await web.post({ type: 'completions', text: 'x', paths: [] });
    await none.waitFor();
    await web.input.press('Escape');
    assert.equal(await none.count(), 0);
    await web.input.pressSequentially('y');
    await web.post({ type: 'completions', text: 'xy', paths: [] });
    await none.waitFor();
    await web.input.press('Enter');
    assert.equal(await none.count(), 0);
    assert.deepEqual(await asked(), ['mention xy', 'send @xy']);
  });

  it('is not offered for a text that was sent, or that came from elsewhere', async () => {
    await web.input.pressSequentially('@ap');
    await web.input.press('Enter');
    await web.post({ type: 'completions', text: 'ap', paths: offered });
    assert.deepEqual(await options(), []);
    await web.input.pressSequentially('@ap');
    await web.post({ type: 'unsent', text: 'Before.' });
    await web.post({ type: 'completions', text: 'ap', paths: offered });
    assert.deepEqual(await options(), []);
    await web.input.press('Enter');
    assert.deepEqual(await asked(), ['mention ap', 'send @ap', 'send Before.\n@ap']);
  });

  it('is shown above the text with its tokens and is removed by a button that names it', async () => {
    await web.draw({ attachments: [FILE, { kind: 'image', label: 'Image, 12 kB', tokens: 85 }] });
    const list = web.page.getByRole('list', { name: 'Attached, 1,325 tokens' });
    assert.match(await readText(list), /src\/a\.ts:3-9\s*1\.2k\s*Image, 12 kB\s*85/);
    await web.press('Remove Image, 12 kB, 85 tokens');
    assert.deepEqual(await web.asked(), ['detach 1 Image, 12 kB']);
  });

  it('is an image that is pasted; text is pasted as usual', async () => {
    const paste = (type: string, base64: string) =>
      web.input.evaluate(
        (element, given) => {
          const data = new DataTransfer();
          const bytes = Uint8Array.from(atob(given.base64), (letter) => letter.charCodeAt(0));
          data.items.add(new File([bytes], 'x', { type: given.type }));
          const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
          return element.dispatchEvent(event);
        },
        { type, base64 },
      );
    assert.equal(await paste('image/png', PIXEL), false, 'the page takes it');
    await web.page.waitForFunction(() => window.karlIntents.some(({ type }) => type === 'attach-image'));
    assert.deepEqual(await web.lastIntent(), { type: 'attach-image', url: `data:image/png;base64,${PIXEL}` });
    assert.equal(await paste('text/plain', PIXEL), true);
    assert.equal(await paste('image/svg+xml', PIXEL), true);
    assert.equal((await web.intents()).length, 1);
  });

  it('is an image that the message waits for, and none that is too large', async () => {
    await web.input.fill('Look.');
    await web.input.evaluate((element) => {
      const data = new DataTransfer();
      for (const size of [4_000_000, 31_000_000])
        data.items.add(new File([new Uint8Array(size)], `${size}.png`, { type: 'image/png' }));
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    });
    await web.page.waitForFunction(() => window.karlIntents.some(({ type }) => type === 'send'));
    const [refused, attached, sent] = await asked();
    assert.deepEqual([refused, sent], ['refuse-image 31000000', 'send Look.']);
    assert.match(attached ?? '', /^attach-image data:image/);
    assert.equal(await web.input.inputValue(), '');
  });

  it('is shown below what was sent, and a file opens at its line', async () => {
    const { tokens: _, ...attached } = FILE;
    await web.draw({ entries: [message({ id: 4, role: 'user', attached: [attached] })] });
    await web.press('src/a.ts:3-9');
    assert.deepEqual(await web.asked(), ['open-file src/a.ts 3']);
  });
});
