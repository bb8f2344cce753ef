import assert from 'node:assert/strict';
import { Models } from '../../../src/host/conversations/models.ts';
import { partsOf } from '../../host/kit.ts';

describe('the model profiles', () => {
  it('are read again after a failure', async () => {
    let reads = 0;
    const loadProfiles = async () => {
      reads += 1;
      if (reads === 1) throw new Error('Too many open files.');
      return { layers: [], problems: [] };
    };
    const models = new Models(partsOf({ adapters: { loadProfiles } }));
    const [first, second] = await Promise.allSettled([models.load(), models.load()]);
    assert.deepEqual([first?.status, second?.status, reads], ['rejected', 'fulfilled', 2]);
  });
});
