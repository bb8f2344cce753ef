import assert from 'node:assert/strict';
import type { Usage } from '../../../src/core/chat/wire.ts';
import { netGain, type Receipt } from '../../../src/core/compaction/compaction.ts';
import type { Summarizer } from '../../../src/core/compaction/summarizers/summarizer.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { openConversation } from '../../../src/engine.ts';
import { describeReceipt } from '../../../src/host/present/receipt.ts';
import { compact, converse, logOf, PROFILE, START, WORK, writeAhead } from './kit.ts';

const USAGE = { prompt_tokens: 7000, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 3000 } };
const PRICE = { input: 2, output: 10, cacheRead: 0.5 };

/** A model that writes the same every time and reports these usages in turn. */
function writes(text: string, ...usages: (Usage | undefined)[]): Summarizer {
  let calls = 0;
  return {
    model: 'writer',
    inputLimit: 32_000,
    price: PRICE,
    write: async () => {
      const usage = usages[Math.min(calls, usages.length - 1)];
      calls += 1;
      return { text, complete: true, ...(usage !== undefined && { usage }) };
    },
  };
}

async function compactAndLog(conversation: Conversation, strategy?: 'karl' | 'heuristic') {
  const lines = logOf(conversation);
  const { receipt } = await compact(conversation, { strategy });
  return { receipt, line: lines.find((line) => line.includes('event=compaction-ended')) ?? '' };
}

const GOOD = 'The parts were read.';
const INVENTED = 'We moved all to lib/quantum/flux.rs.';

describe('the model of a record', () => {
  for (const [what, options] of [
    ['none was there', {}],
    ['what it wrote was refused', { summarizer: writes(INVENTED, USAGE) }],
    ['it wrote nothing', { summarizer: writes('', USAGE) }],
  ] as const) {
    it(`is not named when ${what}`, async () => {
      const { receipt, line } = await compactAndLog(converse(WORK, options));
      assert.equal(receipt.model, undefined);
      assert.doesNotMatch(line, / model=/);
    });
  }

  it('is not named by a fallback that does without it; its cost is', async () => {
    const options = { summarizer: writes(INVENTED, USAGE), fallback: 'heuristic', strategy: 'karl' } as const;
    const { receipt, line } = await compactAndLog(converse(WORK, options));
    assert.deepEqual([receipt.fellBackFrom, receipt.model, receipt.modelCalls], ['karl', undefined, 1]);
    assert.deepEqual(receipt.modelTokens, { input: 7000, output: 50, cached: 3000 });
    assert.match(line, /model_calls=1 model_input_tokens=7000/);
    assert.match(describeReceipt(receipt).join(' '), /1 request to a model whose summary was not used/);
  });

  it('is the one that wrote a note ahead, even when another is set by now', async () => {
    const conversation = converse(START, { summarizer: writes(GOOD, USAGE) });
    await writeAhead(conversation, () => 1);
    const other = { ...writes(GOOD), model: 'other', write: () => Promise.reject(new Error('must not be asked')) };
    conversation.configure({ summarizer: other });
    const { receipt } = await compactAndLog(conversation);
    assert.deepEqual([receipt.model, receipt.modelCalls, receipt.modelTokens?.input], ['writer', 1, 7000]);
  });
});

describe('what the model cost', () => {
  it('is what its server reported, with the price of the profile: in receipt, log and words', async () => {
    const { receipt, line } = await compactAndLog(converse(WORK, { summarizer: writes(GOOD, USAGE) }));
    assert.deepEqual(receipt.modelTokens, { input: 7000, output: 50, cached: 3000 });
    // 4,000 at 2 dollars, 3,000 from the cache at 0.5, 50 written at 10 dollars per million.
    assert.equal(receipt.modelCost, 0.01);
    assert.match(line, /model_input_tokens=7000 model_output_tokens=50 model_cached_tokens=3000 cost_usd=0\.0100/);
    const words = describeReceipt(receipt).join('\n');
    assert.match(words, /1 request to writer, 7,000 tokens in \(3,000 of them from its cache\) and 50 out, \$0\.01\./);
  });

  it('is not known when an answer came without usage: a part is not reported as the whole', async () => {
    const long = { ...writes(GOOD, USAGE, undefined), inputLimit: 4000 };
    const { receipt } = await compactAndLog(converse(WORK, { summarizer: long }), 'karl');
    assert.ok(receipt.modelCalls > 1);
    assert.deepEqual([receipt.modelTokens, receipt.modelCost], [undefined, undefined]);
    assert.match(describeReceipt(receipt).join('\n'), /its server did not report the tokens/);
    assert.match(describeReceipt(receipt).join('\n'), /when the summary pays off is not known/);
  });

  it('reaches the receipt through the engine too', async () => {
    const conversation = openConversation({
      profile: { ...PROFILE, price: PRICE },
      summarize: async () => ({ text: GOOD, usage: USAGE }),
    });
    conversation.append(WORK);
    const { receipt } = await conversation.compact();
    assert.deepEqual([receipt?.modelTokens?.output, receipt?.modelCost], [50, 0.01]);
  });
});

describe('the net of a run', () => {
  const receipt = { tokensBefore: 12_000, tokensAfter: 5000, prefixKept: 0.25, modelCalls: 0 } as Receipt;

  it('weighs what is read again and what the model cost against what every request saves', () => {
    assert.deepEqual(netGain(receipt), { savedEach: 7000, readAnew: 2000, spent: 0, paidOffAfter: 1 });
    const asked = { ...receipt, modelCalls: 2, modelTokens: { input: 11_500, output: 600 } };
    assert.deepEqual(netGain(asked), { savedEach: 7000, readAnew: 2000, spent: 12_100, paidOffAfter: 3 });
    assert.deepEqual(netGain({ ...receipt, modelCalls: 2 }).spent, undefined);
  });
});
