import assert from 'node:assert/strict';
import { Fanout, type SinkFailure } from '../../../src/core/events/fanout.ts';

describe('fanout', () => {
  it('isolates a failing sink and warns exactly once', () => {
    const failures: SinkFailure[] = [];
    const seen: number[] = [];
    const fanout = new Fanout<number>((failure) => failures.push(failure));
    fanout.add('broken', () => {
      throw new Error('no disk');
    });
    fanout.add('working', (event) => {
      seen.push(event);
    });
    for (const event of [1, 2, 3]) fanout.emit(event);
    assert.deepEqual(seen, [1, 2, 3]);
    assert.equal(failures.map(({ sink }) => sink).join(), 'broken');
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

  it('warns again after the sink has worked in between', () => {
    const failures: string[] = [];
    const fanout = new Fanout<boolean>(({ sink }) => failures.push(sink));
    fanout.add('moody', (fails) => {
      if (fails) throw new Error('again');
    });
    for (const fails of [true, true, false, true]) fanout.emit(fails);
    assert.deepEqual(failures, ['moody', 'moody']);
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
