import assert from 'node:assert/strict';
import type { ThreadMatch } from '../../../src/core/conversation/threads/match.ts';
import type { Threads } from '../../../src/core/conversation/threads/threads.ts';
import { undoInThread } from '../../../src/host/conversations/undoInThread.ts';
import { reads, system, user } from '../../core/conversation/kit.ts';
import { MemoryStore, makeThreads, request, send } from '../../core/conversation/threads/kit.ts';

describe('the undo of a compression that was announced while the view was hidden', () => {
  let threads: Threads;
  const undo = (id: string, compaction: string) =>
    undoInThread(id, compaction, { use: (of) => threads.use(of), isServed: (of) => threads.isAtWork(of) });

  /** A conversation of an agent that was compressed twice, the second time over the first; its request is served. */
  async function compressedTwice(): Promise<ThreadMatch & { readonly compactions: readonly string[] }> {
    const messages = [system('You help.'), user('Fix the import.'), ...reads(20), user('And now?')];
    const match = await threads.match(request(messages));
    assert.ok(match.kind === 'thread');
    const { conversation } = match;
    await conversation.compact({ trigger: 'threshold', targetTokens: 2000 });
    conversation.append([...reads(20, 30, 100), user('Go on.')]);
    await conversation.compact({ trigger: 'threshold', strategy: 'heuristic', targetTokens: 1500 });
    const compactions = conversation.compactions().map(({ id }) => id);
    assert.equal(compactions.length, 2);
    return { ...match, compactions };
  }

  async function inForce(id: string): Promise<number | undefined> {
    const used = await threads.use(id);
    const count = used?.conversation.compactions().length;
    await used?.release();
    return count;
  }

  it('takes the later one along that builds on it, also when the conversation has left memory since', async () => {
    let time = 0;
    threads = makeThreads({ store: new MemoryStore(), mostOpen: 1, now: () => ++time });
    const { id, compactions, release, conversation } = await compressedTwice();
    await release();
    await send(threads, [system('You help.'), user('Something else.')]);
    await send(threads, [system('You help.'), user('Something else again.')]);
    assert.match((await undo(id, compactions[0] ?? '')) ?? '', /^The later compression at .* is undone too\.$/);
    assert.equal(await inForce(id), 0);
    assert.equal(conversation.compactions().length, 2, 'what had left memory is not the conversation any more');
  });

  it('waits for the answer that the agent waits for', async () => {
    threads = makeThreads();
    const { id, compactions, release } = await compressedTwice();
    assert.match((await undo(id, compactions[1] ?? '')) ?? '', /The other agent is waiting/);
    assert.equal(await inForce(id), 2);
    await release();
    await undo(id, compactions[1] ?? '');
    assert.equal(await inForce(id), 1);
  });
});
