import assert from 'node:assert/strict';
import type { StorageProblem } from '../../../src/core/session/conversationStore.ts';
import type { Threads } from '../../../src/core/session/threads/threads.ts';
import type { Basics } from '../../../src/host/basics.ts';
import type { ThreadInUse } from '../../../src/host/conversations/agentThreads.ts';
import { openThread } from '../../../src/host/conversations/openThread.ts';
import type { Notices } from '../../../src/host/notices/notices.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { reads, system, user } from '../../core/conversation/kit.ts';
import { makeThreads, request } from '../../core/session/threads/kit.ts';
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
    const all = {
      use: (of: string) => threads.use(of),
      isServed: (of: string) => threads.isAtWork(of),
      onDidUse: (listener: typeof used) => {
        used = listener;
        return { dispose: () => undefined };
      },
    };
    const onProblem = ({ message }: StorageProblem) => assert.fail(inEnglish(message));
    const opened = await openThread(id, all, partsOf<Basics>({ notices }), onProblem);
    return opened.ok ? opened.value : assert.fail(inEnglish(opened.error.message));
  }

  const tellBusy = () => notices.show({ id: 'busy', severity: 'info', text: 'The agent waits.', passing: true });

  it('removes the notice that its agent is busy when the answer has arrived', async () => {
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

  it('removes the notice that Karl is busy when a compression has ended', async () => {
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
