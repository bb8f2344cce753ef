import assert from 'node:assert/strict';
import { classifyModelError } from '../../../src/core/overflow/classify.ts';
import { BARE_OVERFLOWS } from './bareOverflows.ts';
import { FOREIGN_FAILURES } from './foreignFailures.ts';
import { FOREIGN_FIGURES } from './foreignFigures.ts';
import { FRAMED_VARIANTS } from './framedVariants.ts';
import { FRESH_OVERFLOWS } from './freshOverflows.ts';
import { FRESH_TRAPS } from './freshTraps.ts';
import { CAPS, CODES, HINTS, LIMITS, NUMBERS, STATUS_FIGURES, WRAPPED } from './grammarVariants.ts';
import { LABELLED_FIGURES } from './labelledFigures.ts';
import { LATER_VARIANTS } from './laterVariants.ts';
import { NAMESAKES } from './namesakes.ts';
import { OTHER_VARIANTS } from './otherVariants.ts';
import { OVERFLOW_VARIANTS } from './overflowVariants.ts';
import { PLAIN_VARIANTS } from './plainVariants.ts';
import { RELAYED_FIGURES } from './relayedFigures.ts';
import { SENTENCES_IN_FRAMES } from './sentencesInFrames.ts';
import { SHAPE_VARIANTS } from './shapeVariants.ts';
import { STATED_FIGURES } from './statedFigures.ts';
import { OUTPUT_LIMITS, UNSEEN_VARIANTS } from './unseenVariants.ts';
import type { Variant } from './variant.ts';

function titleOf({ error, kind }: Variant): string {
  const text =
    typeof error === 'string' ? error : error instanceof Error ? String(error) : (JSON.stringify(error) ?? 'nothing');
  return `${kind}: ${text.slice(0, 120)}`;
}

describe('wordings of no known provider', () => {
  for (const variant of [
    ...OVERFLOW_VARIANTS,
    ...OTHER_VARIANTS,
    ...UNSEEN_VARIANTS,
    ...LATER_VARIANTS,
    ...SHAPE_VARIANTS,
    ...FRAMED_VARIANTS,
    ...PLAIN_VARIANTS,
    ...FRESH_OVERFLOWS,
    ...FRESH_TRAPS,
    ...SENTENCES_IN_FRAMES,
    ...NAMESAKES,
    ...LABELLED_FIGURES,
    ...RELAYED_FIGURES,
    ...STATED_FIGURES,
    ...FOREIGN_FIGURES,
    ...BARE_OVERFLOWS,
    ...FOREIGN_FAILURES,
    ...STATUS_FIGURES,
    ...CODES,
    ...HINTS,
    ...CAPS,
    ...LIMITS,
    ...NUMBERS,
    ...WRAPPED,
  ]) {
    it(titleOf(variant), () => {
      const found = classifyModelError(variant.error);
      assert.equal(found.kind, variant.kind, found.evidence);
      if (variant.kind !== 'overflow') return;
      assert.equal(found.actualTokens, variant.actual, 'actual tokens');
      assert.equal(found.limitTokens, variant.limit, 'limit tokens');
    });
  }
});

describe('a refused output limit', () => {
  for (const [error, cap] of OUTPUT_LIMITS) {
    it(`${cap ?? 'no figure'}: ${JSON.stringify(error).slice(0, 110)}`, () => {
      const found = classifyModelError(error);
      assert.equal(found.kind, 'output-limit', found.evidence);
      assert.equal(found.outputLimitTokens, cap);
    });
  }
});
