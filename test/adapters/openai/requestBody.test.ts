import assert from 'node:assert/strict';
import { makeRequestBody, writeBody } from '../../../src/adapters/openai/requestBody.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { resolveProfile } from '../../../src/core/profile/resolve.ts';
import { runAtOnce } from '../../../src/core/steps.ts';

describe('the body of a request', () => {
  const texts = [
    '{"role":"system","content":"one"}',
    '{"role": "user", "content": "tw\\u006f"}',
    '{"role":"user","content":"3"}',
  ];
  const messages = texts.map((text) => JSON.parse(text) as ChatMessage);
  const written = { messages, from: (index: number) => Buffer.from(texts.slice(index).join(' , ')) };
  const write = (sent: readonly ChatMessage[]) => {
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

  it('has the last messages as they are written already, and those before them written anew', () => {
    const [, two, three] = texts;
    assert.equal(write(messages), `[${texts.join(' , ')}]}`);
    const note: ChatMessage = { role: 'user', content: 'what came before' };
    assert.equal(write([note, ...messages.slice(1)]), `[${JSON.stringify(note)},${two} , ${three}]}`);
    assert.equal(
      write([...messages, note]),
      `[${[...messages, note].map((message) => JSON.stringify(message)).join()}]}`,
    );
    assert.equal(write([note, ...messages]), `[${JSON.stringify(note)},${texts.join(' , ')}]}`);
    assert.equal(write([]), '[]}');
  });
});
