import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sortInSteps } from '../../../src/core/steps.ts';

/** Sorts, and counts the comparisons that were made between two steps. */
function sortCounted(numbers: readonly number[]): { sorted: readonly number[]; most: number; all: number } {
  let [now, most, all] = [0, 0, 0];
  const steps = sortInSteps(numbers, (one, other) => {
    now += 1;
    return one - other;
  });
  for (;;) {
    const step = steps.next();
    most = Math.max(most, now);
    all += now;
    now = 0;
    if (step.done === true) return { sorted: step.value, most, all };
  }
}

describe('sorting in steps', () => {
  it('sorts', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 5_000 }), (numbers) => {
        assert.deepEqual(
          sortCounted(numbers).sorted,
          numbers.toSorted((one, other) => one - other),
        );
      }),
    );
  });

  it('never compares for long without a step, however many there are', () => {
    const count = 100_000;
    for (const at of [(index: number) => (index * 7_919) % count, (index: number) => count - index]) {
      const { most, all } = sortCounted(Array.from({ length: count }, (_, index) => at(index)));
      assert.ok(most < 20_000, `${most}`);
      assert.ok(all < count * 20, `${all}`);
    }
  });
});
