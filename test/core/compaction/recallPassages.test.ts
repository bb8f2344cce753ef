import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseMessage } from '../../../src/core/chat/parse.ts';
import { PassageIndex, splitPassages, termsOf } from '../../../src/core/compaction/recall/passageIndex.ts';
import { diffLines, readableCall } from '../../../src/core/compaction/recall/readable.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { assistant, tool, user } from '../conversation/kit.ts';

it('a passage loses nothing but white space, and is at most a few hundred characters', () => {
  const piece = fc.oneof(fc.string(), fc.constant('\n'), fc.constant('\n\n'), fc.constant('word '.repeat(200)));
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      const passages = [...splitPassages(text)];
      const kept = passages.map((passage) => passage.text).join('');
      assert.equal(kept.replace(/\s/g, ''), text.replace(/\s/g, ''));
      assert.ok(passages.every((passage) => passage.text.length <= 710));
    }),
  );
});

describe('terms', () => {
  it('are names whole and in their parts, case folded', () => {
    for (const term of ['setusermail', 'set', 'user', 'mail']) assert.ok(termsOf('setUserMail').includes(term), term);
    assert.ok(!termsOf('setUserName').includes('setusermail'));
    assert.deepEqual(
      new Set(termsOf('see src/core/max_tokens.ts:12')),
      new Set(['see', 'src/core/max_tokens.ts:12', 'src', 'core', 'max_tokens.ts', 'max', 'tokens', 'ts', '12']),
    );
    for (const term of ['httpserver', 'http', 'server']) assert.ok(termsOf('HTTPServer').includes(term), term);
  });

  it('recognize a word by its beginning', () => {
    assert.deepEqual(termsOf('resuming'), termsOf('resumin'));
    assert.deepEqual(termsOf('Wiederherstellung'), termsOf('wiederherstellen'));
  });

  it('are pairs of characters where words have no spaces between them', () => {
    assert.deepEqual(termsOf('令牌预算'), ['令牌', '牌预', '预算']);
  });
});

describe('a call as a person would write it', () => {
  const write = (name: string, input: unknown) =>
    readableCall({ id: 'c', name, arguments: typeof input === 'string' ? input : JSON.stringify(input) });

  it('is a command after $, with its other arguments', () => {
    const command = write('bash', { command: 'npm test', description: 'Run tests' });
    assert.equal(command, '$ npm test\ndescription: Run tests');
    assert.equal(write('shell', { command: ['bash', '-lc', 'npm test'] }), '$ npm test');
  });

  it('is a diff for an edit, also for one of several', () => {
    const edits = [{ oldText: 'a\nb', newText: 'a\nc' }];
    assert.equal(write('edit', { path: 'x.ts', edits }), 'path: x.ts\nedits:\n-   a\n- b\n+ c');
  });

  it('is fields with real line breaks', () => {
    const input = { path: 'x.md', content: 'one\n"two"', todos: [{ content: 'go', status: 'open' }], all: true };
    assert.equal(
      write('write', input),
      'path: x.md\ncontent:\none\n"two"\ntodos:\n- content: go\n  status: open\nall: true',
    );
  });

  it('stays as it is if it is not JSON, or if a number would change', () => {
    for (const text of ['*** Begin Patch', '{"cut": "off', '{"id": 12345678901234567890}', ''])
      assert.equal(write('any', text), text);
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    assert.equal(write('any', deep), deep);
  });
});

it('a diff has every line of both texts, each with its mark', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (old, now) => {
      const diff = diffLines(old.join('\n'), now.join('\n'));
      const side = (marks: string) => diff.filter((line) => marks.includes(line[0] ?? '')).map((line) => line.slice(2));
      assert.deepEqual(side(' -'), old);
      assert.deepEqual(side(' +'), now);
    }),
  );
});

describe('the index of passages', () => {
  const messages = [
    user('Never push to main.'),
    ...tool('a', 'bash', { command: 'git push' }, 'rejected'),
    ...tool('b', 'bash', { command: 'git push' }, 'rejected'),
    assistant('The push was rejected; nothing was pushed to main.'),
    user('Never push to main.'),
  ].map((message, index) => parseMessage(message, index));
  const index = new PassageIndex(messages);
  before(() => runAtOnce(index.update()));

  it('gives for a statement the passages that may support it, with who said it and where', () => {
    const [first, ...rest] = index.search('the push was rejected');
    assert.equal(first?.passage.kind, 'agent');
    assert.deepEqual(first?.passage.places, [{ message: 5, from: 1, to: 1 }]);
    assert.ok(rest.every(({ score }) => score <= (first?.score ?? 0)));
  });

  it('has repeated calls and results once, with both places; repeated words of the human each time', () => {
    const places = index.passages.map(
      ({ kind, places }) => `${kind} ${places.map(({ message }) => message).join(' ')}`,
    );
    assert.deepEqual(places, ['human 0', 'call 1 3', 'result 2 4', 'agent 5', 'human 6']);
  });
});
