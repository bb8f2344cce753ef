import assert from 'node:assert/strict';
import { overflowTokens } from '../../../src/core/model/budget.ts';
import { describeFigures, describeReceipt } from '../../../src/host/present/receipt.ts';
import { compact, converse, gaugeOf, logOf, PROFILE, reads, scripted, system, user, WORK } from './kit.ts';

const TOOLS = [{ type: 'function' as const, function: { name: 'look', description: 'looks at things '.repeat(100) } }];

describe('the totals of a run', () => {
  for (const [what, factor] of [
    ['counted', 1],
    ['reported by the server', 1.2],
  ] as const) {
    it(`are those of the gauge, ${what}: in receipt and log, tool definitions included`, async () => {
      const conversation = converse(WORK, { tools: TOOLS });
      const lines = logOf(conversation);
      conversation.request();
      const counted = conversation.budget().used.tokens;
      if (factor > 1) conversation.reportUsage({ prompt_tokens: Math.round(counted * factor) });
      const before = conversation.budget().used.tokens;
      assert.equal(before, Math.round(counted * factor));
      const result = await compact(conversation);
      const after = conversation.budget().used.tokens;
      const { tokensBefore, tokensAfter, limitTokens } = result.receipt;
      assert.deepEqual([tokensBefore, tokensAfter, limitTokens], [before, after, conversation.budget().limit]);
      assert.match(lines.join('\n'), new RegExp(`tokens_before=${before} tokens_after=${after} .*outcome=compacted`));
      conversation.undo();
      assert.match(lines.join('\n'), new RegExp(`event=compaction-undone .*tokens_before=${after} `));
    });
  }

  it('are of what the run did: a message that came meanwhile is not taken for a part of the summary', async () => {
    const later = user('One more thing. '.repeat(400));
    const write = async () => {
      conversation.append([later]);
      return { text: 'The parts were read.', complete: true };
    };
    const conversation = converse(WORK, { summarizer: { model: 'slow', inputLimit: 32_000, write } });
    const result = await compact(conversation);
    const tokens = conversation.tokensOf(later).tokens;
    assert.equal(result.receipt.tokensAfter, conversation.budget().used.tokens - tokens);
  });

  it('have one base for percentages, the budget', async () => {
    const conversation = converse(WORK, { tools: TOOLS });
    const share = () => Math.round((conversation.budget().used.tokens / conversation.budget().limit) * 100);
    const before = share();
    const result = await compact(conversation);
    const shares = `, ${before}% → ${share()}% of the budget`;
    assert.ok(describeFigures(result.receipt).endsWith(shares), describeFigures(result.receipt));
    const { prefixKept, tokensBefore } = result.receipt;
    const cached = Math.round(((prefixKept * tokensBefore) / conversation.budget().limit) * 100);
    const shown = describeReceipt(result.receipt).filter((sentence) => sentence.includes('%'));
    assert.deepEqual(shown, [`Prompt cache reusable: ${cached}%`], 'no share of anything else');
  });
});

it('a note of the model that is too long is not called an invention: the receipt says why it was left out', async () => {
  const summarizer = scripted('The parts were read. '.repeat(3000));
  const conversation = converse(WORK, { summarizer });
  const result = await compact(conversation);
  assert.deepEqual(result.receipt.rejected, []);
  const sentences = describeReceipt(result.receipt).join('\n');
  assert.match(sentences, /A summary by the model was left out\. The model's summary is too long: \d+ tokens/);
  assert.doesNotMatch(sentences, /Not found in the conversation/);
});

it('usage that a server reports is forgotten once the view was compacted or the model changed', async () => {
  const conversation = converse([user('Fix it.'), ...reads(12), user('And now?')]);
  conversation.request();
  conversation.reportUsage({ prompt_tokens: conversation.budget().used.tokens + 500 });
  await compact(conversation, { targetTokens: 2000 });
  assert.equal(conversation.budget().used.source, 'counted');
  conversation.configure({ profile: { ...conversation.profile(), id: 'another' } });
  assert.equal(conversation.usage().calibration.reports, 0);
});

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
    const skipped = new RegExp(`outcome=skipped reason=nothing-to-compact .*overflow_tokens=${over}\\b`);
    assert.match(lines.join('\n'), skipped);
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
