import assert from 'node:assert/strict';
import { contentText, InvalidMessageError, parseMessage } from '../../../src/core/chat/parse.ts';
import { openConversation } from '../../../src/engine.ts';

const CALL = { id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } };
const OBJECT_CALL = { ...CALL, function: { name: 'run', arguments: {} } };

const calling = (...calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls });

describe('an invalid message', () => {
  const wrong: readonly [string, unknown, string][] = [
    ['null', null, 'message'],
    ['text', 'hello', 'message'],
    ['a list', [], 'message'],
    ['a function', () => 'hello', 'message'],
    ['without a role', { content: 'hello' }, 'role'],
    ['with an unknown role', { role: 'wizard', content: 'hello' }, 'role'],
    ['of the user, without content', { role: 'user' }, 'content'],
    ['of a tool, with null as content', { role: 'tool', tool_call_id: 'a', content: null }, 'content'],
    ['with a number as content', { role: 'user', content: 42 }, 'content'],
    ['with an object as content', { role: 'user', content: { text: 'hello' } }, 'content'],
    ['with a part that is no object', { role: 'user', content: ['hello'] }, 'content[0]'],
    ['with a part without a type', { role: 'user', content: [{ text: 'hello' }] }, 'content[0].type'],
    ['with a text part without text', { role: 'user', content: [{ type: 'text' }] }, 'content[0].text'],
    ['with calls that are no list', { role: 'assistant', content: null, tool_calls: {} }, 'tool_calls'],
    ['with a call that is null', calling(null), 'tool_calls[0].id'],
    ['with a call without an id', calling({ ...CALL, id: '' }), 'tool_calls[0].id'],
    ['with a call without a function', calling(CALL, { id: 'b' }), 'tool_calls[1].function.name'],
    ['with arguments that are no text', calling(OBJECT_CALL), 'tool_calls[0].function.arguments'],
    ['of a tool, without the id of its call', { role: 'tool', content: 'done' }, 'tool_call_id'],
  ];
  for (const [what, message, field] of wrong) {
    it(`${what} is refused, naming ${field} and its place`, () => {
      assert.throws(() => parseMessage(message, 7, 3), { name: 'InvalidMessageError', index: 3, field });
    });
  }
});

describe('a field of a message', () => {
  const nest = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  const itself: Record<string, unknown> = {};
  itself.itself = itself;
  itself.again = itself;

  it('may be nested, but not too deeply to be written', () => {
    const parse = (trace: unknown) => parseMessage({ role: 'assistant', content: 'ok', trace }, 0);
    assert.deepEqual(parse(nest(100)).wire.trace, nest(100));
    for (const trace of [nest(102), nest(200_000), itself])
      assert.throws(() => parse(trace), /message 0: trace must be nested at most 100 levels deep/);
    const deepPart = { role: 'user', content: [{ type: 'text', text: 'x', more: nest(200) }] };
    assert.throws(() => parseMessage(deepPart, 0), /content must be nested/);
  });

  it('that says nothing must not fill the memory; the text of a message may be long', () => {
    const long = 'x'.repeat(33_000_000);
    assert.throws(() => parseMessage({ role: 'user', content: 'ok', trace: long }, 0), /trace must be at most/);
    assert.equal(parseMessage({ role: 'user', content: long }, 0).text.length, long.length);
  });

  it('that contains itself is refused by the engine too, which copies what it is given', () => {
    const conversation = openConversation({ profile: 'gpt-4o' });
    assert.throws(() => conversation.append([{ role: 'user', content: 'ok', itself }]), InvalidMessageError);
    assert.equal(conversation.messages().length, 0);
  });
});

describe('a message', () => {
  it('keeps what came, unknown fields too', () => {
    const wire = { ...calling({ ...CALL, index: 0 }), refusal: 'no', reasoning_content: 'hm' };
    assert.equal(parseMessage(wire, 0).wire, wire);
  });

  it('takes call arguments that are not JSON as they are', () => {
    const message = parseMessage(calling({ ...CALL, function: { name: 'patch', arguments: '*** Begin' } }), 0);
    assert.ok(message.role === 'assistant' && message.calls[0]?.arguments === '*** Begin');
  });

  it('reads as text: parts by line, an image by type and size, other parts by name', () => {
    const content = [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(4096)}` } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'input_audio' },
    ];
    assert.equal(contentText({ role: 'user', content }), 'look\n[image image/png · 3 kB]\n[image]\n[input_audio]');
  });
});
