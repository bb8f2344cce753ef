import assert from 'node:assert/strict';
import { DEFAULT_SETTINGS } from '../../../src/core/session/settings.ts';
import type { Connections } from '../../../src/host/conversations/connections.ts';
import { ModelProfiles } from '../../../src/host/conversations/modelProfiles.ts';

describe('the model profiles', () => {
  it('are read again after they could not be read', async () => {
    let reads = 0;
    const loadProfiles = async () => {
      reads += 1;
      if (reads === 1) throw new Error('Too many open files.');
      return { layers: [], problems: [] };
    };
    const profiles = new ModelProfiles({
      adapters: { loadProfiles },
      settings: { current: DEFAULT_SETTINGS },
    } as unknown as Connections);
    const [first, second] = await Promise.allSettled([profiles.load(), profiles.load()]);
    assert.deepEqual([first?.status, second?.status, reads], ['rejected', 'fulfilled', 2]);
  });
});
