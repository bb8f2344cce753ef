import assert from 'node:assert/strict';
import { converse, reads, user } from './kit.ts';

describe('usage that a server reports', () => {
  it('anchors the figure; what comes since is counted and added', () => {
    const conversation = converse([user('Fix it.'), ...reads(8)]);
    const counted = conversation.budget().used;
    assert.equal(counted.source, 'counted');
    conversation.request();
    conversation.reportUsage({ prompt_tokens: counted.tokens + 100 });
    assert.deepEqual(conversation.budget().used, { tokens: counted.tokens + 100, source: 'reported' });
    conversation.append([user('And now?')]);
    const { tokens, source } = conversation.budget().used;
    assert.ok(tokens > counted.tokens + 100 && tokens < counted.tokens + 130);
    assert.equal(source, 'counted');
  });

  it('is forgotten once the view was compacted or the model changed', async () => {
    const conversation = converse([user('Fix it.'), ...reads(12), user('And now?')]);
    conversation.request();
    conversation.reportUsage({ prompt_tokens: conversation.budget().used.tokens + 500 });
    assert.equal((await conversation.compact({ trigger: 'command', targetTokens: 2000 })).kind, 'compacted');
    assert.equal(conversation.budget().used.source, 'counted');
    conversation.configure({ profile: { ...conversation.profile(), id: 'another' } });
    assert.equal(conversation.usage().calibration.reports, 0);
  });
});
