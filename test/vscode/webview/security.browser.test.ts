import assert from 'node:assert/strict';
import type { EntryState } from '../../../src/protocol/entries.ts';
import { bundle, readText, WebviewPage } from './page.ts';
import { call, compressed, compression, message, note, notice, view } from './sample.ts';

/** Each would run, load or lead somewhere if the text were trusted. All set `karlExecuted` when they run. */
const HOSTILE: Readonly<Record<string, string>> = {
  script: '<script>window.karlExecuted = "script"</script>',
  'image handler': '<img src="x" onerror="window.karlExecuted = \'img\'">',
  'remote image in HTML': '<img src="https://evil.test/pixel.png">',
  'remote image in Markdown': '![pixel](https://evil.test/pixel.png)',
  'reference image': '![pixel][p]\n\n[p]: https://evil.test/pixel.png',
  'command link': '[open](command:workbench.action.terminal.new)',
  'command link in HTML': '<a href="command:workbench.action.terminal.new">open</a>',
  'script link': '[go](javascript:window.karlExecuted=1)',
  'script link with entities': '[go](&#106;avascript:window.karlExecuted=1)',
  'script link with a tab': '[go](java\tscript:window.karlExecuted=1)',
  'data link': '[go](data:text/html,<script>window.karlExecuted=1</script>)',
  'vscode link': '[go](vscode://some.extension/do)',
  svg: '<svg onload="window.karlExecuted = \'svg\'"><circle r="9"/></svg>',
  frame: '<iframe srcdoc="<script>parent.karlExecuted = 1</script>"></iframe>',
  form: '<form action="https://evil.test"><button>send</button></form>',
  style: '<style>* { display: none }</style>',
  'style attribute': '<p style="position:fixed;inset:0;background:url(https://evil.test/a.png)">cover</p>',
  'unclosed attribute': '<a href="https://good.test" onclick="window.karlExecuted = 1" x="',
  'math mutation':
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.karlExecuted=1&gt;">',
  'autolink of a command': '<command:workbench.action.quit>',
  'title breakout': '[a](https://good.test "\\" onmouseover=window.karlExecuted=1 x=\\"")',
  'code language breakout': '```ts"onmouseover="window.karlExecuted=1"\ncode\n```',
};

const KINDS = {
  assistant: (id: number, text: string) => message({ id, role: 'assistant', text }),
  user: (id: number, text: string) => message({ id, role: 'user', text }),
  system: (id: number, text: string) => message({ id, role: 'system', text }),
  summary: (id: number, text: string) => note(text, { from: id, key: `s${id}` }),
  call: (id: number, text: string) => call({ call: id, name: text, target: text, detail: text }),
} as const satisfies Record<string, (id: number, text: string) => EntryState>;

/** What hangs is ended after this time, ms. */
const HANGS = 120_000;
/** A row takes a tenth of it at most; on a machine with much else to do, it may take longer. */
const SLOW = 10_000;

describe('text that a model wrote', function () {
  this.timeout(HANGS);
  const web = new WebviewPage();
  before(async () => {
    await web.launch();
    await web.open();
  });
  after(() => web.end());

  let revision = 0;
  for (const [kind, make] of Object.entries(KINDS))
    it(`neither runs nor loads nor leads away: ${kind}`, async () => {
      revision += 1;
      const texts = Object.values(HOSTILE);
      await web.show(view({ revision, entries: texts.map((text, index) => make(2 * index, text)) }));
      const rows = web.page.locator('karl-conversation .row > *');
      assert.equal(await rows.count(), texts.length);
      if (kind === 'call') {
        await rows.locator('details').evaluateAll((all) => {
          for (const one of all) one.setAttribute('open', '');
        });
        for (const [index, text] of texts.entries())
          await web.post({ type: 'expanded', key: `c${2 * index}.0`, texts: [text, text] });
      }
      const found = await rows.evaluateAll((elements) =>
        elements.map(({ shadowRoot: root }) => {
          const all = [...(root?.querySelectorAll('article *') ?? [])];
          for (const each of all) each.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
          const own = all.filter((each) => !each.closest('svg.icon'));
          return {
            tags: own.map((each) => each.localName),
            handlers: own.flatMap((each) => each.getAttributeNames().filter((name) => /^on|^style$/.test(name))),
            links: [...(root?.querySelectorAll('a') ?? [])].map((link) => link.href),
            shown: root?.textContent ?? '',
          };
        }),
      );
      for (const [index, name] of Object.keys(HOSTILE).entries()) {
        const { tags = [], handlers = [], links = [], shown = '' } = found[index] ?? {};
        for (const tag of ['script', 'img', 'iframe', 'form', 'svg', 'math', 'style', 'object', 'embed', 'video'])
          assert.ok(!tags.includes(tag), `${name}: <${tag}> stands in the page`);
        assert.deepEqual(handlers, [], name);
        for (const link of links) assert.match(link, /^https?:/, name);
        assert.ok(shown.trim().length > 0, `${name}: what was written can be read`);
      }
      assert.equal(await web.page.evaluate(() => window.karlExecuted), undefined);
      assert.deepEqual(web.requests, []);
      assert.deepEqual(web.problems, [], 'nothing even tried');
    });

  const lone = async (text: string) => {
    revision += 1;
    await web.show(view({ revision, entries: [message({ id: revision, role: 'assistant', text })] }));
    return web.page.locator('karl-message .markdown');
  };

  for (const [what, text, words] of [
    [
      'the words and the address of an image instead of loading it',
      '![up](https://evil.test/pixel.png)',
      '[image: up, https://evil.test/pixel.png]',
    ],
    [
      'HTML as it was written',
      'Use <b>bold</b> & <script>alert(1)</script>.',
      'Use <b>bold</b> & <script>alert(1)</script>.',
    ],
    ['links that do not lead to the web as text', '[the file](src/a.ts) and [run](command:x)', 'the file and run'],
  ] as const)
    it(`shows ${what}`, async () => {
      const shown = await lone(text);
      assert.equal(await readText(shown), words);
      assert.equal(await shown.locator('a, img, b, script').count(), 0);
    });

  it('lets web links be links that say where they lead', async () => {
    const link = (await lone('[docs](https://example.test/a?b=1&c=2)')).locator('a');
    assert.equal(await link.getAttribute('href'), 'https://example.test/a?b=1&c=2');
    assert.equal(await link.getAttribute('title'), 'https://example.test/a?b=1&c=2');
    assert.match((await link.getAttribute('rel')) ?? '', /noopener/);
  });

  it('is plain text in receipts, notices and titles', async () => {
    revision += 1;
    const text = '<img src=x onerror="window.karlExecuted=1">';
    const conversation = { id: text, title: text, model: text, server: text };
    await web.show(
      view({
        revision,
        conversation,
        entries: [
          note(text),
          call({ call: 3, name: text, target: text, detail: text, outcome: 'failed' }),
          compressed({ ...compression, strategy: text, trigger: text, kept: text, receipt: [text], model: text }),
        ],
        unfinished: text,
        queued: [text],
        notices: [notice('error', text, text)],
        activity: { kind: 'tool', label: text },
      }),
    );
    assert.equal(await web.page.locator('img').count(), 0);
    assert.equal(await web.page.evaluate(() => window.karlExecuted), undefined);
  });

  for (const [name, text] of Object.entries({
    'open brackets': '['.repeat(40_000),
    emphasis: '*a **b '.repeat(5_000),
    quotes: `${'>'.repeat(20_000)} deep`,
    lists: Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth * 2)}- x`)
      .join('\n')
      .slice(0, 40_000),
    backticks: '`a``'.repeat(9_000),
    underscores: '_a_'.repeat(13_000),
    'unclosed links': '[a]('.repeat(10_000),
    'colons and stars': ':**a'.repeat(10_000),
    'colons and stars in many paragraphs': `${':**a'.repeat(1_000)}\n\n`.repeat(9),
    spaces: `a${' '.repeat(39_000)}b`,
    'tag names': '<a '.repeat(13_000),
    'numbered lists': '1. '.repeat(13_000),
    'image links': '![a]('.repeat(7_900),
    handles: `[t1${', t1'.repeat(9_000)}`,
    paths: `${'a/'.repeat(19_000)}b`,
    'long word': 'a'.repeat(1_000_000),
  })) {
    it(`is drawn soon: ${name}`, async () => {
      const start = performance.now();
      const shown = await lone(text);
      const took = performance.now() - start;
      assert.ok(took < SLOW, `${Math.round(took)} ms`);
      assert.equal(await shown.count(), 1);
      assert.ok((await shown.evaluate((element) => element.textContent?.trim().length ?? 0)) > 0, 'it can be read');
      assert.deepEqual(web.problems, []);
    });
  }

  it('is drawn soon: a long word of the user, and one that a tool printed', async () => {
    const word = 'a'.repeat(1_000_000);
    const start = performance.now();
    await web.show(
      view({ revision: ++revision, entries: [message({ id: 0, role: 'user', text: word }), call({ call: 1 })] }),
    );
    await web.page.locator('karl-call summary').click();
    await web.post({ type: 'expanded', key: 'c1.0', texts: ['path: a', word] });
    await web.page.locator('karl-call pre').nth(1).waitFor();
    const took = performance.now() - start;
    assert.ok(took < SLOW, `${Math.round(took)} ms`);
  });

  it('does not fall behind a stream of text that is slow to draw, and draws it when it is complete', async () => {
    const snapshot = async (text: string, streaming: boolean) => {
      revision += 1;
      await web.show(view({ revision, entries: [message({ id: 0, role: 'assistant', text, streaming })] }));
    };
    const drawn = new Set<number>();
    for (let length = 5_000; length <= 13_000; length += 200) {
      await snapshot('_a_'.repeat(length), true);
      drawn.add((await web.page.locator('karl-message .markdown').textContent())?.length ?? 0);
    }
    assert.ok(drawn.size < 30, `${drawn.size} of 41 snapshots were drawn`);
    await snapshot('All **done**.', false);
    assert.equal(await web.page.locator('karl-message .markdown strong').textContent(), 'done');
  });
});

/** The second line of defence: what if the renderer let markup through? */
describe('the sanitiser by itself', () => {
  const web = new WebviewPage();
  before(async () => {
    await web.launch();
    await web.open();
    await web.page.evaluate(
      `${await bundle('src/webview/conversation/markdown.ts', 'sanitizer')}; window.sanitizer = sanitizer`,
    );
  });
  after(() => web.end());

  const sanitized = (markup: string) =>
    web.page.evaluate((text) => {
      const { sanitizer } = window as unknown as { sanitizer: { sanitize(markup: string): DocumentFragment } };
      const holder = document.createElement('div');
      holder.append(sanitizer.sanitize(text));
      document.body.append(holder);
      const html = holder.innerHTML;
      holder.remove();
      return html;
    }, markup);

  it('makes every text harmless', async () => {
    for (const [name, markup] of Object.entries(HOSTILE)) {
      const html = await sanitized(markup);
      assert.doesNotMatch(html, /<(script|img|iframe|form|button|svg|math|style)|<[^>]*\s(on\w+|style)\s*=/i, name);
      assert.doesNotMatch(html, /href\s*=\s*"(?!https?:)/i, name);
    }
    assert.equal(await web.page.evaluate(() => window.karlExecuted), undefined);
    assert.deepEqual(web.requests, []);
  });

  it('takes what is no address of the web off a link and leaves its words', async () => {
    const local = ['command:x', 'file:///etc/passwd', '//evil.test', '/local'];
    for (const address of [...local, 'javascript:x', ' javascript:x', 'java&#10;script:x', 'data:text/html,x'])
      assert.equal(await sanitized(`<a href="${address}">words</a>`), '<a>words</a>', address);
  });

  it('leaves web links as they are', async () => {
    const link = '<a href="https://example.test/a" rel="noopener">words</a>';
    assert.equal(await sanitized(link), link);
  });
});

describe('the policy of the page', () => {
  it('refuses what the sanitiser would have to let through: inline scripts, handlers, remote images', async () => {
    const web = new WebviewPage();
    await web.launch();
    try {
      await web.open();
      await web.page.evaluate(() => {
        const holder = document.createElement('div');
        holder.innerHTML = '<img src="https://evil.test/a.png"><button onclick="window.karlExecuted = 1">x</button>';
        document.body.append(holder);
        const script = document.createElement('script');
        script.textContent = 'window.karlExecuted = 1';
        document.body.append(script);
        holder.querySelector('button')?.click();
      });
      assert.equal(await web.page.evaluate(() => window.karlExecuted), undefined);
      assert.deepEqual(web.requests, []);
      assert.ok(web.problems.some((problem) => problem.includes('img-src')));
      assert.ok(web.problems.some((problem) => problem.includes('script-src')));
    } finally {
      await web.end();
    }
  });
});
