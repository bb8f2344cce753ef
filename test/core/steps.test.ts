import assert from 'node:assert/strict';
import { queueWork, runInSlices, type Steps, sortInSteps } from '../../src/core/steps.ts';

/** Ports with a clock that moves on by a millisecond with every step of `work`; counts the pauses. */
function ports() {
  let [now, pauses] = [0, 0];
  return {
    slicing: {
      pause: async () => {
        pauses += 1;
      },
      elapsed: () => now,
    },
    pauses: () => pauses,
    *work(steps: number): Steps<string> {
      for (let step = 0; step < steps; step += 1) {
        now += 1;
        yield;
      }
      return 'done';
    },
  };
}

describe('work in slices', () => {
  it('gives way first, and after every slice of 3 ms', async () => {
    const { slicing, pauses, work } = ports();
    assert.equal(await runInSlices(work(10), slicing), 'done');
    assert.equal(pauses(), 4);
  });

  it('goes on in the slice of the work before it', async () => {
    const { slicing, pauses, work } = ports();
    await runInSlices(work(1), slicing);
    await runInSlices(work(1), slicing);
    assert.equal(pauses(), 1);
    await runInSlices(work(2), slicing);
    assert.equal(pauses(), 2, 'all of it together takes more than a slice');
  });

  it('side by side shares one slice', async () => {
    const { slicing, pauses, work } = ports();
    await Promise.all([runInSlices(work(30), slicing), runInSlices(work(30), slicing)]);
    assert.ok(pauses() >= 20, `${pauses()} pauses`);
  });

  it('rejects with what it throws', async () => {
    function* fail(): Steps<never> {
      yield;
      throw new RangeError('no');
    }
    await assert.rejects(runInSlices(fail(), ports().slicing), RangeError);
  });
});

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

it('sorting in steps sorts, and never compares for long without a step', () => {
  const count = 100_000;
  for (const at of [(index: number) => (index * 7_919) % count, (index: number) => count - index]) {
    const numbers = Array.from({ length: count }, (_, index) => at(index));
    const { sorted, most, all } = sortCounted(numbers);
    const expected = numbers.toSorted((one, other) => one - other);
    assert.deepEqual(sorted, expected);
    assert.ok(most < 20_000, `${most}`);
    assert.ok(all < count * 20, `${all}`);
  }
});

it('work in a queue begins when the work before has ended, even if that failed', async () => {
  const inTurn = queueWork();
  const gate = Promise.withResolvers<void>();
  const order: number[] = [];
  const first = inTurn(() => gate.promise);
  const second = inTurn(async () => order.push(2));
  order.push(1);
  gate.reject(new Error('Too many open files.'));
  const settled = await Promise.allSettled([first, second]);
  assert.deepEqual(
    [settled.map(({ status }) => status), order],
    [
      ['rejected', 'fulfilled'],
      [1, 2],
    ],
  );
});
