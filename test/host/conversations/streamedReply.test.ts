import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ActiveConversation } from '../../../src/host/conversations/activeConversation.ts';
import { StreamedReply } from '../../../src/host/conversations/streamedReply.ts';

describe('a reply that streams in', () => {
  afterEach(() => mock.timers.reset());

  it('is kept each second, on a slow disk only when what was kept before is written', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const kept: unknown[] = [];
    let written = Promise.withResolvers<void>();
    const keepReply = (one: unknown) => {
      kept.push(one);
      return written.promise;
    };
    const active = { conversation: { transcript: { messages: ['One message.'] } }, file: { keepReply } };
    const reply = new StreamedReply(active as unknown as ActiveConversation, () => undefined);
    const second = async (text: string) => {
      reply.add({ type: 'text', text });
      mock.timers.tick(1000);
      await setImmediate();
    };
    for (const text of ['One. ', 'Two. ', 'Three.']) await second(text);
    assert.deepEqual(kept, [{ after: 1, text: 'One. ' }]);
    written.resolve();
    written = Promise.withResolvers();
    await setImmediate();
    mock.timers.tick(1000);
    assert.deepEqual(kept.slice(1), [{ after: 1, text: 'One. Two. Three.' }]);
    reply.end();
    assert.deepEqual(kept.slice(2), [undefined]);
  });
});
