import assert from 'node:assert/strict';
import { assistant, converse, reads, system, user } from './kit.ts';

const WORK = [system('You are an agent.'), user('Fix the import.'), ...reads(14), assistant('Done.'), user('And now?')];

/** A conversation whose work pauses; `onPause` gets the number of each pause. */
function pausing(onPause: (pause: number) => void) {
  let pauses = 0;
  return converse(WORK, {
    ports: {
      newId: () => 'run1',
      now: () => 0,
      elapsed: () => 0,
      pause: async () => {
        pauses += 1;
        onPause(pauses);
      },
    },
  });
}

describe('a run that is stopped', () => {
  it('records nothing, be it at the last moment', async () => {
    let last = 0;
    const whole = pausing((pause) => {
      last = pause;
    });
    assert.equal((await whole.compact({ trigger: 'command' })).kind, 'compacted');
    const abort = new AbortController();
    const stopped = pausing((pause) => {
      if (pause === last) abort.abort();
    });
    const result = await stopped.compact({ trigger: 'command', signal: abort.signal });
    assert.equal(result.kind, 'cancelled');
    assert.deepEqual(stopped.compactions(), []);
  });
});
