import assert from 'node:assert/strict';
import { ModelProfiles } from '../../../src/host/conversations/modelProfiles.ts';
import { hostOf } from '../../host/kit.ts';

describe('the model profiles', () => {
  it('are read again after they could not be read', async () => {
    let reads = 0;
    const loadProfiles = async () => {
      reads += 1;
      if (reads === 1) throw new Error('Too many open files.');
      return { layers: [], problems: [] };
    };
    const profiles = new ModelProfiles(hostOf({ adapters: { loadProfiles } }));
    const [first, second] = await Promise.allSettled([profiles.load(), profiles.load()]);
    assert.deepEqual([first?.status, second?.status, reads], ['rejected', 'fulfilled', 2]);
  });
});
