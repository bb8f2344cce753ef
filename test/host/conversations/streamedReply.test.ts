import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { StreamedReply } from '../../../src/host/conversations/agent.ts';
import type { KeptReply } from '../../../src/protocol/parseKept.ts';

describe('a reply that streams in', () => {
  afterEach(() => mock.timers.reset());

  it('is kept each second, on a slow disk only when what was kept before is written', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const kept: (KeptReply | undefined)[] = [];
    let written = Promise.withResolvers<void>();
    const reply = new StreamedReply({
      countStream: () => undefined,
      after: () => 1,
      keep: (one) => {
        kept.push(one);
        return written.promise;
      },
    });
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
