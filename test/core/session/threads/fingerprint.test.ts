import assert from 'node:assert/strict';
import type { ChatMessage, ChatPart } from '../../../../src/core/chat/wire.ts';
import { fingerprint, isSameMessage } from '../../../../src/core/session/threads/clientMessages.ts';
import { assistant, user } from '../../conversation/kit.ts';

function call(args: string, id = 'c1'): ChatMessage {
  return { role: 'assistant', content: null, tool_calls: [{ id, function: { name: 'read', arguments: args } }] };
}

const parts = (...content: ChatPart[]): ChatMessage => ({ role: 'user', content });
const result = (id: string): ChatMessage => ({ role: 'tool', tool_call_id: id, content: 'x' });
const image = (data: string) => parts({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } });
const noCalls = { ...assistant('x'), tool_calls: null } as unknown as ChatMessage;

describe('what makes messages the same, itself and by their fingerprints,', () => {
  const equal: readonly (readonly [string, ChatMessage, ChatMessage])[] = [
    ['the order of keys', call('{"a":1,"b":{"c":2,"d":[3]}}'), call('{ "b": {"d": [3], "c": 2}, "a": 1 }')],
    ['empty arguments as a text or as an object', call(''), call('{}')],
    ['text as a string or as a part', user('one'), parts({ type: 'text', text: 'one' })],
    ['cache marks', user('one'), parts({ type: 'text', text: 'one', cache_control: { type: 'ephemeral' } })],
    ['white space at the ends', user('one  \n two\t\r\n\n'), user('one\n two')],
    ['white space beyond ASCII at a line end', user('one\u00a0\u2003\u3000\ufeff\ntwo'), user('one\ntwo')],
    ['calls that are null', noCalls, assistant('x')],
    ['no content', { role: 'assistant', content: null }, { role: 'assistant', content: '' }],
    ['reasoning beside the text', { ...assistant('yes'), reasoning_content: 'hm' }, assistant('yes')],
    ['fields that nobody knows', { ...user('one'), id: 'x1', timestamp: 3 }, user('one')],
    ['the name of the prompt’s role', { role: 'developer', content: 'x' }, { role: 'system', content: 'x' }],
  ];
  for (const [name, one, other] of equal) {
    it(`is not ${name}`, () => {
      assert.deepEqual(fingerprint(one), fingerprint(other));
      assert.ok(isSameMessage(one, other));
    });
  }

  const different: readonly (readonly [string, ChatMessage, ChatMessage])[] = [
    ['what is said', user('one'), user('two')],
    ['the id of a call', call('{}', 'c1'), call('{}', 'other')],
    ['the call of a result', result('c1'), result('c2')],
    ['reasoning in the text', assistant('<think>hm</think>yes'), assistant('yes')],
    ['who says it', user('one'), assistant('one')],
    ['the name of a user', { ...user('one'), name: 'ann' }, { ...user('one'), name: 'bob' }],
    ['whether there is a call', call('{}'), assistant('')],
  ];
  for (const [name, one, other] of different) {
    it(`is ${name}`, () => {
      assert.notDeepEqual(fingerprint(one), fingerprint(other));
      assert.ok(!isSameMessage(one, other));
    });
  }

  const nested = (value: number) => `${'['.repeat(20_000)}${value}${']'.repeat(20_000)}`;
  const alike: readonly (readonly [string, ChatMessage, ChatMessage])[] = [
    ['white space at the start of a line', user('one\n two'), user('one\ntwo')],
    ['white space inside a line', user('one two'), user('onetwo')],
    ['empty lines between', user('one\n\ntwo'), user('one\ntwo')],
    ['an argument', call('{"a":1}'), call('{"a":2}')],
    ['a number and its text', call('{"a":1}'), call('{"a":"1"}')],
    ['where a value is', call('{"a":{"b":1},"c":{}}'), call('{"a":{},"c":{"b":1}}')],
    ['the order of a list', call('{"a":[1,2]}'), call('{"a":[2,1]}')],
    ['an image', image('AA'), image('AB')],
    ['what is nested too deeply to be sorted', call(nested(1)), call(nested(2))],
  ];
  for (const [name, one, other] of alike)
    it(`is ${name}, which only the messages themselves tell`, () => assert.ok(!isSameMessage(one, other)));
});
