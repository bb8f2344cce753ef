import assert from 'node:assert/strict';
import { classifyModelError } from '../../../src/core/overflow/classify.ts';
import { FOREIGN_FIGURES, OTHER_KINDS, OUTPUT_LIMITS } from './traps.ts';

const NOTHING = { kind: 'overflow', actualTokens: undefined, limitTokens: undefined };

describe('traps', () => {
  for (const [kind, texts] of Object.entries(OTHER_KINDS)) {
    describe(`no overflow, but ${kind}`, () => {
      for (const text of texts) {
        it(text, () => {
          const found = classifyModelError(text);
          assert.equal(found.kind, kind, found.evidence);
          if (kind !== 'output-limit') assert.equal(found.limitTokens, undefined, 'teaches no window');
        });
      }
    });
  }

  describe('an overflow that states no tokens of the input', () => {
    for (const text of FOREIGN_FIGURES) {
      it(text, () => {
        const { kind, actualTokens, limitTokens } = classifyModelError(text);
        assert.deepEqual({ kind, actualTokens, limitTokens }, NOTHING);
      });
    }
  });

  describe('figures that contradict each other', () => {
    for (const [why, text] of [
      ['a sum below the limit', 'prompt is too long: batch 3 + 4 exceeds 8192 tokens'],
      ['an input below the limit', 'Request 7000 input tokens exceeds the maximum context length 8000'],
    ] as const) {
      it(why, () => {
        const found = classifyModelError(text);
        assert.equal(found.kind, 'overflow', found.evidence);
        assert.equal(found.actualTokens, undefined);
      });
    }
  });

  describe('a refused output limit says what is allowed', () => {
    for (const [error, cap] of OUTPUT_LIMITS) {
      it(`${cap ?? 'no figure'}: ${JSON.stringify(error).slice(0, 110)}`, () => {
        const found = classifyModelError(error);
        assert.equal(found.kind, 'output-limit', found.evidence);
        assert.equal(found.outputLimitTokens, cap);
      });
    }
  });
});
