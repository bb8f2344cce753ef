import assert from 'node:assert/strict';
import { changeByHand } from '../../../src/host/actions/changes.ts';
import { converse, system, user } from '../../core/conversation/kit.ts';
import { makeNotices } from '../kit.ts';

describe('a change by hand', () => {
  it('that is not made is told until a turn begins', async () => {
    const notices = makeNotices();
    const conversation = converse([system('You are an agent.'), user('Move the exports.')]);
    const active = { conversation, readOnly: undefined, compressing: undefined };
    await changeByHand(active, { act: 'dropped', ids: [0] }, (notice) => notices.show(notice));
    assert.match(notices.states[0]?.text ?? '', /^Nothing was dropped\. /);
    notices.removePassing();
    assert.deepEqual(notices.states, []);
  });
});
