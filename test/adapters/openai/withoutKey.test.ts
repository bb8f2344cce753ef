import assert from 'node:assert/strict';
import { resultWithoutKey, withoutKey } from '../../../src/adapters/openai/withoutKey.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import type { ModelError } from '../../../src/core/model/classify.ts';
import { err, ok } from '../../../src/core/result.ts';

const mask = (evidence: string, key = 'Se/cret-1234'): string =>
  withoutKey({ kind: 'other', retryable: false, evidence }, key).evidence;

describe('an error without its key', () => {
  it('has it nowhere, in no form', () => {
    assert.equal(mask('key Se/cret-1234, se/CRET-1234 and Se%2Fcret-1234'), 'key ***, *** and ***');
  });

  it('has no piece of it where the quotation was cut', () => {
    assert.equal(mask('wrong key Se/cret-…'), 'wrong key ***…');
    assert.equal(mask('cret-1234 is wrong'), '*** is wrong');
  });

  it('has it nowhere, even with gaps between its characters', () => {
    assert.equal(mask('key Se/cre\nt-12 34, S\u200be\ufeff/cret-\u00ad1234!'), 'key ***, ***!');
    assert.equal(mask('wrong key Se/c\u200bre\nt-…'), 'wrong key ***…');
    assert.equal(mask(`key ${[...'Se/cret-1234'].join('\0')}`), 'key ***');
    assert.equal(mask('cr\u200bet-12\n34 is wrong'), '*** is wrong');
  });

  it('is left alone otherwise', () => {
    assert.equal(mask('nothing to hide'), 'nothing to hide');
    assert.equal(withoutKey({ kind: 'other', retryable: false, evidence: 'x' }, undefined).evidence, 'x');
  });
});

describe('a reply without its key', () => {
  const KEY = 'sk-secret-0123456789abcdef';
  const message = (text: string): ChatMessage => ({
    role: 'assistant',
    content: [{ type: 'text', text }],
    reasoning: `thinks ${text}`,
    tool_calls: [{ id: 'c1', function: { name: 'run', arguments: JSON.stringify({ text }) } }],
  });

  it('has it in none of its texts, whether it is whole or broke off', () => {
    const gaps = ['\n', '\u200b', '\u034f', '\u3164', '\0', '\x1b'];
    for (const echoed of [KEY, KEY.toUpperCase(), ...gaps.map((gap) => [...KEY].join(gap))]) {
      const whole = resultWithoutKey(ok({ message: message(`say ${echoed}`), finishReason: 'stop' }), KEY);
      assert.deepEqual(whole, ok({ message: message('say ***'), finishReason: 'stop' }));
      const error: ModelError = { kind: 'other', retryable: false, evidence: echoed };
      const broken = resultWithoutKey(err({ error, partial: message(echoed) }), KEY);
      assert.deepEqual(broken, err({ error: { ...error, evidence: '***' }, partial: message('***') }));
    }
  });

  it('has it in the name of no field', () => {
    const details = (name: string): ChatMessage => ({ role: 'assistant', content: 'x', details: { [name]: 1 } });
    const result = resultWithoutKey(ok({ message: details(`Bearer ${KEY}`), finishReason: 'stop' }), KEY);
    assert.deepEqual(result, ok({ message: details('Bearer ***'), finishReason: 'stop' }));
  });

  it('is left as it is when there is no key, or a word in the place of one', () => {
    const reply = ok({ message: message('ollama is not-needed'), finishReason: 'stop' });
    for (const key of [undefined, 'ollama', 'not-needed']) assert.deepEqual(resultWithoutKey(reply, key), reply);
  });
});
