import assert from 'node:assert/strict';
import { profileKey } from '../../../src/core/model/providers.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';
import { describeReset, Windows } from '../../../src/host/servers/windows.ts';
import { partsOf } from '../kit.ts';

it('what a server accepted is stored by server and model, and forgotten with the window', async () => {
  const kept = new Map<string, unknown>();
  const memory = {
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => {
      if (value === undefined) kept.delete(key);
      else kept.set(key, value);
    },
  };
  const reopen = () => new Windows(partsOf({ memory })).accepted;
  const { profile } = resolveProfile({ model: 'local', baseUrl: 'http://127.0.0.1:9/v1' });
  const key = profileKey(profile);
  const accepted = reopen();
  accepted.set(key, 31_000);
  assert.deepEqual([accepted.get(key), accepted.get('another'), reopen().get(key)], [31_000, undefined, 31_000]);
  accepted.delete(key);
  assert.deepEqual([accepted.get(key), reopen().get(key)], [undefined, undefined]);
  accepted.set(key, 9_000);
  await new Windows(partsOf({ memory })).forget(profile);
  assert.equal(reopen().get(key), undefined);
});

it('a window that is reset is described with when and from which words of the server it was learned', () => {
  const { profile } = resolveProfile({ model: 'local' });
  const words = 'maximum context length is 9000 tokens';
  const said = describeReset(profile, { tokens: 9_000, source: 'error', at: Date.UTC(2026, 2, 5, 12), words });
  assert.match(said, /of local was 9,000 tokens \(learned from an error, Mar 5, \d\d:00\)\. The server said: “maximum/);
  const ofServer = describeReset(profile, { tokens: 9_000, source: 'server' });
  assert.equal(ofServer, 'Reset. The context window of local was 9,000 tokens (from the server).');
});
