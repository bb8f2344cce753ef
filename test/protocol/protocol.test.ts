import assert from 'node:assert/strict';
import type { FromWebview } from '../../src/protocol/fromWebview.ts';
import { MAX_SENT_CHARACTERS, parseFromWebview } from '../../src/protocol/fromWebview.ts';
import { webviewHtml } from '../../src/protocol/html.ts';

/** One intent of each type; the compiler complains when one is missing here. */
const EVERY: { readonly [Type in FromWebview['type']]: Extract<FromWebview, { type: Type }> } = {
  ready: { type: 'ready' },
  focused: { type: 'focused', isFocused: true },
  'keep-page': { type: 'keep-page', saved: '{}' },
  send: { type: 'send', text: 'hello' },
  cancel: { type: 'cancel' },
  pause: { type: 'pause', isPaused: true },
  complete: { type: 'complete', text: '' },
  attach: { type: 'attach', path: 'src/a.ts' },
  'attach-image': { type: 'attach-image', url: 'data:image/png;base64,iVBORw0KGgo=' },
  'refuse-image': { type: 'refuse-image', bytes: 31_000_000 },
  detach: { type: 'detach', index: 0, label: 'src/a.ts:3-9' },
  'stop-editing': { type: 'stop-editing' },
  unqueue: { type: 'unqueue', index: 0, text: 'Then this' },
  compress: { type: 'compress' },
  'compress-with': { type: 'compress-with' },
  'compress-keeping': { type: 'compress-keeping' },
  preview: { type: 'preview', upTo: 4 },
  'preview-keep': { type: 'preview-keep', from: 3, to: 4, keep: true },
  'preview-instructions': { type: 'preview-instructions', text: 'keep the SQL' },
  'preview-more': { type: 'preview-more' },
  'preview-strategy': { type: 'preview-strategy', strategy: 'karl' },
  'preview-edit': { type: 'preview-edit', from: 1, to: 9, text: '' },
  'preview-unedit': { type: 'preview-unedit' },
  'preview-again': { type: 'preview-again' },
  'preview-mend': { type: 'preview-mend', cure: 'Set API Key…' },
  'preview-apply': { type: 'preview-apply' },
  'preview-close': { type: 'preview-close', answer: 'not-now' },
  undo: { type: 'undo', id: 'c1' },
  pin: { type: 'pin', id: 3 },
  unpin: { type: 'unpin', id: 3 },
  'pin-all': { type: 'pin-all', ids: [3, 5], pinned: true },
  expand: { type: 'expand', key: 'm3' },
  change: { type: 'change', act: 'dropped', ids: [3, 7] },
  continue: { type: 'continue' },
  retry: { type: 'retry', id: 3 },
  edit: { type: 'edit', id: 3 },
  resend: { type: 'resend', id: 3, text: 'hello' },
  redo: { type: 'redo', id: 'c1' },
  diff: { type: 'diff', id: 'c1' },
  'show-replaced': { type: 'show-replaced', id: 'c1' },
  show: { type: 'show', shows: 'request' },
  reveal: { type: 'reveal', id: 3 },
  'at-end': { type: 'at-end' },
  'open-file': { type: 'open-file', path: 'src/a.ts', line: 1 },
  'read-from': { type: 'read-from', id: 12 },
  copy: { type: 'copy', key: 'c3.0' },
  'copy-text': { type: 'copy-text', text: 'a' },
  insert: { type: 'insert', text: 'a' },
  find: { type: 'find', text: 'expiresAt' },
  'show-original': { type: 'show-original', from: 3, to: 7 },
  'new-conversation': { type: 'new-conversation' },
  'open-sample': { type: 'open-sample' },
  'send-queued': { type: 'send-queued' },
  'set-window': { type: 'set-window' },
  'select-server': { type: 'select-server' },
  'select-model': { type: 'select-model' },
  'take-over': { type: 'take-over' },
  'open-log': { type: 'open-log' },
  answer: { type: 'answer', id: 'q1', answer: 'deny', reason: 'not now', offer: 0 },
  'send-between': { type: 'send-between', index: 0, text: 'and b.ts' },
  'leave-out': { type: 'leave-out', tool: 'list_files' },
  'show-change': { type: 'show-change' },
  'restore-files': { type: 'restore-files', id: 3 },
  'copy-restored': { type: 'copy-restored', id: 'a' },
  rescue: { type: 'rescue' },
  'open-dropped': { type: 'open-dropped', uris: ['file:///a.jsonl'], files: [{ name: 'a.jsonl', bytes: 1 }] },
  notice: { type: 'notice', id: 'n', action: 'retry' },
};

describe('parseFromWebview', () => {
  for (const intent of Object.values(EVERY)) {
    it(`knows ${intent.type}`, () => assert.deepEqual(parseFromWebview(intent), { ok: true, value: intent }));
  }

  for (const [name, value] of Object.entries<unknown>({
    nothing: undefined,
    null: null,
    text: 'ready',
    'no type': {},
    'an unknown type': { type: 'execute', command: 'rm' },
    'an unknown field': { type: 'cancel', force: true },
    'a message id that is text': { type: 'pin', id: '3' },
    'a message id below zero': { type: 'pin', id: -1 },
    'a message id that is no whole number': { type: 'pin', id: 1.5 },
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
    const pinned = parseFromWebview({ type: 'pin', id: 'x' });
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
