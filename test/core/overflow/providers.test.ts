import assert from 'node:assert/strict';
import { classifyModelError } from '../../../src/core/overflow/classify.ts';
import { findProvider, PROVIDERS } from '../../../src/core/overflow/providers.ts';
import { normalise } from '../../../src/core/overflow/text.ts';
import { WORDINGS } from '../../../src/core/overflow/words.ts';
import { OTHERS } from './otherFailures.ts';
import { OVERFLOWS } from './providers.ts';

describe('named providers', () => {
  describe('the table', () => {
    for (const [row, pattern] of Object.entries(PROVIDERS)) {
      const [provider, source, example = ''] = row.split(' | ');
      it(`${provider} (${source})`, () => {
        const found = findProvider(normalise(example));
        assert.equal(found?.sentence, pattern.exec(normalise(example))?.[0], 'its own row, and none before it');
        const { kind, actualTokens, limitTokens } = classifyModelError(example);
        assert.equal(kind, 'overflow');
        assert.equal(actualTokens, found?.figures.actual);
        assert.equal(limitTokens, found?.figures.limit);
      });
    }

    it('keeps no state between calls: no row uses a global or sticky expression', () => {
      const parts = WORDINGS.flatMap(({ all }) => all);
      for (const pattern of [...Object.values(PROVIDERS), ...parts]) assert.match(pattern.flags, /^[^gy]*$/);
    });
  });

  describe('say an overflow, with the figures that the text states', () => {
    for (const { from, error, actual, limit } of OVERFLOWS) {
      it(from, () => {
        const found = classifyModelError(error);
        assert.equal(found.kind, 'overflow', found.evidence);
        assert.equal(found.actualTokens, actual, 'actual tokens');
        assert.equal(found.limitTokens, limit, 'limit tokens');
      });
    }
  });

  describe('say something that compaction does not cure', () => {
    for (const { from, error, kind, output } of OTHERS) {
      it(`${from}: ${kind}`, () => {
        const found = classifyModelError(error);
        assert.equal(found.kind, kind, found.evidence);
        if (output !== undefined) assert.equal(found.outputTokens, output);
      });
    }
  });
});
