import assert from 'node:assert/strict';
import { appendResults, type Harness, makeTool, openHarness } from './sessionHarness.ts';

describe('a summary that is being written ahead', () => {
  let harness: Harness;
  afterEach(() => harness.close());

  it('is given up when the session is cancelled after the turn, as when its conversation is closed', async () => {
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
