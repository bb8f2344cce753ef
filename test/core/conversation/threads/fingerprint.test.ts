import assert from 'node:assert/strict';
import { fingerprintsOf } from '../../../../src/core/conversation/threads/fingerprint.ts';
import type { ChatMessage } from '../../../../src/core/messages/chat.ts';
import { assistant, tool, user } from '../kit.ts';

function print(...messages: ChatMessage[]): number[] {
  return fingerprintsOf(messages);
}

function call(args: string, id = 'c1'): ChatMessage {
  return { role: 'assistant', content: null, tool_calls: [{ id, function: { name: 'read', arguments: args } }] };
}

describe('a fingerprint', () => {
  const equal: readonly (readonly [string, ChatMessage, ChatMessage])[] = [
    [
      'the order of keys in arguments',
      call('{"a":1,"b":{"c":2,"d":[3]}}'),
      call('{ "b": {"d": [3], "c": 2}, "a": 1 }'),
    ],
    ['empty arguments as a text or as an object', call(''), call('{}')],
    ['the id of a call', call('{}', 'c1'), call('{}', 'other')],
    ['text as a string or as a part', user('one'), { role: 'user', content: [{ type: 'text', text: 'one' }] }],
    [
      'lines as parts',
      user('one\ntwo'),
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
    ],
    [
      'cache marks',
      user('one'),
      { role: 'user', content: [{ type: 'text', text: 'one', cache_control: { type: 'ephemeral' } }] },
    ],
    ['white space at the ends', user('one  \n two\t\r\n\n'), user('one\n two')],
    ['no content', { role: 'assistant', content: null }, { role: 'assistant', content: '' }],
    ['reasoning beside the text', { ...assistant('yes'), reasoning_content: 'hm' }, assistant('yes')],
    [
      'reasoning in parts',
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'yes' },
        ],
      },
      assistant('yes'),
    ],
    ['reasoning that a server left in the text', assistant('<think>\nhm\n</think>\n\nyes'), assistant('yes')],
    ['fields that nobody knows', { ...user('one'), id: 'x1', timestamp: 3 }, user('one')],
    ['the name of the prompt’s role', { role: 'developer', content: 'x' }, { role: 'system', content: 'x' }],
  ];
  for (const [name, one, other] of equal) {
    it(`leaves out ${name}`, () => assert.deepEqual(print(one), print(other)));
  }

  const different: readonly (readonly [string, ChatMessage, ChatMessage])[] = [
    ['what is said', user('one'), user('two')],
    ['who says it', user('one'), assistant('one')],
    ['the name of a user', { ...user('one'), name: 'ann' }, { ...user('one'), name: 'bob' }],
    ['white space at the start of a line', user('one\n two'), user('one\ntwo')],
    ['white space inside a line', user('one two'), user('onetwo')],
    ['empty lines between', user('one\n\ntwo'), user('one\ntwo')],
    ['an argument', call('{"a":1}'), call('{"a":2}')],
    ['a number and its text', call('{"a":1}'), call('{"a":"1"}')],
    ['where a value is', call('{"a":{"b":1},"c":{}}'), call('{"a":{},"c":{"b":1}}')],
    ['the order of a list', call('{"a":[1,2]}'), call('{"a":[2,1]}')],
    ['whether there is a call', call('{}'), assistant('')],
    [
      'an image',
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AB' } }] },
    ],
  ];
  for (const [name, one, other] of different) {
    it(`distinguishes ${name}`, () => assert.notDeepEqual(print(one), print(other)));
  }

  it('of a result goes by the place of its call, whatever the ids are', () => {
    const renamed = tool('x9', 'read', { path: 'a' }, 'text');
    assert.deepEqual(print(...tool('c1', 'read', { path: 'a' }, 'text')), print(...renamed));
    const two = (first: string, second: string): ChatMessage[] => [
      {
        role: 'assistant',
        tool_calls: ['c1', 'c2'].map((id) => ({ id, function: { name: 'read', arguments: '{}' } })),
      },
      { role: 'tool', tool_call_id: first, content: 'text' },
      { role: 'tool', tool_call_id: second, content: 'other' },
    ];
    assert.notDeepEqual(print(...two('c1', 'c2')), print(...two('c2', 'c1')));
  });
});
