import assert from 'node:assert/strict';
import { presentView } from '../../../src/host/present/presenter.ts';
import { StatusFollower } from '../../../src/host/statusBar/statusFollower.ts';
import type { ViewState } from '../../../src/protocol/viewState.ts';
import { converse, user } from '../../core/conversation/kit.ts';

describe('the conversation that the status bar shows', () => {
  const own: ViewState = presentView({ revision: 1, notices: [] });
  const busy: ViewState = { ...own, activity: { kind: 'model', label: 'asking' } };

  function follow() {
    const shown: ViewState[] = [];
    const follower = new StatusFollower({ update: (state) => shown.push(state) }, () => 'automatic');
    const conversation = converse([user('Hello there')]);
    return { follower, thread: { id: 'a', conversation, isBusy: true }, last: () => shown.at(-1) };
  }

  it('is Karl’s own until a request of another agent comes', () => {
    const { follower, thread, last } = follow();
    follower.showOwn(own);
    assert.equal(last(), own);
    follower.showThread(thread);
    const used = thread.conversation.budget().used.tokens;
    assert.deepEqual([last()?.gauge?.used, last()?.activity.kind], [used, 'model']);
    follower.showThread({ ...thread, isBusy: false });
    assert.equal(last()?.activity.kind, 'idle');
  });

  it('stays the other agent’s while nothing runs in Karl’s own, and is Karl’s own when something does', () => {
    const { follower, thread, last } = follow();
    follower.showThread(thread);
    follower.showOwn(own);
    assert.equal(last()?.conversation?.id, 'a');
    follower.showOwn(busy);
    assert.equal(last(), busy);
  });

  it('is Karl’s own when another of them is opened', () => {
    const { follower, thread, last } = follow();
    follower.showOwn(own);
    follower.showThread(thread);
    follower.followOwn();
    assert.equal(last(), own);
  });
});
