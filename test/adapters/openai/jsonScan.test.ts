import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JsonScan } from '../../../src/adapters/openai/jsonScan.ts';

/** The verdict after each piece. */
function verdicts(pieces: readonly string[]): boolean[] {
  const end = new JsonScan();
  return pieces.map((piece, index) => {
    end.push(piece);
    return end.isWhole(pieces.slice(0, index + 1).join(''));
  });
}

describe('the end of JSON in pieces', () => {
  it('is where the value is whole, wherever it is torn', () => {
    fc.assert(
      fc.property(fc.object(), fc.integer({ min: 1, max: 9 }), (value, length) => {
        const text = JSON.stringify(value);
        const pieces = text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
        assert.deepEqual(
          verdicts(pieces),
          pieces.map((_, index) => index === pieces.length - 1),
        );
      }),
    );
  });

  it('stays when white space follows, and is gone for good when anything else does', () => {
    assert.deepEqual(verdicts(['{"a":1}', '  ', '\n']), [true, true, true]);
    assert.deepEqual(verdicts(['{"a":1}', '{', '}']), [true, false, false]);
    assert.deepEqual(verdicts(['{"a":1}', ' ', '"b"']), [true, true, false]);
  });

  it('is found for values without brackets and quotes too', () =>
    assert.deepEqual(verdicts(['nu', 'll']), [false, true]));
});
