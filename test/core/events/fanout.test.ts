import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Fanout } from '../../../src/core/events/fanout.ts';

describe('fanout', () => {
  it('isolates a failing sink, and reports its first failure', async () => {
    const failures: unknown[] = [];
    const seen: number[] = [];
    const fanout = new Fanout<number>((error) => failures.push(error));
    fanout.add(() => {
      throw new Error('no disk');
    });
    fanout.add(() => Promise.reject(new Error('late')));
    fanout.add((event) => void seen.push(event));
    fanout.emit(1, 2);
    await setImmediate();
    assert.deepEqual(seen, [1, 2]);
    assert.deepEqual(failures.map(String), ['Error: no disk', 'Error: late']);
  });

  it('stops delivering to a removed sink', () => {
    const seen: number[] = [];
    const fanout = new Fanout<number>(() => assert.fail('nothing fails'));
    const remove = fanout.add((event) => void seen.push(event));
    fanout.emit(1);
    remove();
    fanout.emit(2);
    assert.deepEqual(seen, [1]);
  });
});
