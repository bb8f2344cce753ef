import assert from 'node:assert/strict';
import type { Fields } from '../../../src/adapters/fields.ts';
import { mergeTopField } from '../../../src/adapters/openai/mergeFields.ts';
import { ReplyReader } from '../../../src/adapters/openai/replyReader.ts';
import { MALFORMED_CALL } from '../../../src/core/session/envelope/envelope.ts';
import { cases } from '../../attack/seed.ts';

/** Feeds deltas of one choice and returns the reader. */
function feed(...deltas: readonly unknown[]): ReplyReader {
  const reader = new ReplyReader();
  for (const delta of deltas) reader.take({ choices: [{ index: 0, delta, finish_reason: null }] });
  return reader;
}

const entry = (name: string | undefined, text: unknown, about: object = { index: 0 }) => ({
  ...about,
  function: { ...(name !== undefined && { name }), arguments: text },
});

const calls = (...tool_calls: readonly object[]) => ({ tool_calls });

function callsOf(reader: ReplyReader): readonly (readonly [string, string])[] {
  return (reader.message().tool_calls ?? []).map((call) => [call.function.name, call.function.arguments]);
}

describe('ReplyReader', () => {
  it('keeps reasoning and unknown fields on the message and shows reasoning once', () => {
    const reader = new ReplyReader();
    const detail = (text: string) => ({ index: 0, type: 'reasoning.text', text, format: 'v1' });
    const passed = ['first ', 'second'].flatMap((text) =>
      reader.take({
        choices: [{ delta: { reasoning: text, reasoning_details: [detail(text)], vendor_mark: { seen: true } } }],
      }),
    );
    const types = passed.map((delta) => delta.type);
    assert.deepEqual(types, ['reasoning', 'reasoning']);
    assert.deepEqual(reader.message(), {
      role: 'assistant',
      content: '',
      reasoning: 'first second',
      reasoning_details: [{ index: 0, type: 'reasoning.text', text: 'first second', format: 'v1' }],
      vendor_mark: { seen: true },
    });
  });

  it('keeps content that comes in parts, thinking apart from text', () => {
    const thinking = (text: string) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] });
    const reader = feed(thinking('a'), thinking('b'), { content: [{ type: 'text', text: 'c' }] }, { content: 'd' });
    assert.deepEqual(reader.message().content, [
      { type: 'thinking', thinking: [{ type: 'text', text: 'ab' }] },
      { type: 'text', text: 'cd' },
    ]);
  });

  it('puts parallel calls together from interleaved deltas, the id only in the first', () => {
    const reader = feed(
      calls(entry('read', '', { index: 0, id: 'a' })),
      calls(entry('list', '{"p', { index: 1, id: 'b' })),
      calls(entry(undefined, '{"x":'), entry(undefined, '":2}', { index: 1 })),
      calls(entry(undefined, '1}')),
    );
    assert.deepEqual(reader.message().tool_calls, [
      { id: 'a', type: 'function', function: { name: 'read', arguments: '{"x":1}' } },
      { id: 'b', type: 'function', function: { name: 'list', arguments: '{"p":2}' } },
    ]);
    assert.equal(reader.message().content, null);
  });

  const piece = (more: object, text: unknown, name?: string) => calls(entry(name, text, { index: 0, ...more }));
  const ONE = [['read', '{"x":1}']] as const;
  for (const [what, deltas, expected] of [
    [
      'apart by their ids where all are numbered 0',
      [piece({ id: 'a' }, '{"x":1}', 'read'), piece({ id: 'b' }, '{"x":2}', 'read')],
      [...ONE, ['read', '{"x":2}']],
    ],
    [
      'apart without index and id',
      [entry('read', '{"x":', {}), entry(undefined, '1}', {}), entry('read', '{"x":2}', {})].map((one) => calls(one)),
      [...ONE, ['read', '{"x":2}']],
    ],
    ['whole where the id comes late', [piece({}, '', 'read'), piece({}, '{"x"'), piece({ id: 'late' }, ':1}')], ONE],
    ['whole where the id changes', [piece({ id: 'a' }, '{"x"', 'read'), piece({ id: 'b' }, ':1}')], ONE],
    ['whole where id and name come anew', [piece({ id: 'a' }, '{"x"', 'read'), piece({ id: 'b' }, ':1}', 'read')], ONE],
    ['whole after an empty {}', [piece({ id: 'a' }, '{}', 'read'), piece({}, '{"x":'), piece({}, '1}')], ONE],
    ['whole after an empty entry', [{ tool_calls: [{}] }, piece({ id: 'a' }, '{"x":1}', 'read')], ONE],
    ['once where they are repeated', [piece({}, '{"x":1}', 'read'), piece({}, '{"x":1}', 'read')], ONE],
    ['once where they grow', [piece({}, '{"x', 'read'), piece({}, '{"x":1}', 'read')], ONE],
    ['from an object', [piece({}, { x: 1 }, 'read')], ONE],
    ['with a name in pieces', [piece({}, '', 're'), piece({}, '{"x":1}', 'ad')], ONE],
    ['with a name that is repeated', [piece({}, '', 'read'), piece({}, '{"x":1}', 'read')], ONE],
  ] as const)
    it(`reads calls and their arguments ${what}`, () => assert.deepEqual(callsOf(feed(...deltas)), expected));

  it('gives new ids to calls with the same id or none', () => {
    const [first, second] = [0, 1].map((index) => entry('read', '{}', { index, id: 'a' }));
    const idsOf = (taken: readonly string[], ...entries: readonly unknown[]) =>
      feed({ tool_calls: entries })
        .message(new Set(taken))
        .tool_calls?.map(({ id }) => id) ?? [];
    assert.equal(new Set(idsOf([], first, second)).size, 2);
    const bare = entry('read', '{}', {});
    assert.notEqual(idsOf([], bare)[0], idsOf([], bare)[0]);
    const [again] = idsOf(['a'], first);
    assert.match(again ?? '', /^[a-z0-9]{9}$/, 'also where another reply of the conversation had that id');
  });

  it('reads long arguments in small pieces only once, also when each repeats the name', () => {
    const pieces = cases(200_000);
    for (const called of [{ index: 0 }, {}]) {
      const piece = calls(entry('write', 'abcd', called));
      const reader = feed(calls(entry('write', '{"t":"', called)));
      for (let count = 0; count < pieces; count += 1) reader.take({ choices: [{ delta: piece }] });
      assert.deepEqual(callsOf(reader), [['write', `{"t":"${'abcd'.repeat(pieces)}`]]);
    }
  });

  it('keeps fields of a call that a provider wants back', () => {
    const extra = { google: { thought_signature: 'abc' } };
    const reader = feed(calls(entry('read', '{}', { index: 0, id: 'a', extra_content: extra })));
    assert.deepEqual(reader.message().tool_calls?.[0]?.extra_content, extra);
  });

  it('completes a call that has no id, no arguments or no name', () => {
    const reader = feed(calls(entry('list', undefined), entry(undefined, '{"a":1}', { index: 1 })));
    assert.deepEqual(callsOf(reader), [
      ['list', '{}'],
      [MALFORMED_CALL, '{"a":1}'],
    ]);
    for (const call of reader.message().tool_calls ?? []) assert.match(call.id, /^[a-z0-9]{9}$/);
  });

  it('reads usage wherever it stands, and the finish reason', () => {
    for (const chunk of [
      { choices: [], usage: { prompt_tokens: 7 } },
      { choices: [{ delta: {}, usage: { prompt_tokens: 7 } }] },
      { choices: [], x_groq: { usage: { prompt_tokens: 7 } } },
    ]) {
      const reader = new ReplyReader();
      reader.take(chunk);
      reader.take({ choices: [{ delta: {}, finish_reason: 'stop' }], usage: null });
      assert.equal(reader.usage?.prompt_tokens, 7);
      assert.equal(reader.finishReason, 'stop');
    }
  });

  it('keeps a refusal', () => {
    const reader = feed({ refusal: 'I can' }, { refusal: 'not.' });
    assert.deepEqual(reader.message(), { role: 'assistant', content: null, refusal: 'I cannot.' });
    assert.equal(reader.isEmpty, false);
  });

  it('ignores invalid chunks, and a field named __proto__', () => {
    const reader = new ReplyReader();
    for (const chunk of [null, 3, 'text', [], { choices: 'none' }, { choices: [null, { delta: 4 }] }])
      reader.take(chunk);
    reader.take(JSON.parse('{"choices":[{"delta":{"__proto__":{"polluted":true},"content":"x"}}]}'));
    assert.equal((reader.message() as { polluted?: unknown }).polluted, undefined);
    assert.equal(reader.message().content, 'x');
  });
});

describe('fields in pieces', () => {
  it('are added to what came before, which is not copied again', () => {
    const kept: Fields = {};
    mergeTopField(kept, 'extra', { inner: { a: 1 } });
    mergeTopField(kept, 'list', [{ index: 0, type: 'x', text: 'a' }]);
    const { extra, list } = kept;
    const { inner } = extra as Fields;
    mergeTopField(kept, 'extra', { inner: { b: 2 } });
    mergeTopField(kept, 'list', [
      { index: 1, type: 'x', text: 'b' },
      { index: 0, type: 'x', text: 'c' },
    ]);
    assert.equal(kept.extra, extra);
    assert.equal((kept.extra as Fields).inner, inner);
    assert.equal(kept.list, list);
    assert.deepEqual(kept, {
      extra: { inner: { a: 1, b: 2 } },
      list: [
        { index: 0, type: 'x', text: 'ac' },
        { index: 1, type: 'x', text: 'b' },
      ],
    });
  });

  it('never change the delta that brought them', () => {
    const first = { inner: { a: 1 }, list: [{ type: 'text', text: 'a' }] };
    const kept: Fields = {};
    mergeTopField(kept, 'extra', first);
    mergeTopField(kept, 'extra', { inner: { b: 2 }, list: [{ type: 'text', text: 'b' }] });
    assert.deepEqual(first, { inner: { a: 1 }, list: [{ type: 'text', text: 'a' }] });
  });
});
