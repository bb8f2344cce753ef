import assert from 'node:assert/strict';
import { MAX_SENT_CHARACTERS, parseFromWebview } from '../../src/protocol/fromWebview.ts';
import { webviewHtml } from '../../src/protocol/html.ts';

describe('parseFromWebview', () => {
  for (const [name, value] of Object.entries<unknown>({
    nothing: undefined,
    null: null,
    text: 'ready',
    'no type': {},
    'an unknown type': { type: 'execute', command: 'rm' },
    'an unknown field': { type: 'cancel', force: true },
    'a message id that is text': { type: 'retry', id: '3' },
    'a message id below zero': { type: 'retry', id: -1 },
    'a message id that is no whole number': { type: 'retry', id: 1.5 },
    'a side that there is not': { type: 'show', shows: 'admin' },
    'a line before the first': { type: 'open-file', path: 'a.ts', line: 0 },
    'an original without an end': { type: 'show-original', from: 3 },
    'an original of a path': { type: 'show-original', from: '/etc/passwd', to: 3 },
    'an empty message': { type: 'send', text: '' },
    'a message without end': { type: 'send', text: 'x'.repeat(MAX_SENT_CHARACTERS + 1) },
    'an undo of nothing': { type: 'undo' },
    'another answer to a question': { type: 'preview-close', answer: 'compress' },
    'a choice that is none': { type: 'preview-keep', from: 3, to: 4, keep: 'yes' },
  })) {
    it(`refuses ${name}`, () => {
      const parsed = parseFromWebview(value);
      assert.equal(parsed.ok, false);
    });
  }

  it('says which field was wrong and repeats nothing of the text', () => {
    const parsed = parseFromWebview({ type: 'send', text: 'my secret', key: 'sk-123' });
    assert.ok(!parsed.ok);
    assert.doesNotMatch(parsed.error, /secret|sk-123/);
    assert.match(parsed.error, /unrecognized_keys/);
    const pinned = parseFromWebview({ type: 'retry', id: 'x' });
    assert.ok(!pinned.ok);
    assert.match(pinned.error, /\bid\b/);
  });
});

describe('webviewHtml', () => {
  const page = {
    nonce: 'abc',
    cspSource: 'https://source',
    scriptUri: 'https://source/w.js?a=1&b=2',
    title: 'A <b> "title"',
  };
  const html = webviewHtml(page);

  it('allows only scripts with its nonce', () => {
    const policy = /content="([^"]+)"/.exec(html)?.[1];
    assert.match(policy ?? '', /^default-src 'none';/);
    assert.match(policy ?? '', /script-src 'nonce-abc'(;|$)/);
    assert.doesNotMatch(policy ?? '', /unsafe|\*|https?:(?!\/\/source)/);
  });

  it('has no inline script, style or handler', () => {
    assert.doesNotMatch(html, /<style|\son\w+=|\sstyle=/);
    assert.match(html, /<script nonce="abc" src="https:\/\/source\/w\.js\?a=1&amp;b=2"><\/script>/);
  });

  it('escapes the title', () => assert.match(html, /<title>A &lt;b&gt; &quot;title&quot;<\/title>/));

  it('names its language and holds its sentences as data that ends nowhere but at its end', () => {
    const sentences = { 'a </script><b>': 'ein </script><b> & "mehr"' };
    const german = webviewHtml({ ...page, language: 'de', sentences });
    assert.match(german, /<html lang="de"/);
    const [, held = ''] = /<script type="application\/json" id="sentences">(.*?)<\/script>/s.exec(german) ?? [];
    assert.deepEqual(JSON.parse(held), sentences);
    assert.match(html, /<html lang="en"/);
  });
});
