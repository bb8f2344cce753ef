import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { ok } from '../../../src/core/result.ts';
import { assistant, reads, scripted, user } from '../conversation/kit.ts';
import { appendResults, type Harness, makeTool, openHarness } from './sessionHarness.ts';
import { makeRelay, makeThreads } from './threads/kit.ts';

describe('a summary that is being written ahead', () => {
  let harness: Harness;
  afterEach(() => harness.close());

  it('is abandoned when the session is cancelled after the turn, for example because its conversation is closed', async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const summarizer = {
      model: 'writer',
      inputLimit: 100_000,
      write: async ({ signal }: { readonly signal: AbortSignal }) => {
        begun.resolve(signal);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        throw new Error('stopped');
      },
    };
    const echo = makeTool('echo', () => ({ text: 'ok', failed: false }));
    harness = await openHarness({ tools: [echo], conversation: { summarizer } });
    const { session, conversation } = harness;
    appendResults(conversation, 22);
    assert.equal((await session.send('And now?')).kind, 'answered');
    const signal = await begun.promise;
    assert.equal((await session.send('Go on.')).kind, 'answered', 'it outlasts its turn');
    assert.equal(signal.aborted, false);
    await session.cancel();
    assert.equal(signal.aborted, true);
  });
});

describe('the summaries of other agents’ conversations', () => {
  it('are written while a request that fits is answered, so that the one that does not fit finds them', async () => {
    const summarizer = scripted('## Next step\nGo on with the next part. [t1]');
    const relay = makeRelay(async () => ok({ message: assistant('Go on.'), finishReason: 'stop' }), {
      threads: makeThreads({}, { summarizer }),
    });
    const messages: ChatMessage[] = [user('Read every part.')];
    /** After each request: the summaries asked for so far, and the compactions of that request. */
    const after: (readonly [asked: number, compactions: number])[] = [];
    while ((after.at(-1)?.[1] ?? 0) === 0) {
      assert.ok(after.length < 60, 'it is never compressed');
      messages.push(...reads(1, 10, messages.length), user(`Part ${messages.length}.`));
      const signal = new AbortController().signal;
      const served = await relay.serve({ model: 'test', messages: [...messages], tools: [] }, {}, signal);
      assert.ok(served.ok);
      messages.push(served.value.message);
      after.push([summarizer.asked.length, served.value.done.compactions.length]);
    }
    const isAhead = after.some(([asked, compactions]) => asked === 1 && compactions === 0);
    assert.ok(isAhead, JSON.stringify(after));
    assert.deepEqual(after.at(-1), [1, 1]);
  });
});
