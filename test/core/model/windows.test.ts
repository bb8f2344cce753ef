import assert from 'node:assert/strict';
import type { LearnedWindow } from '../../../src/core/model/budget.ts';
import { findSetWindow, hearWindow, readTypedWindow, setWindows } from '../../../src/core/model/windows.ts';
import { inEnglish } from '../../../src/language/language.ts';

describe('a context window that the user sets', () => {
  it('may be written with the usual separators', () => {
    for (const text of ['32768', ' 32,768 ', '32 768', '32.768', '32_768', "32'768", '32\u00a0768'])
      assert.deepEqual(readTypedWindow(text), { ok: true, value: 32_768 }, text);
    assert.deepEqual(readTypedWindow('  '), { ok: true, value: undefined }, 'nothing takes it away');
  });

  it('is refused with what to type', () => {
    const error =
      'Enter a whole number of tokens from 1,000 to 100,000,000, such as 32768, or nothing to use what Karl detects.';
    for (const text of ['32k', '999', '100000001', '-5000', '32.76', '1,2', '0x8000', 'large', '1e6', '3276,8']) {
      const read = readTypedWindow(text);
      assert.equal(read.ok ? '' : inEnglish(read.error), error, text);
    }
  });

  it('applies only to the model that it names', () => {
    assert.deepEqual(findSetWindow('a', { a: 20_000 }), { tokens: 20_000, source: 'setting' });
    assert.equal(findSetWindow('b', { a: 20_000 }), undefined);
    assert.equal(findSetWindow('toString', {}), undefined);
    for (const right of [{}, { a: 1000, b: 100_000_000 }]) assert.ok(setWindows.safeParse(right).success);
    for (const wrong of [null, [], 5, { a: '20000' }, { a: 999 }, { a: 20_000.5 }, { '': 20_000 }, { a: null }])
      assert.equal(setWindows.safeParse(wrong).success, false, JSON.stringify(wrong));
  });
});

const window = (tokens: number, size: number): LearnedWindow => ({
  tokens,
  source: 'error',
  at: size,
  words: `prompt is too long: ${size} tokens > ${tokens} maximum`,
});

describe('what errors teach about a window', () => {
  const hear = (...windows: readonly LearnedWindow[]) =>
    windows.reduce<ReturnType<typeof hearWindow> | undefined>(hearWindow, undefined);

  it('is confirmed by a second error with the same limit about another request', () => {
    assert.equal(hear(window(8_000, 9_100))?.agreed, false);
    assert.equal(hear(window(8_000, 9_100), window(8_000, 8_700))?.agreed, true);
    assert.equal(hear(window(8_000, 9_100), window(8_000, 8_700), window(8_000, 8_700))?.agreed, true, 'and stays so');
  });

  it('is not confirmed by the same words again, since an echo repeats itself', () => {
    assert.equal(hear(...Array.from({ length: 300 }, () => window(8_000, 9_100)))?.agreed, false);
  });

  it('is confirmed by a second measurement, which has no words', () => {
    const measured: LearnedWindow = { tokens: 4_000, source: 'error' };
    assert.equal(hear(measured)?.agreed, false);
    assert.equal(hear(measured, measured)?.agreed, true);
  });

  it('starts over with another limit', () => {
    const heard = hear(window(8_000, 9_100), window(8_000, 8_700), window(4_000, 5_000));
    assert.deepEqual(heard, { window: window(4_000, 5_000), agreed: false });
  });
});
