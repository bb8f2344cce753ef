import assert from 'node:assert/strict';
import { makeRequestBody, writeBody } from '../../../src/adapters/openai/requestBody.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';
import type { WrittenMessages } from '../../../src/core/session/modelClient.ts';
import { runAtOnce } from '../../../src/core/steps.ts';

describe('the body of a request', () => {
  const texts = [
    '{"role":"system","content":"one"}',
    '{"role": "user", "content": "tw\\u006f"}',
    '{"role":"user","content":"3"}',
  ];
  const messages = texts.map((text) => JSON.parse(text) as ChatMessage);
  const slice = (start: number, end: number) => Buffer.from(texts.slice(start, end).join(' , '));
  const write = (sent: readonly ChatMessage[], written: WrittenMessages = { messages, slice }) => {
    const request = {
      profile: resolveProfile({ model: 'm', baseUrl: 'http://m' }, []).profile,
      messages: sent,
      tools: [],
    };
    const body = runAtOnce(writeBody(runAtOnce(makeRequestBody(request, new Set())), written));
    const text = Buffer.concat(body).toString();
    assert.deepEqual((JSON.parse(text) as { messages: unknown }).messages, sent);
    return text.slice(text.indexOf('"messages":') + '"messages":'.length);
  };

  const json = (...ones: readonly ChatMessage[]) => ones.map((one) => JSON.stringify(one)).join();
  const note: ChatMessage = { role: 'user', content: 'what came before' };

  it('reuses messages in their written form, wherever they are, and writes all others', () => {
    const [one, two, three] = texts;
    const all = texts.join(' , ');
    assert.equal(write(messages), `[${all}]}`);
    assert.equal(write([note, ...messages.slice(1)]), `[${json(note)},${two} , ${three}]}`);
    assert.equal(write([...messages, note]), `[${all},${json(note)}]}`);
    assert.equal(write([note, ...messages]), `[${json(note)},${all}]}`);
    // As if the first and the last had a mark for a provider's cache.
    assert.equal(write([note, ...messages.slice(1, 2), note]), `[${json(note)},${two},${json(note)}]}`);
    assert.equal(write([...messages.slice(0, 1), note, ...messages.slice(2)]), `[${one},${json(note)},${three}]}`);
    assert.equal(write([...messages.slice(2), ...messages.slice(0, 2)]), `[${three},${one} , ${two}]}`);
    assert.equal(write([]), '[]}');
  });

  it('writes a message again whose written form must not be sent', () => {
    const [first, second, third] = messages;
    assert.ok(first !== undefined && second !== undefined);
    assert.equal(
      write(messages, { messages: [first, undefined, third], slice }),
      `[${texts[0]},${json(second)},${texts[2]}]}`,
    );
  });
});
