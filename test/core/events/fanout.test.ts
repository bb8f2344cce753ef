import assert from 'node:assert/strict';
import { Fanout, type SinkFailure } from '../../../src/core/events/fanout.ts';

describe('fanout', () => {
  it('isolates a failing sink, and warns once until it has worked in between', () => {
    const failures: SinkFailure[] = [];
    const seen: boolean[] = [];
    const fanout = new Fanout<boolean>((failure) => failures.push(failure));
    fanout.add('moody', (fails) => {
      if (fails) throw new Error('no disk');
    });
    fanout.add('working', (event) => {
      seen.push(event);
    });
    for (const fails of [true, true, false, true]) fanout.emit(fails);
    assert.deepEqual(seen, [true, true, false, true]);
    assert.equal(failures.map(({ sink }) => sink).join(), 'moody,moody');
  });

  it('catches a sink that fails later', async () => {
    const failures: string[] = [];
    const fanout = new Fanout<number>(({ sink }) => failures.push(sink));
    fanout.add('slow', () => Promise.reject(new Error('late')));
    fanout.emit(1);
    await new Promise((resolve) => setImmediate(resolve));
    fanout.emit(2);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(failures, ['slow']);
  });

  it('stops delivering to a removed sink', () => {
    const seen: number[] = [];
    const fanout = new Fanout<number>(() => assert.fail('nothing fails'));
    const remove = fanout.add('sink', (event) => {
      seen.push(event);
    });
    fanout.emit(1);
    remove();
    fanout.emit(2);
    assert.deepEqual(seen, [1]);
  });
});
