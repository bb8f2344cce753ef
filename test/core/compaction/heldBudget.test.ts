import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { type CompactionResult, STRATEGY_IDS, type StrategyId } from '../../../src/core/compaction/compaction.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { cases } from '../../attack/seed.ts';
import {
  assistant,
  converse,
  logOf,
  PROFILE,
  reads,
  reasonOf,
  scripted,
  system,
  tool,
  user,
} from '../conversation/kit.ts';

const NOTES = scripted('Done: the parts of a larger file were read.');
const PROMPT = system('You read the parts of a larger file.');

/** 80 turns of one call each; and one turn of 80 calls. */
const ORDINARY = Array.from({ length: 80 }, (_, turn) => [
  [user(`Request ${turn}: read the next part and say what it holds.`)],
  reads(1, 12, turn),
  [assistant(`Part ${turn} is read; it computes one more value.`)],
]).flat();
const ONE_LONG = [[user('Read all parts.')], ...Array.from({ length: 80 }, (_, call) => reads(1, 20, call))];

function open(strategy: StrategyId): Conversation {
  const profile = { ...PROFILE, contextWindow: 8192, completionReserve: 1024 };
  return converse([PROMPT], { profile, strategy, summarizer: NOTES });
}

/**
 * Grows a conversation as an agent does; returns how often its request was over the budget, and how each run ended. Each
 * run is earned by growth and gains at least a tenth.
 */
async function grow(conversation: Conversation, parts: readonly (readonly ChatMessage[])[]) {
  const results: CompactionResult[] = [];
  let over = 0;
  let usedAfter = 0;
  for (const part of parts) {
    conversation.append(part);
    for (let trigger = conversation.due(); trigger !== undefined; trigger = conversation.due()) {
      const before = conversation.budget().used.tokens;
      const result = await conversation.compact({ trigger });
      results.push(result);
      if (result.kind !== 'compacted') break;
      const isEarned = trigger === 'message-count' || before >= usedAfter * 1.1;
      assert.ok(isEarned, `${trigger} at ${before}, ${usedAfter} after the last run`);
      usedAfter = conversation.budget().used.tokens;
      assert.ok(before - usedAfter >= before * 0.09, `${trigger}: ${before} to ${usedAfter}`);
    }
    const { used, limit } = conversation.budget();
    if (used.tokens > limit) over += 1;
  }
  return { over, results };
}

describe('the budget', () => {
  for (const strategy of STRATEGY_IDS) {
    it(`is held by ${strategy} in 80 ordinary tool turns and in one long turn, and no run is started in vain`, async () => {
      for (const parts of [ORDINARY, ONE_LONG]) {
        const { over, results } = await grow(open(strategy), parts);
        const ends = results.map(reasonOf);
        assert.equal(over, 0, ends.join(' '));
        assert.ok(results.length >= 4 && results.length <= parts.length / 4, `${results.length} runs`);
      }
    });
  }

  it('is held by the ladder where a strategy changes nothing, or its model writes nothing; the result names both', async () => {
    const { results } = await grow(open('action-trace'), ORDINARY);
    const stoodIn = results.find((result) => result.kind === 'compacted');
    assert.ok(stoodIn?.kind === 'compacted' && stoodIn.fellBackFrom === 'action-trace');
    assert.equal(stoodIn.compaction.strategy, 'adaptive');
    const failing = { ...NOTES, write: () => Promise.reject(new Error('It said no.')) };
    const conversation = converse(ORDINARY.flat(), { strategy: 'karl', summarizer: failing });
    const result = await conversation.compact({ trigger: 'overflow' });
    assert.ok(result.kind === 'compacted' && result.reachedTarget && result.fellBackFrom === 'karl');
  });

  it('is held where a caller of the engine says that the model is a smaller one, by a strategy that changes too little', async () => {
    for (const strategy of ['extractive', 'action-trace'] as const) {
      const conversation = open(strategy);
      conversation.append(ONE_LONG.flat());
      const result = await conversation.compact({ trigger: 'smaller-model' });
      const { used, limit } = conversation.budget();
      assert.ok(result.kind === 'compacted' && used.tokens <= limit, `${strategy}: ${used.tokens} of ${limit}`);
    }
  });

  it('is reached after an overflow in one go; receipt and log line say what the strategy freed and what came from adaptive', async () => {
    const conversation = converse([PROMPT, ...ORDINARY.flat()], { strategy: 'sandwich', summarizer: NOTES });
    const lines = logOf(conversation);
    const result = await conversation.compact({ trigger: 'overflow', targetTokens: 4000 });
    assert.ok(result.kind === 'compacted' && result.reachedTarget);
    const { freedAlone = 0, tokensBefore, tokensAfter, strategy } = result.receipt;
    assert.ok(strategy === 'sandwich' && freedAlone > 0 && freedAlone < tokensBefore - tokensAfter);
    assert.match(lines.join('\n'), new RegExp(`strategy=sandwich .*freed_alone=${freedAlone} rest_by=adaptive`));
  });

  it('leaves room to work in a small window, however many files, rules, to-dos and tools it has had', async () => {
    const conversation = converse([system('You are an agent.')], { profile: { ...PROFILE, contextWindow: 8192 } });
    const { limit } = conversation.budget();
    let runs = 0;
    for (let number = 1; number <= cases(300, 2); number += 1) {
      conversation.append([
        user(`Request ${number}: make part ${number} work. Never rename the function part${number}.`),
        ...tool(`look${number}`, `look_${number % 40}`, { path: `src/deep/folder/part${number}.ts` }, 'export {};'),
        ...tool(
          `edit${number}`,
          'write_file',
          { path: `src/deep/folder/of/part${number}.ts`, content: '' },
          'Written.',
        ),
        assistant(`- [ ] check part ${number} once more\nPart ${number} works.`),
      ]);
      const trigger = conversation.due();
      if (trigger === undefined) continue;
      runs += 1;
      assert.equal((await conversation.compact({ trigger })).kind, 'compacted');
      const { used } = conversation.budget();
      assert.ok(used.tokens <= limit * 0.52, `${used.tokens} of ${limit} are used after turn ${number}`);
    }
    assert.ok(runs > 3, `${runs} runs`);
  });
});
