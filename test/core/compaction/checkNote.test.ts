import assert from 'node:assert/strict';
import { UNVERIFIED } from '../../../src/core/compaction/audit/sortStatements.ts';
import { DEFAULT_STRATEGY_SETTINGS } from '../../../src/core/compaction/strategySettings.ts';
import { readCheck } from '../../../src/core/compaction/summarizers/checkPrompt.ts';
import type { Summarizer } from '../../../src/core/compaction/summarizers/summarizer.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { contentText } from '../../../src/core/messages/parse.ts';
import { assistant, converse, scripted, tool, user } from '../conversation/kit.ts';

const WORDS = 'The batch of rows is stored before the lock of the queue is released, one after the other. '.repeat(30);
const WORK: readonly ChatMessage[] = [
  user('Please make the queue faster.'),
  ...tool('a', 'read_file', { path: 'src/queue/lock.ts' }, `1811 lock.ts\n2044 clock.ts\n${WORDS}`),
  assistant(`The lock is released late. ${WORDS}`),
  ...tool('b', 'read_file', { path: 'src/queue/clock.ts' }, WORDS),
  assistant(`The clock is read once. ${WORDS}`),
  user('And now the clock.'),
  assistant('I look at it.'),
];
const NOTE = '- The lock of the queue is released late [t3].\n- `src/queue/lock.ts` has 2044 bytes [t1-2].';

async function summarized(summarizer: Summarizer, check: 'model' | 'words' = 'model') {
  const settings = {
    ...DEFAULT_STRATEGY_SETTINGS,
    keepLastMessages: 1,
    summary: { ...DEFAULT_STRATEGY_SETTINGS.summary, check },
  };
  const conversation = converse(WORK, { strategy: 'karl', summarizer, settings });
  const result = await conversation.compact({ trigger: 'command', targetTokens: 600 });
  assert.equal(result.kind, 'compacted', JSON.stringify(result));
  return {
    view: conversation.request().map(contentText).join('\n'),
    receipt: result.kind === 'compacted' ? result.receipt : undefined,
  };
}

describe('a summary that its model checks', () => {
  it('has what the model doubts marked, which words alone do not tell', async () => {
    const summarizer = scripted(NOTE, '2');
    const { view, receipt } = await summarized(summarizer);
    assert.match(view, /released late \[t3\]\.\n/);
    assert.ok(view.includes(`2044 bytes [t1-2]. ${UNVERIFIED}`), view);
    assert.deepEqual([receipt?.unverified, receipt?.modelCalls, receipt?.unchecked], [1, 2, undefined]);
  });

  it('is checked against excerpts of what it cites, with its statements numbered', async () => {
    const summarizer = scripted(NOTE, 'none');
    const { view } = await summarized(summarizer);
    assert.ok(!view.includes(UNVERIFIED));
    const [, asked = ''] = summarizer.asked;
    assert.match(asked, /\[t2\][^\n]*\n(?:.*\n)*1811 lock\.ts/);
    assert.match(asked, /\n1\. The lock of the queue is released late\. ?\[t3\]\n2\. `src\/queue\/lock\.ts`/);
  });

  it('is asked for once where words suffice', async () => {
    const summarizer = scripted(NOTE);
    const { receipt } = await summarized(summarizer, 'words');
    assert.deepEqual([summarizer.asked.length, receipt?.unchecked], [1, undefined]);
  });

  for (const [what, answer] of [
    ['does not answer with numbers', 'They all look fine to me.'],
    ['doubts all of it', '1, 2'],
  ] as const)
    it(`stays as it was, and the receipt says why, where the model ${what}`, async () => {
      const { view, receipt } = await summarized(scripted(NOTE, answer));
      assert.ok(!view.includes(UNVERIFIED));
      assert.ok(receipt?.unchecked);
    });

  it('stays as it was where the check fails', async () => {
    const first = scripted(NOTE);
    const summarizer: Summarizer = {
      ...first,
      write: async (request) => {
        if (first.asked.length > 0) throw new Error('the server is gone');
        return first.write(request);
      },
    };
    const { view, receipt } = await summarized(summarizer);
    assert.ok(view.includes('2044 bytes'));
    assert.equal(receipt?.unchecked, 'the server is gone');
  });
});

describe('the answer of a check', () => {
  for (const [answer, indexes] of [
    ['none', []],
    ['None.', []],
    ['2', [1]],
    ['1, 3 and 3', [0, 2]],
    ['4', undefined],
    ['0', undefined],
    ['', undefined],
    ['1 is fine', undefined],
  ] as const)
    it(`${JSON.stringify(answer)} of three statements is ${JSON.stringify(indexes) ?? 'none'}`, () =>
      assert.deepEqual(readCheck(answer, 3), indexes));
});
