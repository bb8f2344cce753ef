import assert from 'node:assert/strict';
import { SLICES } from '../../../src/adapters/node/slices.ts';
import { AT_ONCE_UNITS, LoadingCounter } from '../../../src/adapters/tiktoken/loadingCounter.ts';
import { findRanks } from '../../../src/adapters/tiktoken/ranks.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { converse, reads, user } from '../../core/conversation/kit.ts';
import { exactCounter } from './reference.ts';

const exact = exactCounter();

function start(ranksFile = findRanks()): { counter: LoadingCounter; warnings: string[] } {
  const warnings: string[] = [];
  const onWarning = (words: Parameters<typeof inEnglish>[0]) => warnings.push(inEnglish(words));
  return { counter: new LoadingCounter('o200k_base', ranksFile, SLICES, onWarning), warnings };
}

const line = 'export function countTokens(text: string): number { return exact.countTokens(text); } // 中文 😀\n';

describe('a counter that loads its tables in slices', () => {
  it('estimates until they are loaded, and then counts what does not take long', async () => {
    const { counter, warnings } = start();
    assert.equal(counter.count(line).source, 'estimated');
    await counter.loaded;
    assert.deepEqual(counter.count(line), exact.count(line));
    const large = line.repeat(AT_ONCE_UNITS / line.length + 1);
    assert.equal(counter.count(large).source, 'estimated');
    assert.deepEqual(counter.exact()?.count(large), exact.count(large));
    assert.deepEqual(warnings, []);
  });

  it('warns once where there are none, and goes on estimating', async () => {
    const { counter, warnings } = start(new URL(import.meta.url).pathname);
    await counter.loaded;
    assert.match(warnings.join('\n'), /^The tables of the token counter could not be loaded \(not a rank file[^\n]*$/);
    assert.equal(counter.count(line).source, 'estimated');
    const conversation = converse([user('Read them.'), ...reads(8)], { counter });
    await conversation.ready();
    assert.equal(conversation.budget().used.source, 'estimated');
  });

  it('has a conversation counted and compacted as with an exact one', async () => {
    const messages = [user('Read them.'), ...reads(60, 20), user(`Go on.\n${line.repeat(600)}`)];
    const [here, there] = [converse(messages, { counter: start().counter }), converse(messages, { counter: exact })];
    assert.equal(here.budget().used.source, 'estimated');
    await here.ready();
    assert.deepEqual(here.budget(), there.budget());
    for (const one of [here, there]) {
      const result = await one.compact({ trigger: 'command' });
      assert.ok(result.kind === 'compacted');
      assert.deepEqual(one.budget().used, { tokens: result.receipt.tokensAfter, source: 'counted' });
    }
    const sent = (one: typeof here): string => JSON.stringify(one.request()).replaceAll(/ id=\S+/g, '');
    assert.equal(sent(here), sent(there));
  });
});
