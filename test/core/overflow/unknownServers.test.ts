import assert from 'node:assert/strict';
import { classifyModelError } from '../../../src/core/overflow/classify.ts';
import { WORDINGS } from '../../../src/core/overflow/words.ts';
import { IN_FRAMES, NO_FIGURE, ONE_FIGURE, type Stated, TWO_FIGURES } from './unknownServers.ts';

function assertOverflow([text, actual, limit]: Stated): void {
  const found = classifyModelError(text);
  assert.equal(found.kind, 'overflow', found.evidence);
  assert.equal(found.actualTokens, actual, 'actual tokens');
  assert.equal(found.limitTokens, limit, 'limit tokens');
}

describe('servers without a row of their own', () => {
  describe('each family of wordings', () => {
    for (const { example } of WORDINGS) {
      it(example, () => assert.equal(classifyModelError(example).kind, 'overflow'));
    }
  });
  for (const [what, all] of Object.entries({ TWO_FIGURES, ONE_FIGURE, IN_FRAMES })) {
    describe(what.replace('_', ' ').toLowerCase(), () => {
      for (const stated of all) it(stated[0], () => assertOverflow(stated));
    });
  }
  describe('no figure', () => {
    for (const text of NO_FIGURE) it(text, () => assertOverflow([text, undefined, undefined]));
  });

  describe('operands that are added', () => {
    const [input, output, limit] = [61_000, 5_000, 65_536];
    for (const text of [
      `input length and max_tokens exceed the window: ${input} + ${output} > ${limit}`,
      `Prompt tokens (${input}) + max-sampled tokens (${output}) exceeds max (${limit})`,
      `prompt=${input} + max_new_tokens=${output} is greater than max_seq_len ${limit}`,
      `${input} input tokens plus ${output} output tokens exceeds ${limit}`,
      `The prompt (${input} tokens) plus the requested completion (${output} tokens) is over the limit of ${limit}`,
      `the sum of prompt tokens (${input}) and max_new_tokens (${output}) must not exceed ${limit}`,
      `prompt ${input} + output ${output} = ${input + output} >= ${limit}`,
      `ValueError: Request length ${input} + ${output} is greater than max_seq_len ${limit}`,
      `system (1000) + messages (60000) + max_tokens (${output}) exceeds n_ctx (${limit})`,
    ]) {
      it(text, () => assertOverflow([text, input + output, limit]));
    }

    it('is an output limit where the output alone fills the window', () => {
      const { kind } = classifyModelError('prompt tokens (20) + max_tokens (8192) exceeds max context 8192');
      assert.equal(kind, 'output-limit');
    });
  });
});
