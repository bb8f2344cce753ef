import assert from 'node:assert/strict';
import { filler, type Harness, makeTool, openHarness } from './sessionHarness.ts';

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
    conversation.append([
      { role: 'system', content: 'You are a test.' },
      { role: 'user', content: 'Look at many files.' },
    ]);
    for (let n = 0; n < 22; n += 1) {
      const call = { id: `c${n}`, type: 'function', function: { name: 'echo', arguments: `{"n":${n}}` } };
      conversation.append([
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: `c${n}`, content: filler(1_000, `f${n}`) },
      ]);
    }
    conversation.append([{ role: 'assistant', content: 'Looked.' }]);
    assert.equal((await session.send('And now?')).kind, 'answered');
    const signal = await begun.promise;
    assert.equal((await session.send('Go on.')).kind, 'answered', 'it outlasts its turn');
    assert.equal(signal.aborted, false);
    await session.cancel();
    assert.equal(signal.aborted, true);
  });
});
