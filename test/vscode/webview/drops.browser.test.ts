import assert from 'node:assert/strict';
import { useWebview } from './page.ts';

/** What is dropped: texts by their type, and files by their name. */
interface Dropped {
  readonly texts?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

describe('what is dropped on the view', () => {
  const web = useWebview();

  /** Drags something over a part of the view and drops it; whether the page took each of the three events. */
  const drop = (on: string, { texts = {}, files = {} }: Dropped): Promise<readonly boolean[]> =>
    web.page.locator(on).evaluate(
      (element, [textsNow, filesNow]) => {
        const dataTransfer = new DataTransfer();
        for (const [type, text] of Object.entries(textsNow)) dataTransfer.setData(type, text);
        for (const [name, type] of Object.entries(filesNow))
          dataTransfer.items.add(new File(['12345'], name, { type }));
        return ['dragenter', 'dragover', 'drop'].map(
          (type) =>
            !element.dispatchEvent(
              new DragEvent(type, { dataTransfer, bubbles: true, composed: true, cancelable: true }),
            ),
        );
      },
      [texts, files] as const,
    );
  const [anywhere, box] = ['karl-gauge', 'karl-composer textarea'];

  it('is opened when it is a file of the editor, wherever it is dropped', async () => {
    for (const on of [anywhere, box]) {
      await web.draw();
      const texts = {
        'application/vnd.code.uri-list': 'file:///work/a%20b.jsonl\r\n',
        'text/plain': '/work/a b.jsonl',
      };
      assert.deepEqual(await drop(on, { texts }), [true, true, true], on);
      assert.deepEqual(await web.lastIntent(), { type: 'open-dropped', uris: ['file:///work/a%20b.jsonl'], files: [] });
    }
  });

  it('is named, with its size, when it comes from outside: a page may know no more of it', async () => {
    await web.draw();
    assert.deepEqual(await drop(anywhere, { files: { 'a.jsonl': '' } }), [true, true, true]);
    assert.deepEqual(await web.lastIntent(), {
      type: 'open-dropped',
      uris: [],
      files: [{ name: 'a.jsonl', bytes: 5 }],
    });
  });

  it('is attached when it is an image, wherever it is dropped', async () => {
    for (const on of [anywhere, box]) {
      await web.draw();
      await drop(on, { files: { 'a.png': 'image/png' } });
      await web.page.waitForFunction(() => window.karlIntents.some(({ type }) => type === 'attach-image'));
      assert.deepEqual(await web.lastIntent(), { type: 'attach-image', url: 'data:image/png;base64,MTIzNDU=' }, on);
    }
  });

  it('is left to the browser when it is a text or the address of a page', async () => {
    await web.draw();
    assert.deepEqual(await drop(box, { texts: { 'text/plain': 'words' } }), [false, false, false]);
    const texts = { 'text/uri-list': 'https://example.com/a.jsonl' };
    assert.deepEqual(await drop(box, { texts }), [true, true, false]);
    assert.deepEqual(await web.asked(), []);
  });
});
