import assert from 'node:assert/strict';
import type { AnswerChunk } from '../../../src/core/session/modelClient.ts';
import { textReply } from '../server/reply.ts';
import { askAt, useServer } from './asking.ts';

describe('the chunks of an answer', () => {
  const server = useServer();

  it('come one after the other, each when the one before was dealt with', async () => {
    const reply = textReply('one two three four', { pieces: 6 });
    server().enqueue(reply);
    const chunks: AnswerChunk[] = [];
    let busy = 0;
    let most = 0;
    const onChunk = async (chunk: AnswerChunk) => {
      busy += 1;
      most = Math.max(most, busy);
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      chunks.push(chunk);
      busy -= 1;
    };
    assert.ok((await askAt(server().baseUrl, { onChunk })).ok);
    assert.equal(most, 1);
    assert.deepEqual(
      chunks,
      reply.steps.flatMap((step) => ('event' in step ? [step.event] : [])),
    );
  });
});
