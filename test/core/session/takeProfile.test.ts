import assert from 'node:assert/strict';
import { takeProfile } from '../../../src/core/session/takeProfile.ts';
import { type Harness, openHarness } from './sessionHarness.ts';

describe('the window of a conversation whose server says nothing of it', () => {
  let harness: Harness;
  afterEach(() => harness.close());

  it('is what the server said before, but only for the same model', async () => {
    harness = await openHarness();
    const { conversation } = harness;
    const profile = conversation.profile();
    const silent = { change: {}, findWindow: async () => undefined };
    conversation.configure({ learnedWindow: { tokens: 32_768, source: 'server' } });
    await takeProfile(conversation, { ...silent, profile });
    assert.equal(conversation.learnedWindow()?.tokens, 32_768);
    await takeProfile(conversation, { ...silent, profile: { ...profile, id: 'another' } });
    assert.equal(conversation.learnedWindow(), undefined);
  });
});
