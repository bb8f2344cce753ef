import assert from 'node:assert/strict';
import { bundle, namesOf, readText, useWebview } from '../page.ts';
import { call, message } from '../sample.ts';

describe('code and paths in a reply', () => {
  const web = useWebview();
  afterEach(() => assert.deepEqual(web.requests, []));

  const reply = (text: string) => web.draw({ entries: [message({ id: 1, role: 'assistant', text })] });

  it('opens the file that a link of a reply leads to, and no other address', async () => {
    await reply(
      'See [the money](src/money.ts#L12), [this](./docs/a.md:3) and [that](command:evil) or [an anchor](#L3).',
    );
    const links = web.page.locator('karl-message span.file');
    assert.deepEqual(await links.allInnerTexts(), ['the money', 'this']);
    await links.first().click();
    await links.last().click();
    assert.deepEqual(await web.asked(), ['open-file src/money.ts 12', 'open-file docs/a.md 3']);
  });

  it('is coloured by its language, under the policy of the page, and loads nothing where there is no code', async () => {
    await reply('No code.');
    assert.equal(await web.page.evaluate(() => 'karlHighlight' in window), false);
    await web.draw({
      entries: [message({ id: 1, role: 'assistant', text: '```ts\nconst a = "<b>x</b>"; // one\n```' })],
    });
    const code = web.page.locator('karl-message pre code');
    await code.locator('.hljs-keyword').waitFor();
    assert.equal(await readText(code.locator('.hljs-string')), '"<b>x</b>"');
    assert.equal(await readText(code.locator('.hljs-comment')), '// one');
    const colours = await code
      .locator('span')
      .evaluateAll((all) => new Set(all.map((one) => getComputedStyle(one).color)).size);
    assert.equal(colours, 3);
  });

  it('stays plain in a language that nobody knows', async () => {
    await reply('```brainfuck\n+++\n```\n\n```ts\nlet a;\n```');
    await web.page.locator('.hljs-keyword').waitFor();
    assert.equal(await web.page.locator('karl-message pre').first().locator('span').count(), 0);
    assert.equal((await readText(web.page.locator('karl-message pre').first())).trim(), '+++');
  });

  it('is copied and inserted as it was written', async () => {
    await reply('```py\nif a:\n    b()\n```');
    await web.press(/^Copy the code/);
    await web.press(/^Insert the code/);
    const text = 'if a:\n    b()';
    assert.deepEqual(await web.asked(), [`copy-text ${text}`, `insert ${text}`]);
  });

  it('has buttons with names that differ throughout a reply', async () => {
    await reply(
      `\`\`\`ts\nlet a;\n\`\`\`\n\n\`\`\`ts\n${'const b = 1; '.repeat(9)}\n\`\`\`\n\n\`\`\`\nnpm test\n\`\`\``,
    );
    await web.page.locator('karl-message .code').nth(2).waitFor();
    const names = await namesOf(web.page.locator('karl-message .code-bar button'));
    assert.deepEqual(names, [
      'Copy the code: let a;',
      'Insert the code at the cursor: let a;',
      'Copy the code: const b = 1; const b = 1; cons…',
      'Insert the code at the cursor: const b = 1; const b = 1; cons…',
      'Copy the code: npm test',
      'Insert the code at the cursor: npm test',
    ]);
  });

  it('opens a file at its line, from a reply and from what a tool printed', async () => {
    await reply('See `src/a.ts:12` and docs/b.md, not [docs/c.md](https://x.test/docs/c.md) or `console.log`.');
    const names = await web.page.locator('karl-message span.file').allInnerTexts();
    assert.deepEqual(names, ['src/a.ts:12', 'docs/b.md']);
    await web.page.getByRole('link', { name: 'src/a.ts:12' }).click();
    assert.deepEqual(await web.asked(), ['open-file src/a.ts 12']);
    await web.draw({ entries: [call({ call: 3 })] });
    await web.page.locator('karl-call summary').click();
    await web.post({ type: 'expanded', key: 'c3.0', texts: ['query: x', 'src/deep/z.ts:7: const x = 1;'] });
    await web.page.getByRole('link', { name: 'src/deep/z.ts:7' }).press('Enter');
    assert.deepEqual(await web.lastIntent(), { type: 'open-file', path: 'src/deep/z.ts', line: 7 });
  });

  it('finds paths and nothing that only looks like one, and takes no time for a long line', async () => {
    const page = await web.browser.newPage();
    await page.addScriptTag({ content: await bundle('src/webview/conversation/textLinks.ts', 'paths') });
    const found = await page.evaluate(() => {
      const { paths } = window as unknown as {
        paths: typeof import('../../../../src/webview/conversation/textLinks.ts');
      };
      const find = (text: string) => paths.findPaths(text).map(({ path, line }) => `${path} ${line}`);
      return [
        find('./src/a.ts:3:9, (lib/b.test.ts) a.py:4'),
        find('https://a.test/b/c.ts user@host.com/a 1/2 and/or a.b.c 10.5 e.g. x.y:z ~/.ssh/id.pub'),
        find('/work/app/src/a.ts:2'),
        find('a/'.repeat(50_000)),
        find('a'.repeat(100_000)),
      ];
    });
    assert.deepEqual(found, [['src/a.ts 3', 'lib/b.test.ts 1', 'a.py 4'], [], ['/work/app/src/a.ts 2'], [], []]);
    await page.close();
  });
});
