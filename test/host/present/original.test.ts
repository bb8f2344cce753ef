import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { writeOriginal } from '../../../src/host/present/wholeTexts.ts';

const call = { id: 'c1', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } };
const wires: readonly ChatMessage[] = [
  { role: 'system', content: 'You are an agent.' },
  { role: 'user', content: 'Fix **the** bug.\n\n[run](command:x) <b>' },
  { role: 'assistant', content: 'I look first.', tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c1', content: '  export {};\n' },
];
const messages = wires.map((wire, index) => parseMessage(wire, index));

describe('writeOriginal', () => {
  it('gives a message as it came, under its handle and speaker', () => {
    assert.equal(writeOriginal(messages, { from: 1, to: 1 }), '[t1] User\n\nFix **the** bug.\n\n[run](command:x) <b>');
  });

  it('gives a range whole, calls with their arguments, results with the name of their tool', () => {
    assert.equal(
      writeOriginal(messages, { from: 2, to: 3 }),
      '[t2] Assistant\n\nI look first.\n\nCall of read_file\n{"path":"a.ts"}\n\n' +
        '[t3] Tool result of read_file\n\n  export {};\n',
    );
  });

  it('leaves out what is not there', () => {
    assert.equal(writeOriginal(messages, { from: 4, to: 9 }), '');
  });
});
