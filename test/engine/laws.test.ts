import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cases } from '../attack/seed.ts';
import { stretch, transcript } from '../laws/generate.ts';
import { HOSTILE_SUMMARIZERS } from '../laws/hostileSummarizers.ts';
import { play, type Step } from '../laws/play.ts';

const STRATEGIES = ['adaptive', 'heuristic', 'karl', 'sandwich', 'extractive', 'action-trace'] as const;

const target = fc.constantFrom(0, 0.05, 0.25, 0.5, 0.8, 0.99);
const summarize = fc.constantFrom(...Object.keys(HOSTILE_SUMMARIZERS));
/** Evenly spread: of doubles most are next to 0 or 1. */
const share = fc.integer({ min: 0, max: 999 }).map((part) => part / 1000);
const compact: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('compact' as const),
  strategy: fc.constantFrom(...STRATEGIES),
  target,
  summarize,
  cancel: fc.nat(9).map((number) => number === 0),
});
const between: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: stretch.map((messages): Step => ({ kind: 'append', messages })) },
  { weight: 2, arbitrary: share.map((at): Step => ({ kind: 'pin', at })) },
  { weight: 1, arbitrary: share.map((at): Step => ({ kind: 'unpin', at })) },
  { weight: 2, arbitrary: share.map((which): Step => ({ kind: 'undo', which })) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'restore' }) },
);
const chain = fc
  .array(fc.tuple(compact, fc.array(between, { maxLength: 3 })), { minLength: 1, maxLength: 4 })
  .map((rounds) => rounds.flatMap(([first, rest]) => [first, ...rest]));

const RUNS = cases(60);
/** The same conversations in every run of the suite; `npm run soak` searches further. */
const SEED = Number(process.env.KARL_SEED ?? 42);

/**
 * The share of runs that must have compacted: the others are skipped for a reason, or fail because their summarizer
 * does.
 */
const LEAST_COMPACTED = {
  adaptive: 0.3,
  heuristic: 0.3,
  karl: 0.2,
  sandwich: 0.1,
  extractive: 0.08,
  'action-trace': 0.1,
};

describe('the laws of compaction, over generated conversations', () => {
  for (const strategy of STRATEGIES) {
    it(`hold for ${strategy}, whatever the summarizer does`, async function () {
      this.timeout(600_000);
      let compacted = 0;
      const onReport = ({ kind }: { readonly kind: string }): void => {
        if (kind === 'compacted') compacted += 1;
      };
      await fc.assert(
        fc.asyncProperty(
          transcript,
          target,
          summarize,
          fc.constantFrom(2000, 16_000),
          async (messages, aim, name, window) => {
            const steps: Step[] = [{ kind: 'compact', strategy, target: aim, summarize: name, cancel: false }];
            assert.deepEqual(await play({ messages, steps, summarizers: HOSTILE_SUMMARIZERS, window, onReport }), []);
          },
        ),
        { numRuns: RUNS, seed: SEED },
      );
      // Laws tested only on runs that change nothing would hold trivially.
      assert.ok(
        compacted >= RUNS * LEAST_COMPACTED[strategy],
        `${strategy}: only ${compacted} of ${RUNS} runs compacted`,
      );
    });
  }

  it('hold in chains of compactions with appends, pins, undos and restarts between', async function () {
    this.timeout(600_000);
    await fc.assert(
      fc.asyncProperty(transcript, chain, fc.constantFrom(2000, 16_000), async (messages, steps, window) => {
        assert.deepEqual(await play({ messages, steps, summarizers: HOSTILE_SUMMARIZERS, window }), []);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});
