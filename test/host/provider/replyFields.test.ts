import assert from 'node:assert/strict';
import { readInput } from '../../../src/core/chat/parse.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { ReplyFields } from '../../../src/host/provider/replyFields.ts';

const call = (args: string, more: object = {}) => ({
  id: 'call_0',
  type: 'function' as const,
  ...more,
  function: { name: 'read', arguments: args },
});
const reply = (args: string): ChatMessage => ({
  role: 'assistant',
  content: null,
  reasoning_content: 'I look first.',
  tool_calls: [call(args, { extra_content: { google: { thought_signature: 'abc' } } })],
});
/** The same reply as VS Code gives it back. */
const given = (args: string): ChatMessage => ({
  role: 'assistant',
  content: '',
  tool_calls: [call(JSON.stringify(readInput(args)))],
});

describe('the fields of replies that VS Code does not keep', () => {
  for (const args of ['{"path": "a.ts"}', '{"path": "a'])
    it(`are restored with their message: ${args}`, () => {
      const fields = new ReplyFields();
      fields.keep(reply(args), 'c1');
      const [user, restored] = fields.restore([{ role: 'user', content: 'hi' }, given(args)], 'c1');
      assert.deepEqual(user, { role: 'user', content: 'hi' });
      assert.equal(restored?.reasoning_content, 'I look first.');
      assert.deepEqual(restored?.tool_calls?.[0]?.extra_content, { google: { thought_signature: 'abc' } });
      assert.equal(restored?.content, '', 'what VS Code says holds');
    });

  it('are not restored in another conversation or another message', () => {
    const fields = new ReplyFields();
    fields.keep(reply('{}'), 'c1');
    assert.deepEqual(fields.restore([given('{}')], 'c2'), [given('{}')]);
    assert.deepEqual(fields.restore([given('{"a":1}')], 'c1'), [given('{"a":1}')]);
  });

  it('are dropped, oldest first, if there are too many', () => {
    const fields = new ReplyFields();
    const said = (text: string): ChatMessage => ({ role: 'assistant', content: text });
    const texts = Array.from({ length: 1_002 }, (_, index) => `${index}`);
    for (const text of texts) fields.keep({ ...said(text), reasoning: 'x' }, 'c1');
    const isKept = fields.restore(texts.map(said), 'c1').map((message) => 'reasoning' in message);
    assert.deepEqual([isKept.indexOf(true), isKept.lastIndexOf(true)], [2, 1_001]);
  });
});
