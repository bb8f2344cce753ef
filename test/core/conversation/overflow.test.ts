import assert from 'node:assert/strict';
import { overflowTokens } from '../../../src/core/model/budget.ts';
import { converse, gaugeOf, logOf, PROFILE, reads, system, user } from './kit.ts';

/** The kit's profile leaves 9,000 tokens for requests. */
const LIMIT = 9000;
const LONG = user('please read this line again '.repeat(2200));

describe('prompt, tools and current request over the budget', () => {
  it('are the same number in gauge, report and log, also after a run that could do nothing', async () => {
    const conversation = converse([system('You are an agent.'), LONG]);
    const over = conversation.budget().used.tokens - LIMIT;
    assert.ok(over > 1000);
    const lines = logOf(conversation);
    assert.equal((await conversation.compact({ trigger: 'hard-limit' })).kind, 'skipped');
    assert.deepEqual([overflowTokens(conversation.budget()), gaugeOf(conversation).overflowTokens], [over, over]);
    assert.match(gaugeOf(conversation).next, /No compression can help/);
    assert.match(
      lines.join('\n'),
      new RegExp(`outcome=skipped reason=nothing-to-compact .*overflow_tokens=${over}\\b`),
    );
  });

  it('are measured as the gauge is: by what the server reported, with the tool definitions', () => {
    const tools = [{ type: 'function' as const, function: { name: 'look', description: 'looks '.repeat(500) } }];
    const conversation = converse([system('You are an agent.'), LONG], { tools, profile: PROFILE });
    conversation.request();
    conversation.reportUsage({ prompt_tokens: Math.round(conversation.budget().used.tokens * 1.3) });
    assert.equal(conversation.budget().used.source, 'reported');
    assert.equal(overflowTokens(conversation.budget()), conversation.budget().used.tokens - LIMIT);
  });

  it('is the same share of what the server reports as of what is counted, however its reports scatter', () => {
    const conversation = converse([system('You are an agent.'), user('Read.')]);
    for (const factor of [0.8, 0.8, 1.3]) {
      conversation.append([...reads(8, 20, conversation.transcript.nextId), user('x '.repeat(5000))]);
      conversation.request();
      conversation.reportUsage({ prompt_tokens: Math.round(conversation.viewTokens() * factor) });
    }
    assert.ok(conversation.budget().used.tokens > 20_000);
    assert.equal(overflowTokens(conversation.budget()), 0, 'the request alone takes some 6,500 of 9,000');
  });
});
