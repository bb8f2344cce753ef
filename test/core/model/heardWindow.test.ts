import assert from 'node:assert/strict';
import type { LearnedWindow } from '../../../src/core/model/budget.ts';
import { hearWindow } from '../../../src/core/model/windows.ts';

const window = (tokens: number, size: number): LearnedWindow => ({
  tokens,
  source: 'error',
  at: size,
  words: `prompt is too long: ${size} tokens > ${tokens} maximum`,
});

describe('what errors teach about a window', () => {
  const hear = (...windows: readonly LearnedWindow[]) =>
    windows.reduce<ReturnType<typeof hearWindow> | undefined>(hearWindow, undefined);

  it('is agreed when a second error states the same limit of another request', () => {
    assert.equal(hear(window(8_000, 9_100))?.agreed, false);
    assert.equal(hear(window(8_000, 9_100), window(8_000, 8_700))?.agreed, true);
    assert.equal(hear(window(8_000, 9_100), window(8_000, 8_700), window(8_000, 8_700))?.agreed, true, 'and stays so');
  });

  it('is not agreed by the same words again: an echo repeats itself', () => {
    assert.equal(hear(...Array.from({ length: 300 }, () => window(8_000, 9_100)))?.agreed, false);
  });

  it('starts again with another limit', () => {
    const heard = hear(window(8_000, 9_100), window(8_000, 8_700), window(4_000, 5_000));
    assert.deepEqual(heard, { window: window(4_000, 5_000), agreed: false });
  });
});
