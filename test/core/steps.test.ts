import assert from 'node:assert/strict';
import { runInSlices, type Steps } from '../../src/core/steps.ts';

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
