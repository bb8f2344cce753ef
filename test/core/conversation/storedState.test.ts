import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { converse, user, WORK } from './kit.ts';

describe('a conversation that was stored', () => {
  it('is the same with the transcript that was read as with its messages: sent, found, opened and compacted', async () => {
    const before = converse(WORK);
    await before.compact({ trigger: 'command' });
    const { messages, ...rest } = before.snapshot();
    const { transcript } = before;
    const both = [
      { messages, ...rest },
      { transcript, ...rest },
    ].map((restore) => converse([], { restore }));
    const seen = async (conversation: Conversation) => {
      conversation.append([user('Go on.')]);
      const found = await conversation.recall({ query: 'compute part3' });
      assert.equal(found.kind, 'searched');
      assert.ok(found.found.length > 0, 'words are found');
      const { kind } = await conversation.compact({ trigger: 'command', targetTokens: 1500 });
      const opened = await conversation.recall({ query: 't4' });
      return { found, opened, kind, request: conversation.request(), budget: conversation.budget() };
    };
    const [parsed, read] = await Promise.all(both.map(seen));
    assert.deepEqual(read, parsed);
    assert.equal(before.transcript.messages.length, WORK.length, 'what another conversation began with stays as it is');
  });
});
