import assert from 'node:assert/strict';
import { presentNothing } from '../../../src/host/present/presenter.ts';
import type { BarState } from '../../../src/host/statusBar/statusBar.ts';
import { StatusFollower } from '../../../src/host/statusBar/statusFollower.ts';
import { converse, user } from '../../core/conversation/kit.ts';

describe('the conversation that the status bar shows', () => {
  const own = presentNothing(1, []);
  const busy = { ...own, activity: { kind: 'tool', label: 'reading' } } as const;

  function follow() {
    let shown: BarState | undefined;
    const update = (state: BarState) => {
      shown = state;
    };
    const follower = new StatusFollower({ update }, () => 'automatic');
    const conversation = converse([user('Hello there')]);
    return { follower, thread: { id: 'a', conversation, isBusy: true }, last: () => shown };
  }

  it('is Karl’s own until another agent sends a request', () => {
    const { follower, thread, last } = follow();
    follower.showOwn(own);
    assert.deepEqual([last()?.gauge, last()?.activity], [undefined, 'idle']);
    follower.showThread(thread);
    const used = thread.conversation.budget().used.tokens;
    assert.deepEqual([last()?.gauge?.used, last()?.activity], [used, 'model']);
    follower.showThread({ ...thread, isBusy: false });
    assert.equal(last()?.activity, 'idle');
  });

  it('stays the other agent’s until something runs in Karl’s own', () => {
    const { follower, thread, last } = follow();
    follower.showThread(thread);
    follower.showOwn(own);
    assert.equal(last()?.model, thread.conversation.profile().id);
    follower.showOwn(busy);
    assert.deepEqual([last()?.model, last()?.activity], [undefined, 'tool']);
  });

  it('is Karl’s own after one of them was opened', () => {
    const { follower, thread, last } = follow();
    follower.showOwn(own);
    follower.showThread(thread);
    follower.followOwn();
    assert.equal(last()?.gauge, undefined);
  });
});
