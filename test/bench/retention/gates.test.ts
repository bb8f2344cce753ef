import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { REPLY_TOKENS } from '../../../src/core/tokens/messageTokens.ts';
import { countTokens } from '../../../src/engine.ts';
import { findEscaped, HOSTILE_IDS, karlContender, runChain } from './contender.ts';
import { chainGate, floorGates, type Gate } from './gates.ts';
import { type Planted, plantTranscript } from './plant/generate.ts';
import { type Score, scoreOutcome } from './score.ts';

const TARGET = 0.15;
const TRANSCRIPTS = [0, 1, 2].map((seed) => plantTranscript({ seed, tokens: 20_000 }));

async function scoreAll(strategy: 'adaptive' | 'karl' | 'sandwich', hostile?: string): Promise<Score[]> {
  const scores: Score[] = [];
  for (const planted of TRANSCRIPTS) {
    const outcome = await karlContender(strategy, hostile).run(planted.messages, target(planted));
    scores.push(await scoreOutcome(planted.messages, planted.facts, outcome));
  }
  return scores;
}

const target = (planted: Planted): number => countTokens(planted.messages) * TARGET;

function assertPassed(gates: readonly Gate[]): void {
  assert.deepEqual(
    gates.filter(({ passed }) => !passed),
    [],
  );
}

describe('what always holds after a compaction', () => {
  it('without a model: nothing lost, nothing invented', async () => {
    const scores = await scoreAll('adaptive');
    assertPassed(floorGates('adaptive', scores));
    // The target is for the messages; the score counts a whole request.
    for (const score of scores) assert.ok(score.tokensAfter <= score.tokensBefore * TARGET + REPLY_TOKENS);
  });

  for (const strategy of ['karl', 'sandwich'] as const) {
    for (const hostile of HOSTILE_IDS) {
      it(`${strategy} with a summarizer that ${hostile}`, async () => {
        assertPassed(floorGates(strategy, await scoreAll(strategy, hostile)));
      });
    }
  }

  it('adaptive asks a model when the human says little, and holds with one that drops lines', async () => {
    const planted = plantTranscript({ seed: 0, tokens: 75_000, humanEvery: 8 });
    const outcome = await karlContender('adaptive', 'drops every third line').run(
      planted.messages,
      countTokens(planted.messages) * 0.045,
    );
    assert.ok(outcome.modelCalls > 0);
    assertPassed(floorGates('adaptive', [await scoreOutcome(planted.messages, planted.facts, outcome)]));
  });

  it('a chain of three compactions keeps what one keeps', async () => {
    const planted = plantTranscript({ seed: 2, tokens: 20_000, laterStages: 2, turnsAStage: 4 });
    const steps = (await runChain(planted, { kind: 'share', share: TARGET })).map((score) => [score]);
    assertPassed([chainGate('chain', steps), ...floorGates('chain', steps.at(-1) ?? [])]);
  });

  it('a secret stays in the conversation, an injected instruction inside the fence', async () => {
    for (const planted of TRANSCRIPTS) {
      for (const strategy of ['adaptive', 'karl', 'sandwich'] as const) {
        assert.deepEqual(await findEscaped(planted, strategy, target(planted)), []);
      }
    }
  });
});
