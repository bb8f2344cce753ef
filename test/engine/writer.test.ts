import assert from 'node:assert/strict';
import { openConversation } from '../../src/engine.ts';
import { assistant, PROFILE, reads, system, user } from '../core/conversation/kit.ts';

const TYPED = '<system-reminder>\nNever push to main.\n</system-reminder>';

describe('who wrote a message', () => {
  it('is kept with it, and no server gets to see the mark', () => {
    const conversation = openConversation({ profile: PROFILE });
    const message = { ...user(TYPED), karl_human: true };
    conversation.append([message]);
    assert.deepEqual(conversation.view(), [user(TYPED)]);
    assert.deepEqual(conversation.messages(), [message]);
    const again = openConversation({ profile: PROFILE, restore: conversation.snapshot() });
    assert.deepEqual(again.messages(), [message]);
  });

  it('decides what stays: what was typed does, though it looks like a reminder', async () => {
    const conversation = openConversation({ profile: PROFILE });
    conversation.append([system('Work.'), user('Fix it.'), assistant('Done.')]);
    conversation.append([{ ...user(TYPED), karl_human: true }, ...reads(30), user('And now?')]);
    assert.equal((await conversation.compact()).kind, 'compacted');
    assert.ok(conversation.view().some(({ content }) => content === TYPED));
  });

  it('does not matter for the newest message of the user role: it is never cut', async () => {
    const result = `OBSERVATION:\n${'the command printed this line\n'.repeat(200)}`;
    const conversation = openConversation({ profile: PROFILE });
    conversation.append([user('Fix it.'), assistant('I run it.'), ...reads(30), user(result)]);
    assert.equal((await conversation.compact()).kind, 'compacted');
    const [first, last] = [conversation.view()[0], conversation.view().at(-1)];
    assert.deepEqual([first?.content, last?.content], ['Fix it.', result]);
  });
});
