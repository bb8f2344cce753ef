import assert from 'node:assert/strict';
import { classifyModelError } from '../../../src/core/overflow/classify.ts';

const INPUT = 61_000;
const OUTPUT = 5_000;
const LIMIT = 65_536;

/** Two operands that are added, in the spellings of servers. */
const SUMS = [
  `input length and max_tokens exceed the window: ${INPUT} + ${OUTPUT}`,
  `Prompt tokens (${INPUT}) + max-sampled tokens (${OUTPUT})`,
  `input_length (${INPUT}) + max_tokens (${OUTPUT})`,
  `prompt=${INPUT} + max_new_tokens=${OUTPUT}`,
  `${INPUT} prompt tokens + ${OUTPUT} completion tokens`,
  `${INPUT} input tokens plus ${OUTPUT} output tokens`,
  `The prompt (${INPUT} tokens) plus the requested completion (${OUTPUT} tokens)`,
  `the sum of prompt tokens (${INPUT}) and max_new_tokens (${OUTPUT})`,
  `context: ${INPUT} tokens in the prompt + ${OUTPUT} tokens of output`,
  `prompt ${INPUT} + output ${OUTPUT} = ${INPUT + OUTPUT}`,
  `prompt tokens: ${INPUT} + max_tokens: ${OUTPUT} (= ${INPUT + OUTPUT})`,
  `prompt tokens: 61,000 + max tokens: 5,000`,
];

/** Over a limit, in words and signs. */
const COMPARISONS = [
  `> ${LIMIT}`,
  `>= ${LIMIT}`,
  `exceeds max (${LIMIT})`,
  `exceeds ${LIMIT}`,
  `exceed the context window of ${LIMIT} tokens`,
  `is greater than max_seq_len ${LIMIT}`,
  `is larger than the context length ${LIMIT}`,
  `is more than the ${LIMIT} tokens of context`,
  `is over the limit of ${LIMIT}`,
  `surpasses the maximum context length (${LIMIT})`,
  `must be <= ${LIMIT}`,
  `must not exceed ${LIMIT}`,
  `cannot be greater than the model length ${LIMIT}`,
];

describe('operands that are added', () => {
  for (const sum of SUMS) {
    for (const comparison of COMPARISONS) {
      it(`${sum} ${comparison}`, () => {
        const found = classifyModelError(`Error: ${sum} ${comparison}`);
        assert.equal(found.kind, 'overflow', found.evidence);
        assert.equal(found.actualTokens, INPUT + OUTPUT, 'actual tokens');
        assert.equal(found.limitTokens, LIMIT, 'limit tokens');
      });
    }
  }

  it('adds without names beside a named limit', () => {
    const found = classifyModelError('ValueError: Request length 61000 + 5000 is greater than max_seq_len 65536');
    assert.deepEqual([found.kind, found.actualTokens, found.limitTokens], ['overflow', INPUT + OUTPUT, LIMIT]);
  });

  it('adds three', () => {
    const found = classifyModelError('system (900) + messages (7200) + max_tokens (512) exceeds n_ctx (8192)');
    assert.deepEqual([found.kind, found.actualTokens, found.limitTokens], ['overflow', 8612, 8192]);
  });

  it('states no figure where a stated sum is not the sum', () => {
    const found = classifyModelError('context: prompt 7000 + output 2000 = 9500 tokens exceeds 8192');
    assert.equal(found.kind, 'overflow');
    assert.equal(found.actualTokens, undefined);
  });

  it('is an output limit where the output alone fills the window', () => {
    assert.equal(
      classifyModelError('prompt tokens (20) + max_tokens (8192) exceeds max context 8192').kind,
      'output-limit',
    );
  });

  it('adds nothing that stays below the limit', () => {
    const found = classifyModelError('prompt is too long: batch 3 + 4 exceeds 8192 tokens');
    assert.equal(found.actualTokens, undefined);
  });
});
