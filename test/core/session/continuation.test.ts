import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { interruptedReply } from '../../../src/core/session/continuation.ts';
import { assistant, converse, system, user } from '../conversation/kit.ts';

describe('the part of a reply that had arrived when its session died', () => {
  const call: ChatMessage = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'read_file', arguments: '{}' } }],
  };
  const result: ChatMessage = { role: 'tool', tool_call_id: 'a', content: 'text' };
  const of = (...messages: readonly ChatMessage[]) => converse([system('You are an agent.'), ...messages]).transcript;

  it('becomes the next message, marked as interrupted', () => {
    for (const transcript of [of(user('Begin.')), of(user('Begin.'), call, result)]) {
      const { length } = transcript.messages;
      assert.deepEqual(interruptedReply(transcript, { after: length, text: 'Half of ' }), {
        role: 'assistant',
        content: 'Half of ',
        karl_interrupted: true,
      });
      assert.equal(interruptedReply(transcript, { after: length - 1, text: 'Half of ' }), undefined, 'it went on');
      assert.equal(interruptedReply(transcript, { after: length, text: '\n' }), undefined);
    }
  });

  it('is dropped where no reply is due', () => {
    for (const transcript of [of(), of(user('Begin.'), assistant('Done.')), of(user('Begin.'), call)])
      assert.equal(interruptedReply(transcript, { after: transcript.messages.length, text: 'Half' }), undefined);
  });
});
