import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { interruptedReply } from '../../../src/core/session/continuation.ts';
import { assistant, converse, system, tool, user } from '../conversation/kit.ts';

describe('the part of a reply that had arrived when its session died', () => {
  const work = tool('a', 'read_file', {}, 'text');
  const of = (...messages: readonly ChatMessage[]) => converse([system('You are an agent.'), ...messages]).transcript;

  it('becomes the next message, marked as interrupted', () => {
    for (const transcript of [of(user('Begin.')), of(user('Begin.'), ...work)]) {
      const { length } = transcript.messages;
      const reply = interruptedReply(transcript, { after: length, text: 'Half of ' });
      assert.deepEqual(reply, { ...assistant('Half of '), karl_interrupted: true });
      assert.equal(interruptedReply(transcript, { after: length - 1, text: 'Half of ' }), undefined, 'it went on');
      assert.equal(interruptedReply(transcript, { after: length, text: '\n' }), undefined);
    }
  });

  it('is dropped where no reply is due', () => {
    for (const transcript of [of(), of(user('Begin.'), assistant('Done.')), of(user('Begin.'), ...work.slice(0, 1))])
      assert.equal(interruptedReply(transcript, { after: transcript.messages.length, text: 'Half' }), undefined);
  });
});
