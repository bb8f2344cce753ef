import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/core/language.ts';
import type { StorageProblem } from '../../../src/core/session/conversationStore.ts';
import type { Match } from '../../../src/core/session/threads/match.ts';
import type { Threads } from '../../../src/core/session/threads/threads.ts';
import { undoInThread } from '../../../src/host/actions/changes.ts';
import type { ThreadInUse } from '../../../src/host/conversations/agentThreads.ts';
import { openThread } from '../../../src/host/conversations/openThread.ts';
import type { Notices } from '../../../src/host/notices/notices.ts';
import { reads, system, user } from '../../core/conversation/kit.ts';
import { MemoryStore, makeThreads, request, send } from '../../core/session/threads/kit.ts';
import { makeNotices, partsOf } from '../kit.ts';

describe('a conversation of another agent that is shown', () => {
  let threads: Threads;
  let notices: Notices;
  let used: (thread: ThreadInUse) => void;
  beforeEach(() => {
    threads = makeThreads();
    notices = makeNotices();
  });

  async function show(id: string) {
    const parts = partsOf<Parameters<typeof openThread>[1]>({
      notices,
      threads: {
        use: (of: string) => threads.use(of),
        isServed: (of: string) => threads.isAtWork(of),
        onDidUse: (listener: typeof used) => {
          used = listener;
          return { dispose: () => undefined };
        },
      },
      onProblem: ({ message }: StorageProblem) => assert.fail(inEnglish(message)),
    });
    const opened = await openThread(id, parts);
    return opened.ok ? opened.value : assert.fail(inEnglish(opened.error.message));
  }

  const tellBusy = () => notices.show({ id: 'busy', severity: 'info', text: 'The agent waits.', passing: true });

  it('takes the notice away that its agent waits for an answer, when the answer has arrived', async () => {
    const match = await threads.match(request([system('You help.'), user('Fix the import.')]));
    assert.ok(match.kind === 'thread');
    const { id, conversation } = match;
    const active = await show(id);
    assert.equal(active.isBusy, true);
    tellBusy();
    used({ id, conversation, isBusy: true });
    assert.equal(notices.states.length, 1);
    await match.release();
    used({ id, conversation, isBusy: false });
    assert.deepEqual(notices.states, []);
    notices.show({ id: 'warning', severity: 'warning', text: 'A warning.', passing: true });
    used({ id, conversation, isBusy: true });
    assert.deepEqual(notices.states, [], 'the next request has begun');
    await active.close();
  });

  it('takes the notice away that Karl is busy, when a compression has ended', async () => {
    const match = await threads.match(request([system('You help.'), user('Fix it.'), ...reads(20), user('And now?')]));
    assert.ok(match.kind === 'thread');
    await match.release();
    const active = await show(match.id);
    tellBusy();
    assert.equal((await active.conversation.compact({ trigger: 'command', targetTokens: 2000 })).kind, 'compacted');
    assert.deepEqual(notices.states, []);
    await active.close();
  });
});

describe('the undo of a compression that was announced while the view was hidden', () => {
  let threads: Threads;
  const undo = (id: string, compaction: string) =>
    undoInThread(id, compaction, { use: (of) => threads.use(of), isServed: (of) => threads.isAtWork(of) });

  /** A conversation of an agent that was compressed twice, the second time over the first; its request is served. */
  async function compressedTwice(): Promise<Match & { readonly compactions: readonly string[] }> {
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
    assert.match((await undo(id, compactions[0] ?? '')) ?? '', /^The later compression.* is undone too\.$/);
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
