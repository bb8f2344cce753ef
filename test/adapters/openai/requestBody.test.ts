import assert from 'node:assert/strict';
import { writeBody } from '../../../src/adapters/openai/jsonBodies.ts';
import { makeRequestBody } from '../../../src/adapters/openai/requestBody.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';
import { runAtOnce } from '../../../src/core/steps.ts';

const write = (messages: readonly ChatMessage[], fields: Readonly<Record<string, unknown>> = {}) => {
  const { profile } = resolveProfile({ model: 'm', baseUrl: 'http://m' }, []);
  const body = runAtOnce(makeRequestBody({ profile, messages, tools: [], fields }, new Set()));
  return JSON.parse(Buffer.concat(runAtOnce(writeBody(body))).toString()) as Readonly<Record<string, unknown>>;
};

describe('the body of a request', () => {
  it('has the fields of the request and its messages with all that Karl does not know', () => {
    const messages: readonly ChatMessage[] = [
      { role: 'user', content: 'tw\u006f', cache_control: { type: 'ephemeral' } },
      { role: 'assistant', content: null, reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] },
    ];
    assert.deepEqual(write(messages, { temperature: 0 }), {
      stream_options: { include_usage: true },
      temperature: 0,
      model: 'm',
      stream: true,
      messages,
    });
    assert.deepEqual(write([]).messages, []);
  });
});
