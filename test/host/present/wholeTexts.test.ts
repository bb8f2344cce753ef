import assert from 'node:assert/strict';
import { parseMessage } from '../../../src/core/chat/parse.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { findRows, readWhole, writeOriginal } from '../../../src/host/present/wholeTexts.ts';
import { CONVERSATION, given } from './kit.ts';

const call = (id: string, path: string) => ({
  id,
  function: { name: 'read_file', arguments: JSON.stringify({ path }) },
});
const MESSAGES: readonly ChatMessage[] = [
  { role: 'system', content: 'Be careful.' },
  { role: 'user', content: 'Where is the Cookie set?' },
  {
    role: 'assistant',
    content: '',
    reasoning_content: 'Perhaps in refresh.',
    tool_calls: [call('x', 'a.ts'), call('x', 'cookie.ts')],
  },
  { role: 'tool', tool_call_id: 'x', content: 'nothing' },
  { role: 'tool', tool_call_id: 'x', content: 'set in line 12' },
  { role: 'tool', tool_call_id: 'lost', content: 'stray' },
  { role: 'assistant', content: 'Line 12 of cookie.ts.' },
];

const find = (text: string, messages = MESSAGES) =>
  runAtOnce(findRows(given({ messages }).transcript.blocks, text)).map(({ key, id }) => `${key} at ${id}`);

describe('the rows that contain a text', () => {
  it('are found in messages, arguments and results, ignoring case, each row once', () => {
    assert.deepEqual(find('COOKIE'), ['m1 at 1', 'c2.1 at 2', 'm6 at 6']);
    assert.deepEqual(find('line 12'), ['c2.1 at 2', 'm6 at 6']);
    assert.deepEqual(find('read_file'), ['c2.0 at 2', 'c2.1 at 2']);
    assert.deepEqual(find('perhaps'), ['m2 at 2']);
    assert.deepEqual(find('stray'), ['m5 at 5']);
    assert.deepEqual(find('.*'), []);
  });

  it('have the text in their unfolded form', () => {
    const shown = given();
    for (const row of runAtOnce(findRows(shown.transcript.blocks, 'x'.repeat(50)))) {
      assert.match(readWhole(row.key, shown, 'history')?.join('\n') ?? '', /x{50}/);
    }
    assert.equal(find('x'.repeat(50), CONVERSATION).length, 1);
  });
});

const CALL = { id: 'c1', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } };
const WIRES: readonly ChatMessage[] = [
  { role: 'system', content: 'You are an agent.' },
  { role: 'user', content: 'Fix **the** bug.\n\n[run](command:x) <b>' },
  { role: 'assistant', content: 'I look first.', tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'c1', content: '  export {};\n' },
];
const ORIGINALS = WIRES.map((wire, index) => parseMessage(wire, index));

describe('writeOriginal', () => {
  it('writes a message as it came, under its handle and speaker', () => {
    assert.equal(writeOriginal(ORIGINALS, { from: 1, to: 1 }), '[t1] User\n\nFix **the** bug.\n\n[run](command:x) <b>');
  });

  it('writes a whole range, with the arguments of calls and their results', () => {
    assert.equal(
      writeOriginal(ORIGINALS, { from: 2, to: 3 }),
      '[t2] Assistant\n\nI look first.\n\nCall of read_file\n{"path":"a.ts"}\n\n' +
        '[t3] Tool result\n\n  export {};\n',
    );
  });

  it('leaves out what is not there', () => {
    assert.equal(writeOriginal(ORIGINALS, { from: 4, to: 9 }), '');
  });
});
