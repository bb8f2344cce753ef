import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { findRows, readWhole } from '../../../src/host/present/wholeTexts.ts';
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
  runAtOnce(
    findRows(
      messages.map((message, id) => parseMessage(message, id)),
      text,
    ),
  ).map(({ key, id }) => `${key} at ${id}`);

describe('the rows that contain a text', () => {
  it('are found in what was said, in capitals or not, in arguments and in results, each row once', () => {
    assert.deepEqual(find('COOKIE'), ['m1 at 1', 'c2.1 at 2', 'm6 at 6']);
    assert.deepEqual(find('line 12'), ['c2.1 at 2', 'm6 at 6']);
    assert.deepEqual(find('read_file'), ['c2.0 at 2', 'c2.1 at 2']);
    assert.deepEqual(find('perhaps'), ['m2 at 2']);
    assert.deepEqual(find('stray'), ['m5 at 5']);
    assert.deepEqual(find('.*'), []);
  });

  it('have the text in what they unfold to', () => {
    const shown = given();
    for (const row of runAtOnce(findRows(shown.transcript.messages, 'x'.repeat(50)))) {
      assert.match(readWhole(row.key, shown, 'history')?.join('\n') ?? '', /x{50}/);
    }
    assert.equal(find('x'.repeat(50), CONVERSATION).length, 1);
  });
});
