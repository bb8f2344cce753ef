import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createLedger, extract, type FactClass } from '../../../src/core/ledger/ledger.ts';
import { isStated } from '../../../src/core/ledger/stated.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';
import { keepLastTen, noOp, randomDeletion } from './baselines.ts';
import type { Contender } from './contender.ts';
import { FACT_CLASSES, type PlantedFact } from './fact.ts';
import { keptShare } from './gates.ts';
import { type Planted, plantTranscript } from './plant/generate.ts';
import { LANGUAGES } from './plant/wording.ts';
import { hasValue, readView } from './probes.ts';
import { type Score, scoreOutcome, shares } from './score.ts';

const TRANSCRIPTS = [0, 1, 2, 3, 4, 5].map((seed) => plantTranscript({ seed, tokens: 20_000 }));

async function score(contender: Contender, planted: Planted): Promise<Score> {
  return scoreOutcome(planted.messages, planted.facts, await contender.run(planted.messages, 3_000));
}

const retained = (scores: readonly Score[]): number => shares(scores.flatMap((each) => each.verdicts))?.retained ?? 0;

describe('the retention benchmark measures what it says', () => {
  it('the same seed gives the same transcript, another seed another', () => {
    const again = plantTranscript({ seed: 1, tokens: 20_000 });
    assert.deepEqual(again.messages, TRANSCRIPTS[1]?.messages);
    assert.notDeepEqual(again.messages, TRANSCRIPTS[2]?.messages);
  });

  it('all languages, all classes, and wordings that are held out occur', () => {
    assert.deepEqual(new Set(TRANSCRIPTS.map(({ language }) => language)), new Set(LANGUAGES));
    const facts = TRANSCRIPTS.flatMap((planted) => planted.facts);
    assert.deepEqual(new Set(facts.map((fact) => fact.class)), new Set(FACT_CLASSES));
    assert.ok(facts.some((fact) => fact.heldOut) && facts.some((fact) => !fact.heldOut));
    assert.ok(facts.some((fact) => fact.supersedes !== undefined) && facts.some((fact) => fact.done));
  });

  it('every planted value stands in the message that it was planted in, or in the results of its calls', () => {
    for (const { messages, facts } of TRANSCRIPTS) {
      for (const fact of facts) {
        const near = readView(messages.slice(fact.messageIndex, fact.messageIndex + 4), messages);
        assert.ok(
          hasValue({ ...fact, class: fact.class === 'todo' ? 'file-read' : fact.class }, near),
          JSON.stringify(fact),
        );
      }
    }
  });

  it('without any compaction everything is retained', async () => {
    for (const planted of TRANSCRIPTS) {
      const { verdicts } = await score(noOp, planted);
      assert.deepEqual(
        verdicts.filter((verdict) => !verdict.retained).map(({ fact }) => fact),
        [],
      );
    }
  });

  it('random deletion retains about the share of tokens that it keeps', async () => {
    const scores: Score[] = [];
    for (const share of [0.2, 0.5, 0.8]) {
      const own: Score[] = [];
      for (const [seed, planted] of TRANSCRIPTS.entries())
        own.push(await score(randomDeletion(seed + 7, share), planted));
      const kept = own.reduce((sum, each) => sum + keptShare(each), 0) / own.length;
      // A fact that stands in several messages survives more often than a token does.
      assert.ok(Math.abs(retained(own) - kept) < 0.2, `kept ${kept}, retained ${retained(own)}`);
      scores.push(...own);
    }
    assert.ok(retained(scores) < 1);
  });

  it('a rule that keeps ten messages loses what is older', async () => {
    const scores: Score[] = [];
    for (const planted of TRANSCRIPTS) scores.push(await score(keepLastTen, planted));
    assert.ok(retained(scores) < 0.4);
  });
});

/** Classes of planted facts, and the extractors that find them: a file that was changed was often read as well. */
const EXTRACTED: readonly (readonly [kind: PlantedFact['class'], extractors: readonly FactClass[]])[] = [
  ['file-read', ['file-read']],
  ['file-changed', ['file-changed', 'file-read']],
  ['error', ['error']],
  ['command', ['command', 'test-state']],
  ['test-state', ['test-state']],
];

describe('the ledger carries the facts: without one extractor its class falls', () => {
  const known = TRANSCRIPTS.map((planted) => {
    const transcript = new Transcript();
    planted.messages.forEach((message, index) => {
      transcript.append(parseMessage(message, index));
    });
    const ledger = createLedger();
    ledger.update(transcript.blocks);
    return { planted, facts: ledger.facts() };
  });

  for (const [kind, extractors] of EXTRACTED) {
    it(kind, () => {
      const found = (without: readonly FactClass[]): number => {
        let stated = 0;
        for (const { planted, facts } of known) {
          const text = facts
            .filter((fact) => !without.includes(fact.class) && fact.by !== 'human')
            .map((fact) => `${fact.anchor ?? ''} ${fact.value}`)
            .join('\n');
          const view = readView([{ role: 'user', content: text }], []);
          const own = planted.facts.filter((fact) => fact.class === kind);
          stated += own.filter((fact) => hasValue(fact, view)).length;
        }
        return stated;
      };
      assert.ok(found(extractors) < found([]), `${found(extractors)} of ${found([])} stay`);
    });
  }

  it('what an extractor finds, the audit finds stated in the very block', () => {
    const [first] = known;
    assert.ok(first !== undefined);
    const transcript = new Transcript();
    first.planted.messages.forEach((message, index) => {
      transcript.append(parseMessage(message, index));
    });
    for (const [index, block] of transcript.blocks.entries()) {
      const text = block.messages
        .flatMap((message) => readView([message.wire], []).lines.map((line) => line.text))
        .join('\n');
      for (const fact of extract(block, transcript.blocks[index + 1])) {
        if (fact.class === 'command') assert.ok(isStated(fact, text), fact.value);
      }
    }
  });
});
